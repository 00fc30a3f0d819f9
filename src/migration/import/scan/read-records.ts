import type { StagingStore } from '#src/jobs/staging.store.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { measureJson } from '#src/platform/json/measure-json.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { RecordFailure } from '../sections/record-failure.js';
import type { ImportPart } from '../stores/import-parts.store.js';
import { findJsonFault } from './find-json-fault.js';

/** A record of a part, or why it cannot be parsed. `id` is a guess at its identifier, for the report. */
export type ParsedRecord =
  | { readonly value: unknown }
  | { readonly failure: RecordFailure; readonly id: string };

const underscore = 0x5f;
/** The most members, objects and arrays of a record. Each takes some microseconds, in which the worker does nothing else. */
const maxParts = 20_000;
/** The bytes at the beginning of a record that may have its identifier. */
const beginning = 4_096;

/** Reads the records of a part from the staged text. A record that cannot be parsed does not affect the others. */
export async function readRecords(staging: StagingStore, part: ImportPart): Promise<ParsedRecord[]> {
  const { ranges, stagingId } = part;
  const start = ranges[0]?.start ?? 0;
  const end = ranges.at(-1)?.end ?? 0;
  if (ranges.length === 1 && end - start > maxRecordBytes) {
    const text = await staging.read(stagingId, { start, end: start + beginning });
    return [{ failure: new RecordFailure('RECORD-TOO-LARGE'), id: guessId(text) }];
  }
  const text = await staging.read(stagingId, { start, end });
  return ranges.map((range) => parseRecord(text.subarray(range.start - start, range.end - start)));
}

/** Parses one record. Its keys become lowerCamelCase. */
export function parseRecord(text: Buffer): ParsedRecord {
  const failed = (code: ConstructorParameters<typeof RecordFailure>[0], detail?: string): ParsedRecord => ({
    failure: new RecordFailure(code, detail),
    id: guessId(text),
  });
  const json = text.toString();
  if (measureJson(json).parts > maxParts) return failed('RECORD-TOO-LARGE');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return failed('RECORD-MALFORMED');
  }
  const fault = findJsonFault(text, value);
  if (fault !== undefined) return failed(fault);
  if (!text.includes(underscore)) return { value };
  const camel = withCamelCaseKeys(value);
  return camel === undefined
    ? failed('RECORD-DUPLICATE-KEY', 'A key is given in two spellings')
    : { value: camel };
}

/** The first value that looks like the identifier of the record. */
function guessId(text: Buffer): string {
  const start = text.toString('utf8', 0, beginning);
  return /"(?:[a-z]+Id|[a-z]+_id)"\s*:\s*"([^"\\]{1,200})"/.exec(start)?.[1] ?? '';
}
