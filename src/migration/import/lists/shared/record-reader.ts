import type { Static, TSchema } from 'typebox';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { createShapeCheck } from '../../../format/check-shape.js';
import { RecordFailure } from '../section/record-failure.js';
import { withoutUnassigned } from './without-unassigned.js';

/**
 * Makes a reader of the records of one section. It takes empty values for absent ones.
 * @returns throws RecordFailure `RECORD-INVALID` for a record of another shape
 */
export function createRecordReader<T extends TSchema>(schema: T): (record: unknown) => Static<T> {
  const check = createShapeCheck(schema);
  return (record) => {
    const checked = check(withoutUnassigned(record));
    if ('fault' in checked) throw new RecordFailure('RECORD-INVALID', checked.fault);
    return checked.record;
  };
}

/** Makes a function that names a record for the report, by those of the properties that are strings. */
export function nameBy(...properties: string[]): (record: unknown) => string {
  return (record) =>
    properties
      .map((property) =>
        isJsonObject(record) && Object.hasOwn(record, property) ? record[property] : undefined,
      )
      .filter((value) => typeof value === 'string')
      .map((value) => value.slice(0, 200))
      .join('/');
}
