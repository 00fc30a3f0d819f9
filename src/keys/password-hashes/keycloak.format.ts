import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { fromBase64 } from './bytes.js';
import type { HashFormat, HashReading } from './hash-format.js';
import { readPbkdf2 } from './pbkdf2.format.js';

/**
 * A credential of Keycloak as JSON, with `credentialData` and `secretData`, or with the flat properties of old versions: argon2
 * and PBKDF2. Its other parts, such as the date, are not kept.
 */
export const keycloakCredential: HashFormat = (text, readInner) => {
  const credential = text.startsWith('{"') ? parsed(text) : undefined;
  return credential && readKeycloakCredential(credential, readInner);
};

/** Reads such a credential as an object. */
function readKeycloakCredential(
  credential: JsonObject,
  readInner: (text: string) => HashReading,
): HashReading {
  const data = { ...credential, ...nested(credential['credentialData']) };
  const secret = nested(credential['secretData']);
  const value = secret['value'] ?? credential['hashedSaltedValue'] ?? credential['value'];
  const salt = secret['salt'] ?? credential['salt'] ?? '';
  // Exports before version 3 name no algorithm: there was one.
  const isOldest = typeof credential['hashedSaltedValue'] === 'string' && data['algorithm'] === undefined;
  const algorithm = isOldest ? 'pbkdf2' : data['algorithm'];
  if (typeof value !== 'string' || typeof salt !== 'string' || typeof algorithm !== 'string')
    return undefined;
  // Extensions for bcrypt keep its whole text.
  if (value.startsWith('$')) return readInner(value);
  const iterations = Number(data['hashIterations']);
  if (algorithm === 'argon2')
    return readArgon2(nested(data['additionalParameters']), { iterations, value, salt }, readInner);
  const [, digest] = /^pbkdf2(?:-(sha\d+))?$/.exec(algorithm) ?? ['', undefined];
  if (!algorithm.startsWith('pbkdf2')) return undefined;
  return readPbkdf2({ digest: digest ?? 'sha1', iterations, salt: fromBase64(salt), key: fromBase64(value) });
}

function readArgon2(
  parameters: JsonObject,
  { iterations, value, salt }: { iterations: number; value: string; salt: string },
  readInner: (text: string) => HashReading,
): HashReading {
  const first = (name: string) => {
    const given = parameters[name];
    return String(Array.isArray(given) ? given[0] : given);
  };
  const version = { '1.0': 16, '1.3': 19 }[first('version')] ?? 19;
  const cost = `m=${first('memory')},t=${iterations},p=${first('parallelism')}`;
  return readInner(`$argon2${first('type')}$v=${version}$${cost}$${salt}$${value}`);
}

/** Keycloak writes JSON within JSON. */
function nested(value: unknown): JsonObject {
  return (typeof value === 'string' ? parsed(value) : isJsonObject(value) ? value : undefined) ?? {};
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
