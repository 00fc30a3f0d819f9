import { isJsonObject } from '#src/platform/json/json-object.js';
import { failedOutcome } from '../section/record-failure.js';
import type { Comparison, Outcome, Reservation, SectionContext } from '../section/section.js';
import { differingDates, type ImportedDates, laterOf, statedDates } from './imported-dates.js';
import { differingNames, otherContent } from './other-content.js';

/** A record that was read. */
export interface RecordItem<Content> {
  /** Its identifier in the report. */
  readonly id: string;
  /** Records with equal keys are about the same object. */
  readonly key: string;
  readonly content: Content;
  /** The dates that the record states, if its list has dates. */
  readonly dates?: ImportedDates;
}

/** What decides whether new items can be added. */
interface Surroundings<Item extends RecordItem<unknown>> {
  /** The content of stored objects, by key, in the form of records. */
  readonly stored: Map<string, Item['content']>;
  /** The dates of stored objects, by key, if the list has dates. */
  readonly storedDates?: ReadonlyMap<string, ImportedDates> | undefined;
  /** Admits a new item. Later items are then checked against it too. @throws RecordFailure when it cannot be added */
  admit?(item: Item): void;
  /**
   * Returns the content of a stored object after it has taken over that of an item. Absent for lists whose objects no import updates.
   * @throws RecordFailure when it cannot take it over
   */
  merge?(item: Item, stored: Item['content']): Item['content'];
}

interface RecordRules<Item extends RecordItem<unknown>> {
  /** Names a record in the report. The record may be any JSON value. */
  nameOf(record: unknown): string;
  /** @throws RecordFailure, and AppError of the directory's rules */
  read(record: unknown): Item;
  /** Looks up what all of the items need, at once. `findReserved` is that of the context. */
  survey(items: readonly Item[], findReserved: SectionContext['findReserved']): Promise<Surroundings<Item>>;
  /** The names that a created or updated item reserves in its list. The plan of a later part reads this item with its own items. */
  ownReservations?(item: Item): readonly string[];
  /** The other names that a created item reserves, for other lists and other organizations. */
  sharedReservations?(item: Item): readonly string[];
  /**
   * Of a stored object that does not differ, what the record states. By default the properties that the record has.
   */
  stated?(stored: Item['content'], given: Item['content']): unknown;
  /** Names the attributes in which a record differs from a stored object. By default it names each property that differs. */
  differences?(stored: Item['content'], given: Item['content']): readonly string[];
}

/** A stored object takes over the content. */
interface ItemUpdate<Item extends RecordItem<unknown>> {
  readonly item: Item;
  /** The content afterwards. */
  readonly content: Item['content'];
}

/**
 * Decides which records of one part are created, updated, skipped and failed. Of several records with one key the first one
 * counts. Later ones are skipped if they have the same content.
 */
export async function planRecords<Item extends RecordItem<unknown>>(
  records: readonly unknown[],
  context: Pick<SectionContext, 'findReserved' | 'findReservingRecords' | 'update' | 'compared' | 'now'>,
  rules: RecordRules<Item>,
): Promise<{
  outcomes: Outcome[];
  created: Item[];
  updated: ItemUpdate<Item>[];
  reservations: Reservation[];
}> {
  const read = records.map((record) => attempt(rules.nameOf(record), () => rules.read(record)));
  const items = read.flatMap((result) => ('value' in result ? [result.value] : []));
  const { differences = differingNames, stated = statedOf } = rules;
  const { ownReservations = () => [], sharedReservations = () => [] } = rules;
  const namesOf = (item: Item) => [...ownReservations(item), ...sharedReservations(item)];
  const earlier = (await context.findReservingRecords(items.flatMap(ownReservations))).map((record) =>
    rules.read(record),
  );
  const theirs = new Set(earlier.flatMap(namesOf));
  const { stored, storedDates, admit, merge } = await rules.survey([...earlier, ...items], async (names) =>
    context.findReserved(names.filter((name) => !theirs.has(name))),
  );

  const { compared, now } = context;
  const added = new Set<string>();
  const decided = new Set<string>();
  const decide = (item: Item): 'created' | 'updated' | 'skipped' => {
    const found = stored.get(item.key);
    if (compared !== undefined && added.has(item.key)) return 'created';
    if (found === undefined) {
      admit?.(item);
      stored.set(item.key, item.content);
      added.add(item.key);
      return 'created';
    }
    const dates = compared && differingDates(storedDates?.get(item.key), item.dates, now);
    const names = [...differences(found, item.content), ...(dates ?? [])];
    if (names.length === 0) return 'skipped';
    if (!context.update) throw otherContent(names);
    if (merge === undefined) throw otherContent(names, 'an update changes no such object');
    const content = merge(item, found);
    if (differences(found, content).length === 0) return 'skipped';
    if (decided.has(item.key)) throw otherContent(names);
    stored.set(item.key, content);
    return 'updated';
  };
  const decideOnce = (item: Item) => {
    const kind = decide(item);
    decided.add(item.key);
    return kind;
  };

  // Records of earlier parts count as stored. A dry run did not store them.
  for (const item of earlier) attempt(item.id, () => decideOnce(item));
  const created: Item[] = [];
  const updated: ItemUpdate<Item>[] = [];
  const reservations: Reservation[] = [];
  const outcomes = read.map((result, record): Outcome => {
    if (!('value' in result)) return result.outcome;
    const { value: item } = result;
    if (compared !== undefined) {
      const found = added.has(item.key) ? undefined : stored.get(item.key);
      const isSame = found !== undefined && differences(found, item.content).length === 0;
      const content = isSame ? stated(found, item.content) : found;
      compared(record, comparisonOf(item, { content, dates: storedDates?.get(item.key), now }));
    }
    const decision = attempt(item.id, () => decideOnce(item));
    if (!('value' in decision)) return decision.outcome;
    const { value: kind } = decision;
    if (kind === 'created') created.push(item);
    if (kind === 'updated') updated.push({ item, content: stored.get(item.key) });
    if (kind !== 'skipped') reservations.push({ record, names: namesOf(item) });
    return { kind, id: item.id };
  });
  return { outcomes, created, updated, reservations };
}

/** What a record and the stored object of its key contain. @param stored its content is undefined if there is none */
function comparisonOf(
  { key, content, dates }: RecordItem<unknown>,
  stored: { readonly content: unknown; readonly dates: ImportedDates | undefined; readonly now: Date },
): Comparison {
  const stated = dates && statedDates(dates, stored.now);
  const given = { content, ...stated };
  if (stored.content === undefined) return { key, given };
  return {
    key,
    given,
    stored: {
      content: stored.content,
      ...(stated?.created && { created: stored.dates?.created }),
      ...(stated?.lastModified && {
        lastModified: stored.dates && laterOf(stored.dates.lastModified, stated.lastModified),
      }),
    },
  };
}

/** The properties of a stored object that its record has too. Secrets that a file does not have are so left out. */
function statedOf(stored: unknown, given: unknown): unknown {
  if (!isJsonObject(stored) || !isJsonObject(given)) return stored;
  return Object.fromEntries(Object.keys(given).map((name) => [name, stored[name]]));
}

function attempt<T>(id: string, work: () => T): { value: T } | { outcome: Outcome } {
  try {
    return { value: work() };
  } catch (error) {
    return { outcome: failedOutcome(error, id) };
  }
}
