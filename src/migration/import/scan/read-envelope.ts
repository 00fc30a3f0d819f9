import { readBlobTarget } from '#src/platform/blobs/blob-store.js';
import { AppError } from '#src/platform/errors.js';
import { parseDuration } from '../../duration.js';
import { importErrors } from '../sections/import-codes.js';
import type { ImportForm } from '../sections/section.js';
import { type BucketObject, toBucketObject } from './bucket-object.js';
import type { StagedImport } from './stage-import.js';

/** What the body of an import says beside its data. */
export interface ImportEnvelope {
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly form: ImportForm;
  /** Where the data lies, if not in the body. */
  readonly object?: BucketObject;
}

const objectForms: ReadonlyMap<string, ImportForm> = new Map([
  ['dataOrgsGcs', 'external'],
  ['dataOrgsv1Gcs', 'instance'],
]);

/**
 * Reads the properties of a staged body.
 * @throws AppError `import.bodyMalformed`, `import.timeoutInvalid`, `import.dataMissing`, `bucket.targetInvalid`,
 * `bucket.serviceAccountInvalid`
 */
export function readEnvelope({
  properties,
  dataKeys,
  form,
}: Pick<StagedImport, 'properties' | 'dataKeys' | 'form'>): ImportEnvelope {
  const { timeout, dryRun, strict, ...others } = Object.fromEntries(
    // Exporters write null for absent values.
    [...properties].filter(([, value]) => value !== null),
  );
  for (const key of Object.keys(others)) {
    if (objectForms.has(key)) continue;
    throw new AppError(importErrors.bodyMalformed, { detail: `There is no property ${JSON.stringify(key)}` });
  }
  const timeoutMs = typeof timeout === 'string' ? parseDuration(timeout) : undefined;
  if (timeoutMs === undefined) throw new AppError(importErrors.timeoutInvalid);
  for (const [key, value] of Object.entries({ dryRun, strict })) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new AppError(importErrors.bodyMalformed, { detail: `${key} is not true or false` });
  }
  const given = [...dataKeys, ...Object.keys(others)];
  if (given.length !== 1) throw new AppError(importErrors.dataMissing);
  const envelope = { timeoutMs, dryRun: dryRun === true, strict: strict === true };
  if (form !== undefined) return { ...envelope, form };
  const [key = ''] = given;
  const object = toBucketObject(others[key]);
  const objectForm = objectForms.get(key);
  if (object === undefined || objectForm === undefined) {
    const detail = `${key} is not { path, bucket, serviceaccount_json }`;
    throw new AppError(importErrors.bodyMalformed, { detail });
  }
  readBlobTarget(object);
  return { ...envelope, form: objectForm, object };
}
