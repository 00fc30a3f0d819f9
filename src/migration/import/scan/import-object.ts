import { type BlobStore, readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HttpsObjects } from '#src/platform/outgoing/https-objects.js';
import type { ImportForm } from '../sections/section.js';

type BucketObject = Parameters<typeof readBlobTarget>[0];

/** An object that an import reads, as the client names it. It holds secrets, and is stored sealed, as the body of the job. */
export type ImportObject = BucketObject | { readonly url: string };

/** Where objects are read. */
export interface ObjectSources {
  readonly blobs: Pick<BlobStore, 'open'>;
  readonly httpsObjects: HttpsObjects;
}

interface ObjectProperty {
  readonly form: ImportForm;
  /** What its value is, for people. */
  readonly shape: string;
  read(given: Readonly<Record<string, unknown>>): ImportObject | undefined;
}

const bucket = { shape: '{ path, bucket, serviceaccount_json }', read: toBucketObject } as const;
const https = { shape: '{ url }', read: toHttpsObject } as const;

/** The properties of a body that name an object. */
const properties: ReadonlyMap<string, ObjectProperty> = new Map<string, ObjectProperty>([
  ['dataOrgsGcs', { form: 'external', ...bucket }],
  ['dataOrgsv1Gcs', { form: 'instance', ...bucket }],
  ['dataOrgsHttps', { form: 'external', ...https }],
  ['dataOrgsv1Https', { form: 'instance', ...https }],
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
  const given = withCamelCaseKeys(value);
  const object = isJsonObject(given) ? property.read(given) : undefined;
  return object === undefined ? property.shape : { object, form: property.form };
}

/**
 * Checks an object without reading it.
 * @throws AppError `bucket.targetInvalid`, `bucket.serviceAccountInvalid`, `source.addressInvalid`, `source.hostNotAllowed`
 */
export function checkObject(
  { httpsObjects }: Pick<ObjectSources, 'httpsObjects'>,
  object: ImportObject,
): void {
  if ('url' in object) httpsObjects.check(object.url);
  else readBlobTarget(object);
}

/** The body of a job that reads an object. */
export function writeImportObject(object: ImportObject): Buffer {
  return Buffer.from(JSON.stringify(object));
}

/**
 * Opens the object that {@link writeImportObject} wrote.
 * @throws AppError of {@link checkObject}, and while it is read those of the source
 */
export function openObject({ blobs, httpsObjects }: ObjectSources, body: Buffer): AsyncIterable<Uint8Array> {
  const object = JSON.parse(body.toString()) as ImportObject;
  return 'url' in object ? httpsObjects.open(object.url) : blobs.open(readBlobTarget(object));
}

function toBucketObject(given: Readonly<Record<string, unknown>>): BucketObject | undefined {
  const { bucket, path, serviceaccountJson, ...more } = given;
  const isWhole =
    typeof bucket === 'string' && typeof path === 'string' && typeof serviceaccountJson === 'string';
  return isWhole && Object.keys(more).length === 0 ? { bucket, path, serviceaccountJson } : undefined;
}

function toHttpsObject({ url, ...more }: Readonly<Record<string, unknown>>): { url: string } | undefined {
  return typeof url === 'string' && Object.keys(more).length === 0 ? { url } : undefined;
}
