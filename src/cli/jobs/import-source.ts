import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../admin-client.js';
import { UsageError } from '../command.js';
import { type BucketOptions, readTarget } from '../storage/read-target.js';
import type { Output } from '../terminal/output.js';
import { jobOf } from './follow-job.js';
import {
  defaultTimeout,
  flagNames,
  type ImportFlags,
  openImportFile,
} from './import-file/open-import-file.js';
import { placedInFile } from './import-file/place-in-file.js';
import { sendImport } from './send-import.js';

/** What an import reads: a file that is sent, or an object of a bucket that the service reads. */
export interface ImportSource {
  /** The file beside which the job is remembered. */
  readonly name: string;
  /** What identifies the source, without secrets. */
  readonly request: JsonObject;
  /** Begins the import. Returns the identifier of the job. */
  send(client: AdminClient): Promise<string>;
  /** Returns an error with its place in the source. */
  placed(error: JsonObject): JsonObject;
}

export interface SourceOptions extends ImportFlags, BucketOptions {
  /** Whether the object has users of another system. Otherwise it is an export of Muster. */
  readonly external?: boolean | undefined;
}

/** @throws UsageError when the command line names no source, StartError when it names two, or one that no import can have */
export async function importSource(
  path: string | undefined,
  options: SourceOptions,
  output: Pick<Output, 'progress'>,
): Promise<ImportSource> {
  const { bucket } = options;
  if (path === undefined && bucket === undefined)
    throw new UsageError('muster import: a file or --bucket is required. See muster import --help.');
  if (path !== undefined && bucket !== undefined) {
    throw new StartError('A file and --bucket are two sources: give one of them');
  }
  if (bucket !== undefined) return ofBucket({ ...options, bucket });
  return ofFile(path ?? '', options, output);
}

async function ofFile(
  path: string,
  options: SourceOptions,
  output: Pick<Output, 'progress'>,
): Promise<ImportSource> {
  const { external, path: object, storage, serviceAccount } = options;
  if ([external, object, storage, serviceAccount].some((one) => one !== undefined)) {
    throw new StartError('--path, --external, --storage and --service-account are for an object of --bucket');
  }
  const file = await openImportFile(path, options);
  const { size, mtimeMs } = file;
  return {
    name: path,
    request: { size, mtimeMs, flags: flagsOf(options), timeout: options.timeout },
    send: (client) => sendImport(client, file, output),
    placed: (error) => placedInFile(error, file),
  };
}

async function ofBucket(options: SourceOptions & { readonly bucket: string }): Promise<ImportSource> {
  const { provider, target, place } = await readTarget(options);
  const { timeout = defaultTimeout, external = false } = options;
  const flags = flagsOf(options);
  const form = external ? 'dataOrgs' : 'dataOrgsv1';
  const suffix = { gcs: 'Gcs', s3: 'S3', azure: 'Azure' }[provider];
  const set = Object.fromEntries(flags.map((flag) => [flag, true]));
  return {
    name: 'import',
    request: { provider, ...place, form, flags, timeout },
    async send(client) {
      const sent = await client.insist('/admin/v1/import', {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'respond-async' },
        body: () => JSON.stringify({ timeout, ...set, [`${form}${suffix}`]: target }),
      });
      return jobOf(sent);
    },
    placed: (error) => error,
  };
}

function flagsOf(options: ImportFlags): (typeof flagNames)[number][] {
  return flagNames.filter((flag) => options[flag] === true);
}
