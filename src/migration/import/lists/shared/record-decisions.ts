import { isJsonObject } from '#src/platform/json/json-object.js';
import type { Comparison, SectionContext } from '../section/section.js';
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
export interface Surroundings<Item extends RecordItem<unknown>> {
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

/** How the items of a list are compared with stored objects. */
export interface ContentRules<Item extends RecordItem<unknown>> {
  /**
   * Of a stored object that does not differ, what the record states. By default the properties that the record has.
   */
  stated?(stored: Item['content'], given: Item['content']): unknown;
  /** Names the attributes in which a record differs from a stored object. By default it names each property that differs. */
  differences?(stored: Item['content'], given: Item['content']): readonly string[];
}

type DecisionContext = Pick<SectionContext, 'update' | 'compared' | 'now'>;

/** Decides about the items of one part, one after the other. A later item finds what earlier ones have added and changed. */
export class RecordDecisions<Item extends RecordItem<unknown>> {
  readonly #differences: NonNullable<ContentRules<Item>['differences']>;
  readonly #stated: NonNullable<ContentRules<Item>['stated']>;
  readonly #of: Surroundings<Item>;
  readonly #context: DecisionContext;
  readonly #added = new Set<string>();
  readonly #decided = new Set<string>();

  constructor(
    { differences = differingNames, stated = statedOf }: ContentRules<Item>,
    surroundings: Surroundings<Item>,
    context: DecisionContext,
  ) {
    this.#differences = differences;
    this.#stated = stated;
    this.#of = surroundings;
    this.#context = context;
  }

  /** The content of the stored object of an item, after the decisions so far. */
  contentOf({ key }: Item): Item['content'] {
    return this.#of.stored.get(key);
  }

  /** What an import does with an item. @throws RecordFailure */
  import(item: Item): 'created' | 'updated' | 'skipped' {
    const found = this.#of.stored.get(item.key);
    const kind = found === undefined ? this.#add(item) : this.#change(item, found);
    this.#decided.add(item.key);
    return kind;
  }

  #add(item: Item): 'created' {
    this.#of.admit?.(item);
    this.#of.stored.set(item.key, item.content);
    this.#added.add(item.key);
    return 'created';
  }

  #change(item: Item, found: Item['content']): 'updated' | 'skipped' {
    const { stored, merge } = this.#of;
    const names = this.#differences(found, item.content);
    if (names.length === 0) return 'skipped';
    if (!this.#context.update) throw otherContent(names);
    if (merge === undefined) throw otherContent(names, 'an update changes no such object');
    const content = merge(item, found);
    if (this.#differences(found, content).length === 0) return 'skipped';
    if (this.#decided.has(item.key)) throw otherContent(names);
    stored.set(item.key, content);
    return 'updated';
  }

  /**
   * What a verification says of an item. A record that is twice in the file and not in the service is missing twice.
   * @param record its index in the part
   * @throws RecordFailure
   */
  compare(item: Item, record: number): 'created' | 'skipped' {
    const { compared, now } = this.#context;
    const isAdded = this.#added.has(item.key);
    const found = isAdded ? undefined : this.#of.stored.get(item.key);
    const dates = this.#of.storedDates?.get(item.key);
    const names = found === undefined ? [] : this.#differences(found, item.content);
    const isSame = found !== undefined && names.length === 0;
    const content = isSame ? this.#stated(found, item.content) : found;
    compared?.(record, comparisonOf(item, { content, dates, now }));
    if (isAdded) return 'created';
    if (found === undefined) return this.#add(item);
    const all = [...names, ...differingDates(dates, item.dates, now)];
    if (all.length === 0) return 'skipped';
    throw otherContent(all);
  }
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
