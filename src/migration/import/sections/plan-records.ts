import { isDeepStrictEqual } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { createShapeCheck } from '../../format/check-shape.js';
import { failedOutcome, RecordFailure } from './record-failure.js';
import type { Outcome, Reservation, SectionContext } from './section.js';
import { withoutUnassigned } from './without-unassigned.js';

/** A record that was read: what it is called in the report, what makes it one of its kind, and what it says. */
export interface RecordItem<Content> {
  readonly id: string;
  readonly key: string;
  readonly content: Content;
}

/** What is there already, and what else a new one must be measured by. */
export interface Surroundings<Item extends RecordItem<unknown>> {
  /** What is there, by key, as a record would say it. */
  readonly known: Map<string, Item['content']>;
  /** @throws RecordFailure when the item cannot be added beside what is there */
  admit?(item: Item): void;
}

export interface RecordRules<Item extends RecordItem<unknown>> {
  /** Of a record that may be anything; for the report. */
  nameOf(record: unknown): string;
  /** @throws RecordFailure, and AppError of the directory's rules */
  read(record: unknown): Item;
  /** Looks up at once what all of the items need. `findReserved` is that of the context. */
  survey(items: readonly Item[], findReserved: SectionContext['findReserved']): Promise<Surroundings<Item>>;
  /** Names that a created item takes in its list: a later one that takes any of them must know it. */
  ownReservations?(item: Item): readonly string[];
  /** Names that it takes beside these, for other lists and organizations. */
  sharedReservations?(item: Item): readonly string[];
  /** Whether what is there is what a record says; where it is more than equality. */
  isSame?(there: Item['content'], said: Item['content']): boolean;
}

/**
 * Sorts the records of one part into what is created, what is there already and what cannot be: the first of several
 * records with one key counts, later ones are skipped when they say the same.
 */
export async function planRecords<Item extends RecordItem<unknown>>(
  records: readonly unknown[],
  context: Pick<SectionContext, 'findReserved' | 'findReservingRecords'>,
  rules: RecordRules<Item>,
): Promise<{ outcomes: Outcome[]; created: Item[]; reservations: Reservation[] }> {
  const read = records.map((record) => attempt(rules.nameOf(record), () => rules.read(record)));
  const items = read.flatMap((result) => ('value' in result ? [result.value] : []));
  const { isSame = isDeepStrictEqual, ownReservations = () => [], sharedReservations = () => [] } = rules;
  const namesOf = (item: Item) => [...ownReservations(item), ...sharedReservations(item)];
  const earlier = (await context.findReservingRecords(items.flatMap(ownReservations))).map((record) =>
    rules.read(record),
  );
  const theirs = new Set(earlier.flatMap(namesOf));
  const { known, admit } = await rules.survey([...earlier, ...items], async (names) =>
    context.findReserved(names.filter((name) => !theirs.has(name))),
  );
  const created: Item[] = [];

  const decide = (item: Item): 'created' | 'skipped' => {
    const there = known.get(item.key);
    if (there !== undefined) {
      if (isSame(there, item.content)) return 'skipped';
      throw new RecordFailure('OTHER-CONTENT');
    }
    admit?.(item);
    known.set(item.key, item.content);
    created.push(item);
    return 'created';
  };

  // What a dry run did not write is there all the same.
  for (const item of earlier) attempt(item.id, () => decide(item));
  created.length = 0;
  const reservations: Reservation[] = [];
  const outcomes = read.map((result, record): Outcome => {
    if (!('value' in result)) return result.outcome;
    const { value: item } = result;
    const decided = attempt(item.id, () => decide(item));
    if ('value' in decided && decided.value === 'created')
      reservations.push({ record, names: namesOf(item) });
    return 'value' in decided ? { kind: decided.value, id: item.id } : decided.outcome;
  });
  return { outcomes, created, reservations };
}

function attempt<T>(id: string, work: () => T): { value: T } | { outcome: Outcome } {
  try {
    return { value: work() };
  } catch (error) {
    return { outcome: failedOutcome(error, id) };
  }
}

/** Reads records of a shape; what is empty is taken for absent. @returns throws RecordFailure `RECORD-INVALID` */
export function createRecordReader<T extends TSchema>(schema: T): (record: unknown) => Static<T> {
  const read = createShapeCheck(schema);
  return (record) => {
    const checked = read(withoutUnassigned(record));
    if ('problem' in checked) throw new RecordFailure('RECORD-INVALID', checked.problem);
    return checked.record;
  };
}

/** Names a record that may be anything by these properties, as far as they are text. */
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
