import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { UsageError } from '../base/command.js';
import { type BucketOptions, readTarget } from '../storage/read-target.js';
import type { Output } from '../terminal/output.js';
import { jobOf } from './follow-job.js';
import {
  defaultTimeout,
  flagNames,
  type ImportFlags,
  openImportFile,
  rulesOf,
} from './import-file/open-import-file.js';
import { placedInFile } from './import-file/place-in-file.js';
import { addressFor, type SourcePurpose, sendImport } from './send-import.js';

/**
 * What an import or a verification reads: a file that is sent, or an object of a bucket or an https address that the service
 * reads.
 */
export interface ImportSource {
  /** The file beside which the job is remembered. */
  readonly name: string;
  /** What identifies the source, without secrets. */
  readonly request: JsonObject;
  /** Begins the job. Returns its identifier. */
  send(client: AdminClient): Promise<string>;
  /** Returns an error with its place in the source. */
  placed(error: JsonObject): JsonObject;
}

export interface SourceOptions extends ImportFlags, BucketOptions {
  /** A file with an https address. Signed addresses are secrets, and every user can read arguments. */
  readonly urlFile?: string | undefined;
  /** Whether the object has users of another system. Otherwise it is an export of Muster. */
  readonly external?: boolean | undefined;
  /** The organization whose owner imports into it alone. */
  readonly ownerOf?: string | undefined;
}

type JobSourceOptions = SourceOptions & { readonly purpose?: SourcePurpose };

/**
 * @param options `purpose`: import, unless it says verify
 * @throws UsageError when the command line names no source, StartError when it names two, or one that no import can have
 */
export async function importSource(
  path: string | undefined,
  options: JobSourceOptions,
  output: Pick<Output, 'progress'>,
): Promise<ImportSource> {
  const { bucket, urlFile, purpose = 'import' } = options;
  const given = [path, bucket, urlFile].filter((source) => source !== undefined).length;
  if (given === 0) {
    throw new UsageError(
      `muster ${purpose}: a file, --bucket or --url-file is required. See muster ${purpose} --help.`,
    );
  }
  if (given > 1) throw new StartError('A file, --bucket and --url-file are sources: give one of them');
  if (urlFile !== undefined) return ofAddress({ ...options, urlFile });
  if (bucket !== undefined) return ofBucket({ ...options, bucket });
  return ofFile(path ?? '', options, output);
}

async function ofFile(
  path: string,
  options: JobSourceOptions,
  output: Pick<Output, 'progress'>,
): Promise<ImportSource> {
  const { external, path: object, storage, serviceAccount } = options;
  if ([external, object, storage, serviceAccount].some((one) => one !== undefined)) {
    throw new StartError(
      '--path, --storage, --service-account and --external are for --bucket or --url-file',
    );
  }
  const file = await openImportFile(path, options);
  const { size, mtimeMs } = file;
  return {
    name: path,
    request: {
      ...{ size, mtimeMs, flags: flagsOf(options), ...rulesOf(options) },
      ...{ timeout: options.timeout, ownerOf: options.ownerOf },
    },
    send: (client) => sendImport(client, file, output, addressOf(options)),
    placed: (error) => placedInFile(error, file),
  };
}

async function ofBucket(options: JobSourceOptions & { readonly bucket: string }): Promise<ImportSource> {
  const { provider, target, place } = await readTarget(options);
  const suffix = { gcs: 'Gcs', s3: 'S3', azure: 'Azure' }[provider];
  return ofService(options, { suffix, object: target, request: { provider, ...place } });
}

/** The longest address that the service takes, in characters. */
const longestAddress = 4_000;

async function ofAddress(options: JobSourceOptions & { readonly urlFile: string }): Promise<ImportSource> {
  const { urlFile, path, storage, serviceAccount } = options;
  if ([path, storage, serviceAccount].some((one) => one !== undefined)) {
    throw new StartError('--path, --storage and --service-account are for an object of --bucket');
  }
  const text = await readFile(urlFile, 'utf8').catch((error: Error) => {
    throw new StartError(`${urlFile} cannot be read: ${error.message}`);
  });
  const url = text.trim();
  if (url.length > longestAddress || !/^https:\/\/\S+$/i.test(url) || !URL.canParse(url)) {
    throw new StartError(`${urlFile} has not one https address of at most ${longestAddress} characters`);
  }
  // Of the address only a digest is remembered, because a signed address is a secret.
  const digest = createHash('sha256').update(url).digest('hex');
  return ofService(options, { suffix: 'Https', object: { url }, request: { provider: 'https', digest } });
}

/** @param source `request`: what identifies the object, without secrets */
function ofService(
  options: JobSourceOptions,
  { suffix, object, request }: { suffix: string; object: object; request: JsonObject },
): ImportSource {
  const { timeout = defaultTimeout, external = false, purpose = 'import' } = options;
  const flags = flagsOf(options);
  const form = external ? 'dataOrgs' : 'dataOrgsv1';
  const rules = rulesOf(options);
  const set = { ...Object.fromEntries(flags.map((flag) => [flag, true])), ...rules };
  return {
    name: purpose,
    request: { ...request, form, flags, ...rules, timeout, ownerOf: options.ownerOf },
    async send(client) {
      const sent = await client.insist(addressOf(options), {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'respond-async' },
        body: () => JSON.stringify({ timeout, ...set, [`${form}${suffix}`]: object }),
      });
      return jobOf(sent);
    },
    placed: (error) => error,
  };
}

function addressOf({ purpose = 'import', ownerOf }: JobSourceOptions): string {
  return addressFor(purpose, ownerOf);
}

function flagsOf(options: ImportFlags): (typeof flagNames)[number][] {
  return flagNames.filter((flag) => options[flag] === true);
}
