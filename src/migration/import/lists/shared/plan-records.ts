import { failedOutcome } from '../section/record-failure.js';
import type { Outcome, Reservation, SectionContext } from '../section/section.js';
import {
  type ContentRules,
  RecordDecisions,
  type RecordItem,
  type Surroundings,
} from './record-decisions.js';

interface RecordRules<Item extends RecordItem<unknown>, Survey extends Surroundings<Item>>
  extends ContentRules<Item> {
  /** Names a record in the report. The record may be any JSON value. */
  nameOf(record: unknown): string;
  /** @throws RecordFailure, and AppError of the directory's rules */
  read(record: unknown): Item;
  /** Looks up what all of the items need, at once. `findReserved` is that of the context. */
  survey(items: readonly Item[], findReserved: SectionContext['findReserved']): Promise<Survey>;
  /** The names that a created or updated item reserves in its list. The plan of a later part reads this item with its own items. */
  ownReservations?(item: Item): readonly string[];
  /** The other names that a created item reserves, for other lists and other organizations. */
  sharedReservations?(item: Item): readonly string[];
}

/** A stored object takes over the content. */
interface ItemUpdate<Item extends RecordItem<unknown>> {
  readonly item: Item;
  /** The content afterwards. */
  readonly content: Item['content'];
}

/** What becomes of the records of one part. */
export interface PlannedRecords<Item extends RecordItem<unknown>, Survey = Surroundings<Item>> {
  readonly outcomes: Outcome[];
  readonly created: Item[];
  readonly updated: ItemUpdate<Item>[];
  readonly reservations: Reservation[];
  /** What the survey of the list has looked up. */
  readonly survey: Survey;
}

/**
 * Decides which records of one part are created, updated, skipped and failed. Of several records with one key the first one
 * counts. Later ones are skipped if they have the same content.
 */
export async function planRecords<
  Item extends RecordItem<unknown>,
  Survey extends Surroundings<Item> = Surroundings<Item>,
>(
  records: readonly unknown[],
  context: Pick<SectionContext, 'findReserved' | 'findReservingRecords' | 'update' | 'compared' | 'now'>,
  rules: RecordRules<Item, Survey>,
): Promise<PlannedRecords<Item, Survey>> {
  const read = records.map((record) => attempt(rules.nameOf(record), () => rules.read(record)));
  const items = read.flatMap((result) => ('value' in result ? [result.value] : []));
  const { ownReservations = () => [], sharedReservations = () => [] } = rules;
  const namesOf = (item: Item) => [...ownReservations(item), ...sharedReservations(item)];
  const earlier = (await context.findReservingRecords(items.flatMap(ownReservations))).map((record) =>
    rules.read(record),
  );
  const theirs = new Set(earlier.flatMap(namesOf));
  const survey = await rules.survey([...earlier, ...items], async (names) =>
    context.findReserved(names.filter((name) => !theirs.has(name))),
  );

  const decisions = new RecordDecisions(rules, survey, context);
  const decide = (item: Item, record: number) =>
    context.compared === undefined ? decisions.import(item) : decisions.compare(item, record);
  // Records of earlier parts count as stored. A dry run did not store them.
  for (const item of earlier) attempt(item.id, () => decisions.import(item));
  const created: Item[] = [];
  const updated: ItemUpdate<Item>[] = [];
  const reservations: Reservation[] = [];
  const outcomes = read.map((result, record): Outcome => {
    if (!('value' in result)) return result.outcome;
    const { value: item } = result;
    const decision = attempt(item.id, () => decide(item, record));
    if (!('value' in decision)) return decision.outcome;
    const { value: kind } = decision;
    if (kind === 'created') created.push(item);
    if (kind === 'updated') updated.push({ item, content: decisions.contentOf(item) });
    if (kind !== 'skipped') reservations.push({ record, names: namesOf(item) });
    return { kind, id: item.id };
  });
  return { outcomes, created, updated, reservations, survey };
}

function attempt<T>(id: string, work: () => T): { value: T } | { outcome: Outcome } {
  try {
    return { value: work() };
  } catch (error) {
    return { outcome: failedOutcome(error, id) };
  }
}
