import { readFile } from 'node:fs/promises';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { objectIn } from './find-connection.js';

/** What the options of `add` and `change` say. */
export interface SettingsOptions {
  readonly name?: string | undefined;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly file?: string | undefined;
  readonly secretFile?: string | undefined;
}

/**
 * Returns the body that the file and the options make. Options replace what the file says. The secret is in no argument, because every user of
 * the machine sees those.
 * @throws StartError for a file that cannot be read, or is no JSON object
 */
export async function readSettings(options: SettingsOptions): Promise<JsonObject> {
  const { name, issuer, clientId, file, secretFile } = options;
  const given = file === undefined ? {} : await readJsonFile(file);
  const clientSecret = secretFile === undefined ? undefined : await textOf(secretFile);
  const provider = {
    ...objectIn(given, 'provider'),
    ...(issuer !== undefined && { issuer }),
    ...(clientId !== undefined && { clientId }),
  };
  return {
    ...given,
    ...(name !== undefined && { name }),
    ...(Object.keys(provider).length > 0 && { provider }),
    ...(clientSecret !== undefined && { clientSecret: clientSecret.replace(/\r?\n$/, '') }),
  };
}

/** Returns the JSON object of a file. @throws StartError for a file that cannot be read, or has none */
export async function readJsonFile(file: string): Promise<JsonObject> {
  const text = await textOf(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new StartError(`${file} is no JSON.`);
  }
  if (!isJsonObject(value)) throw new StartError(`${file} has no JSON object.`);
  return value;
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
