import { type BlobStore, type GivenBlobTarget, readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { AppError } from '#src/platform/errors.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HttpsObjects } from '#src/platform/outgoing/https-objects.js';
import { importErrors } from '../lists/section/import-codes.js';
import type { ImportForm } from '../lists/section/section.js';

/** An object that an import reads, as the client names it. It holds secrets, and is stored sealed, as the body of the job. */
export type ImportObject = GivenBlobTarget | { readonly url: string };

/** Where objects are read. */
export interface ObjectSources {
  readonly blobs: Pick<BlobStore, 'check' | 'open' | 'requirePublic'>;
  readonly httpsObjects: HttpsObjects;
}

/** The members of a value that names an object. */
interface ObjectShape {
  readonly texts: readonly string[];
  readonly optional?: readonly string[];
  readonly flags?: readonly string[];
}

const gcs: ObjectShape = { texts: ['path', 'bucket', 'serviceaccountJson'] };
const s3: ObjectShape = {
  texts: ['path', 'bucket', 'accessKeyId', 'secretAccessKey'],
  optional: ['sessionToken', 'region', 'endpoint'],
  flags: ['pathStyle'],
};
const azure: ObjectShape = {
  texts: ['path', 'container'],
  optional: ['account', 'endpoint', 'accountKey', 'sasToken', 'connectionString'],
};
const https: ObjectShape = { texts: ['url'] };

/** The properties of a body that name an object. */
const properties: ReadonlyMap<string, { readonly form: ImportForm; readonly shape: ObjectShape }> = new Map([
  ['dataOrgsGcs', { form: 'external', shape: gcs }],
  ['dataOrgsv1Gcs', { form: 'instance', shape: gcs }],
  ['dataOrgsS3', { form: 'external', shape: s3 }],
  ['dataOrgsv1S3', { form: 'instance', shape: s3 }],
  ['dataOrgsAzure', { form: 'external', shape: azure }],
  ['dataOrgsv1Azure', { form: 'instance', shape: azure }],
  ['dataOrgsHttps', { form: 'external', shape: https }],
  ['dataOrgsv1Https', { form: 'instance', shape: https }],
]);

/** Whether a property of a body names an object. */
export function namesObject(key: string): boolean {
  return properties.has(key);
}

/**
 * Reads a property that names an object. A value of another shape is a text that says what the shape is.
 * @param key for which {@link namesObject}
 */
export function toImportObject(
  key: string,
  value: unknown,
): { object: ImportObject; form: ImportForm } | string {
  const property = properties.get(key);
  if (property === undefined) throw new Error(`${key} names no object`);
  const { shape, form } = property;
  const given = withCamelCaseKeys(value);
  const object = isJsonObject(given) ? readShape(given, shape) : undefined;
  return object === undefined ? describeShape(shape) : { object, form };
}

/**
 * Checks an object without reading it.
 * @throws AppError of {@link readBlobTarget}, {@link BlobStore.check} and {@link HttpsObjects.check}
 */
export function checkObject({ blobs, httpsObjects }: ObjectSources, object: ImportObject): void {
  if ('url' in object) httpsObjects.check(object.url);
  else blobs.check(readBlobTarget(object));
}

/**
 * Requires an object that anybody could read with the same credentials: {@link BlobStore.requirePublic}. No owner of an organization reads
 * an https address, because the operator allows their hosts for its own use.
 * @throws AppError `import.addressForOwners`, `bucket.operatorsOwn`, and those of {@link readBlobTarget}
 */
export function requirePublicObject({ blobs }: ObjectSources, object: ImportObject): void {
  if ('url' in object) throw new AppError(importErrors.addressForOwners);
  blobs.requirePublic(readBlobTarget(object));
}

/** The body of a job that reads an object. */
export function writeImportObject(object: ImportObject): Buffer {
  return Buffer.from(JSON.stringify(object));
}

/**
 * Opens the object that {@link writeImportObject} wrote.
 * @param signal ends the download
 * @throws AppError of {@link checkObject}, and while it is read those of the source
 */
export function openObject(
  { blobs, httpsObjects }: ObjectSources,
  body: Buffer,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const object = JSON.parse(body.toString()) as ImportObject;
  return 'url' in object ? httpsObjects.open(object.url, signal) : blobs.open(readBlobTarget(object), signal);
}

/** Undefined unless the value has the shape. Null stands for an absent member. */
function readShape(
  value: Readonly<Record<string, unknown>>,
  { texts, optional = [], flags = [] }: ObjectShape,
): ImportObject | undefined {
  const given = Object.entries(value).filter(([, member]) => member !== null);
  const isKnown = given.every(([name, member]) =>
    flags.includes(name)
      ? typeof member === 'boolean'
      : typeof member === 'string' && (texts.includes(name) || optional.includes(name)),
  );
  const names = new Set(given.map(([name]) => name));
  const isWhole = isKnown && texts.every((name) => names.has(name));
  return isWhole ? (Object.fromEntries(given) as unknown as ImportObject) : undefined;
}

/** Such as `{ path, bucket, serviceaccount_json }`. */
function describeShape({ texts, optional = [], flags = [] }: ObjectShape): string {
  const names = [...texts, ...[...optional, ...flags].map((name) => `${name}?`)];
  const spelled = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  return `{ ${spelled.join(', ')} }`;
}
