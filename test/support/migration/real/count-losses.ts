import type { Test } from 'tap';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import type { Expected, Json } from './sample.js';

/**
 * A count of what a conversion loses. It walks the records of the source by itself, and shares no code with the conversions. Everything that a
 * record says is lost unless the sample says that it arrives.
 */

/** A value that says something, with its place. */
export type Leaf = readonly [path: string, value: unknown];

/** The values of a document that say something, with their places. */
export function leavesOf(value: unknown, path = ''): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, `${path}[]`));
  if (typeof value === 'object' && value !== null) {
    const start = path === '' ? '' : `${path}.`;
    return Object.entries(value).flatMap(([name, one]) => leavesOf(one, `${start}${name}`));
  }
  return value === null || value === '' ? [] : [[path, value]];
}

/** The name of a record. */
export function nameOf(record: Json, { nameBy }: Pick<Expected, 'nameBy'>): string {
  return String(leavesOf(record).find(([path]) => path === nameBy)?.[1]);
}

/** What became of the records of a file. */
export interface Converted {
  readonly records: readonly Json[];
  /** How many records lose each path that does not stand in the records. */
  readonly beside: Readonly<Record<string, number>>;
  /** The path under which a value of a record is lost. */
  readonly lostAs?: ((path: string) => string) | undefined;
  /** The body of the import. */
  readonly body: unknown;
  readonly report: Pick<ConversionReport, 'losses'>;
}

/** Asserts that the report names every loss with its count and no other, and that what is no loss is in the body. */
export function checkLosses(t: Test, converted: Converted, expected: Expected): void {
  const { records, beside, lostAs = (path) => path, body, report } = converted;
  const { same, other, refused = {} } = expected;
  const coming = records.filter((record) => refused[nameOf(record, expected)] === undefined);
  const own = new Map(Object.entries(beside));
  for (const record of coming) {
    const lost = leavesOf(record).filter(([path]) => !same.includes(path) && !other.includes(path));
    for (const path of new Set(lost.map(([path]) => lostAs(path)))) own.set(path, (own.get(path) ?? 0) + 1);
  }
  const told = (report.losses ?? []).map(({ path, records }) => [path, records]);
  t.same(Object.fromEntries(told), Object.fromEntries(own), 'the report is the own count');
  // The names of attributes are no values of people.
  const { statedAttributes: _, ...arriving } = body as { statedAttributes?: unknown };
  const arrived = new Set(leavesOf(arriving).map(([, value]) => String(value)));
  const missing = coming
    .flatMap((record) => leavesOf(record))
    .filter(([path, value]) => same.includes(path) && !arrived.has(String(value)));
  t.same(missing, [], 'what is not lost is in the body');
}
