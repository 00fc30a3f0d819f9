import { AppError } from '#src/platform/errors.js';
import { parseDuration } from '../../duration.js';
import { importErrors } from '../sections/import-codes.js';
import type { ImportForm } from '../sections/section.js';
import {
  checkObject,
  type ImportObject,
  namesObject,
  type ObjectSources,
  toImportObject,
} from './import-object.js';
import type { StagedImport } from './stage-import.js';

/** What the body of an import says beside its data. */
export interface ImportEnvelope {
  readonly timeoutMs: number;
  readonly dryRun: boolean;
  readonly strict: boolean;
  readonly update: boolean;
  readonly form: ImportForm;
  /** Where the data lies, if not in the body. */
  readonly object?: ImportObject;
}

/**
 * Reads the properties of a staged body.
 * @throws AppError `import.bodyMalformed`, `import.timeoutInvalid`, `import.dataMissing`, and those of {@link checkObject}
 */
export function readEnvelope(
  sources: ObjectSources,
  { properties, dataKeys, form }: Pick<StagedImport, 'properties' | 'dataKeys' | 'form'>,
): ImportEnvelope {
  const { timeout, dryRun, strict, update, ...others } = Object.fromEntries(
    // Exporters write null for absent values.
    [...properties].filter(([, value]) => value !== null),
  );
  for (const key of Object.keys(others)) {
    if (namesObject(key)) continue;
    throw new AppError(importErrors.bodyMalformed, { detail: `There is no property ${JSON.stringify(key)}` });
  }
  const timeoutMs = typeof timeout === 'string' ? parseDuration(timeout) : undefined;
  if (timeoutMs === undefined) throw new AppError(importErrors.timeoutInvalid);
  for (const [key, value] of Object.entries({ dryRun, strict, update })) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new AppError(importErrors.bodyMalformed, { detail: `${key} is not true or false` });
  }
  const given = [...dataKeys, ...Object.keys(others)];
  if (given.length !== 1) throw new AppError(importErrors.dataMissing);
  const options = { dryRun: dryRun === true, strict: strict === true, update: update === true };
  const envelope = { timeoutMs, ...options };
  if (form !== undefined) return { ...envelope, form };
  const [key = ''] = given;
  const named = toImportObject(key, others[key]);
  if (typeof named === 'string')
    throw new AppError(importErrors.bodyMalformed, { detail: `${key} is not ${named}` });
  checkObject(sources, named.object);
  return { ...envelope, ...named };
}
