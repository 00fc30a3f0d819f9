import { readFile } from 'node:fs/promises';
import type { GivenAzureTarget } from '#src/platform/blobs/azure/azure-target.js';
import type { GivenBlobTarget } from '#src/platform/blobs/blob-store.js';
import type { GivenGcsTarget } from '#src/platform/blobs/gcs/gcs-target.js';
import type { GivenS3Target } from '#src/platform/blobs/s3/s3-target.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { plainWord } from '../terminal/plain-text.js';

/** The options of a command that name an object in a bucket. Credentials come from a file, because every user can read arguments. */
export interface BucketOptions {
  readonly bucket?: string | undefined;
  readonly path?: string | undefined;
  readonly serviceAccount?: string | undefined;
  readonly storage?: string | undefined;
}

/** An object of a bucket. */
interface NamedObject {
  readonly provider: Provider;
  /** The object as the API takes it. It has secrets. */
  readonly target: GivenBlobTarget;
  /** What may be stored and shown of the target. */
  readonly place: JsonObject;
}

export type Provider = 'gcs' | 's3' | 'azure';

const mostCharacters = 100_000;

/** The members of a file of `--storage`: those that must be there, all of them, and those that are no secrets. */
const members = {
  s3: {
    required: ['accessKeyId', 'secretAccessKey'],
    all: ['region', 'endpoint', 'pathStyle', 'accessKeyId', 'secretAccessKey', 'sessionToken'],
    shown: ['region', 'endpoint'],
  },
  azure: {
    required: [],
    all: ['account', 'endpoint', 'accountKey', 'sasToken', 'connectionString'],
    shown: ['account', 'endpoint'],
  },
} as const satisfies Record<string, Record<'required' | 'all' | 'shown', readonly string[]>>;

/**
 * Reads the object that the options name. The service, or whoever uses the target, checks what the texts say.
 * @throws StartError when an option or the file is missing, or the file is of no provider. It never repeats a value of the file
 */
export async function readTarget(options: BucketOptions & { readonly bucket: string }): Promise<NamedObject> {
  const { bucket, path, serviceAccount, storage } = options;
  const file = storage ?? serviceAccount;
  if (path === undefined || file === undefined) throw new StartError('--bucket needs --path and --storage');
  if (storage !== undefined && serviceAccount !== undefined) {
    throw new StartError('--storage and --service-account are the same: give one of them');
  }
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`${file} cannot be read: ${error.message}`);
  });
  const given = parse(text, file);
  if (storage === undefined || given['type'] === 'service_account') {
    const target: GivenGcsTarget = { bucket, path, serviceaccountJson: Buffer.from(text).toString('base64') };
    return { provider: 'gcs', target, place: { bucket, path } };
  }
  const provider = providerOf(given);
  if (provider === undefined) throw new StartError(`${file} is no file of --storage. Expected: ${expected}`);
  requireMembers(given, { provider, file });
  const place = Object.fromEntries(
    members[provider].shown.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
  if (provider === 's3') {
    const target = { ...given, bucket, path } as unknown as GivenS3Target;
    return { provider, target, place: { bucket, path, ...place } };
  }
  const target = { ...given, container: bucket, path } as unknown as GivenAzureTarget;
  return { provider, target, place: { container: bucket, path, ...place } };
}

/** @throws StartError when a member is missing, unknown, or of another type */
function requireMembers(given: JsonObject, of: { provider: keyof typeof members; file: string }): void {
  const { provider, file } = of;
  const all: readonly string[] = members[provider].all;
  const unknown = Object.keys(given).find((name) => !all.includes(name));
  if (unknown !== undefined) {
    const name = plainWord(unknown.slice(0, 100));
    throw new StartError(`${file} has the member ${name}. Its members are ${all.join(', ')}`);
  }
  const missing = members[provider].required.find((name) => given[name] === undefined);
  if (missing !== undefined) throw new StartError(`${file} has no member ${missing}`);
  const wrong = Object.entries(given).find(
    ([name, value]) => typeof value !== (name === 'pathStyle' ? 'boolean' : 'string'),
  );
  if (wrong === undefined) return;
  const [name] = wrong;
  throw new StartError(`${file}: ${name} is ${name === 'pathStyle' ? 'neither true nor false' : 'no text'}`);
}

const expected =
  'the key file of a service account of Google, an object with access_key_id and secret_access_key for Amazon S3, or one with ' +
  'account_key, sas_token or connection_string for Azure Blob Storage';

function providerOf(given: JsonObject): keyof typeof members | undefined {
  if ('accessKeyId' in given || 'secretAccessKey' in given) return 's3';
  return ['accountKey', 'sasToken', 'connectionString'].some((name) => name in given) ? 'azure' : undefined;
}

/** Returns the object of a file, with keys in lowerCamelCase. Null stands for an absent member. */
function parse(text: string, file: string): JsonObject {
  if (text.length > mostCharacters)
    throw new StartError(`${file} is longer than ${mostCharacters} characters`);
  let value: unknown;
  try {
    value = withCamelCaseKeys(JSON.parse(text));
  } catch {
    // Without the message of JSON.parse, which quotes the text.
  }
  if (isJsonObject(value)) return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
  throw new StartError(`${file} is not a JSON object`);
}
