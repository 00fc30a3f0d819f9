import { isUtf8 } from 'node:buffer';
import type { StagingStore } from '#src/jobs/staging.store.js';
import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { measureJson } from '#src/platform/json/measure-json.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { RecordFailure } from '../lists/section/record-failure.js';
import { findJsonFault } from '../receive/scan/find-json-fault.js';
import type { ImportPart, RecordPlace } from '../stores/import-parts.store.js';
import { guessIdentifiers, type Identifiers } from './identifiers-of.js';

/** Where a record begins: its line, from 1, and its first byte, from 0. */
interface RecordedPlace {
  readonly line?: number;
  readonly position: number;
}

interface RecordOrigin {
  readonly place?: RecordedPlace;
  /** The identifiers of the record in the file, if the value does not have them: a guess if the record cannot be parsed. */
  readonly identifiers?: Identifiers;
  /** The identifiers of the file by those that stand in their place: see confined-identifiers.ts. */
  readonly names?: ReadonlyMap<string, string>;
  /** The paths of values beside the record that reach nothing. */
  readonly ignored?: readonly string[];
}

/** A record of a part, or why it cannot be parsed. `id` is a guess at its identifier, for the report. */
export type ParsedRecord =
  | (RecordOrigin & { readonly value: unknown })
  | (RecordOrigin & { readonly failure: RecordFailure; readonly id: string; readonly value?: unknown });

const underscore = 0x5f;
/** The most members, objects and arrays of a record. Each takes some microseconds, in which the worker does nothing else. */
const maxValues = 20_000;
/** The bytes at the beginning of a record that may have its identifier. */
const beginning = 4_096;

/** Parses the records of a part from `from` up to `to`. A record that cannot be parsed does not affect the others. */
type ParseRecords = (from: number, to: number) => ParsedRecord[];

/** Reads the records of a part from the staged text. */
export async function readRecords(staging: StagingStore, part: ImportPart): Promise<ParsedRecord[]> {
  const parse = await openRecords(staging, part);
  return parse(0, part.ranges.length);
}

/** Reads the staged text of a part, and lets its records be parsed some at a time. */
export async function openRecords(
  staging: Pick<StagingStore, 'read'>,
  { ranges, stagingId }: ImportPart,
): Promise<ParseRecords> {
  const start = ranges[0]?.start ?? 0;
  const end = ranges.at(-1)?.end ?? 0;
  if (ranges.length === 1 && end - start > maxRecordBytes) {
    const text = await staging.read(stagingId, { start, end: start + beginning });
    return () => [{ failure: new RecordFailure('RECORD-TOO-LARGE'), ...guess(text), ...placeOf(ranges[0]) }];
  }
  const text = await staging.read(stagingId, { start, end });
  return (from, to) =>
    ranges.slice(from, to).map((range) => {
      const parsed = parseRecord(text.subarray(range.start - start, range.end - start));
      return { ...placeOf(range), ...parsed };
    });
}

function placeOf(range: RecordPlace | undefined): { place?: RecordedPlace } {
  if (range === undefined) return {};
  const { start, line } = range;
  return { place: line === undefined ? { position: start } : { line, position: start } };
}

/** Parses one record. Its keys become lowerCamelCase. */
export function parseRecord(text: Buffer): ParsedRecord {
  const failed = (code: ConstructorParameters<typeof RecordFailure>[0], detail?: string): ParsedRecord => ({
    failure: new RecordFailure(code, detail),
    ...guess(text),
  });
  if (!isUtf8(text)) return failed('RECORD-NOT-UTF8');
  const json = text.toString();
  const measures = measureJson(json);
  if (measures.values > maxValues) return failed('RECORD-TOO-LARGE');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return failed('RECORD-MALFORMED');
  }
  const fault = findJsonFault(measures, value);
  if (fault !== undefined) return failed(fault);
  if (!text.includes(underscore)) return { value };
  const camel = withCamelCaseKeys(value);
  return camel === undefined
    ? failed('RECORD-DUPLICATE-KEY', 'A key is given in two spellings')
    : { value: camel };
}

/** What looks like the identifiers of the record. The first `...Id` names it. */
function guess(text: Buffer): { id: string; identifiers: Identifiers } {
  const identifiers = guessIdentifiers(text.toString('utf8', 0, beginning));
  const id = Object.entries(identifiers).find(([key]) => key.endsWith('Id'))?.[1] ?? '';
  return { id, identifiers };
}
