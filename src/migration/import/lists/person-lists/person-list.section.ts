import { requireAuthority } from '#src/access/authority/index.js';
import {
  type PersonList,
  type PersonListKind,
  type PersonListsStore,
  personListEvent,
  requireFewItems,
} from '#src/accounts/person-lists/index.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { DoubtfulValue, ImportSection, SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { nameBy } from '../shared/record-reader.js';

/** What the section of a list of each person needs beside its store. */
export type PersonListDeps = Pick<SectionDeps, 'users' | 'events' | 'caches' | 'projectMembers'>;

type Items<Item> = Readonly<Record<string, Item>>;
type ListItem<Item> = RecordItem<Items<Item>>;

/** How the records of one such list are read, compared and merged. */
export interface PersonListRules<Item> extends Pick<ImportSection, 'key' | 'errorType' | 'successKey'> {
  readonly kind: PersonListKind<Item>;
  readonly store: PersonListsStore<Item>;
  /** Returns the user and the items of a record by their keys. @throws RecordFailure, or AppError of the directory's rules */
  read(record: unknown): { readonly userId: string; readonly items: Items<Item> };
  /** An item of which the record may say less than the service knows by now, as the comparison takes it. */
  stated(stored: Item, given: Item): Item;
  /** The item that an update stores. */
  merged(stored: Item, given: Item): Item;
  /** Whether an item lets its holder sign in, so that the requester must have authority over the user. */
  givesSignIn(item: Item): boolean;
  /** Another write for the lists that were written, in the same transaction. */
  alongside?(orgId: string, written: readonly PersonList<Item>[], transaction: Transaction): Promise<void>;
  /** The path of a value that somebody should look at. Undefined if there is none. */
  doubt?(item: Item): string | undefined;
}

/**
 * A list in which each record has everything of one kind that a person has. An import that updates adds and changes items, and removes none:
 * the person may have made them here.
 */
export function personListSection<Item>(deps: PersonListDeps, rules: PersonListRules<Item>): ImportSection {
  const { key, errorType, successKey, kind, store } = rules;
  return {
    key,
    errorType,
    ...(successKey !== undefined && { successKey }),
    phase: 6,
    forms: ['external', 'instance'],
    async plan(records, context): Promise<SectionPlan> {
      const { orgId, now } = context;
      let known: ReadonlyMap<string, PersonList<Item>> = new Map();
      const holderOf = new Map<string, string>();
      const { outcomes, created, updated, reservations } = await planRecords<ListItem<Item>>(
        records,
        context,
        {
          nameOf: nameBy('userId'),
          read(record) {
            const { userId, items } = rules.read(record);
            requireFewItems(kind, key, items);
            return { id: userId, key: userId, content: items };
          },
          async survey(items, findReserved) {
            const userIds = items.map(({ id }) => id);
            const uniqueKeys = items.flatMap(({ content }) => keysOf(kind, content));
            const [found, holders, requirePerson] = await Promise.all([
              store.findMany(orgId, userIds),
              store.holders(orgId, uniqueKeys),
              createPersonCheck(deps, rules, { context, findReserved, items }),
            ]);
            known = new Map(found.map((list) => [list.userId, list]));
            for (const [key, userId] of holders) holderOf.set(key, userId);
            const hold = (item: ListItem<Item>) => {
              requirePerson(item.id);
              for (const key of keysOf(kind, item.content)) {
                if ((holderOf.get(key) ?? item.id) !== item.id) throw new RecordFailure('VALUE-TAKEN');
              }
              for (const key of keysOf(kind, item.content)) holderOf.set(key, item.id);
            };
            return {
              stored: new Map(found.map(({ userId, items }) => [userId, items])),
              admit: hold,
              merge(item, stored) {
                hold(item);
                const content = mergedItems(rules, stored, item.content);
                requireFewItems(kind, key, content);
                return content;
              },
            };
          },
          // Keys would tell nothing. The list differs, or it does not.
          differences: (stored, given) => (isSame(rules, stored, given) ? [] : [key]),
          stated: (stored, given) => statedItems(rules, stored, given),
          ownReservations: ({ id, content }) => [
            reservedName.personList(orgId, { list: key, userId: id }),
            ...keysOf(kind, content).map((itemKey) =>
              reservedName.personItem(orgId, { list: key, key: itemKey }),
            ),
          ],
        },
      );
      const added = created.map(({ id: userId, content: items }): PersonList<Item> => {
        return { id: newId(), orgId, userId, items, version: 1, created: now, lastModified: now };
      });
      const changed = updated.flatMap(({ item, content }) => {
        const current = known.get(item.id);
        if (current === undefined) return [];
        return { ...current, items: content, version: current.version + 1, lastModified: now };
      });
      const doubts = doubtsOf(rules, records, outcomes);
      return { outcomes, doubts, reservations, write: writeLists(deps, rules, { context, added, changed }) };
    },
  };
}

/** Returns the write of new and changed lists, with their events. */
function writeLists<Item>(
  { events }: Pick<PersonListDeps, 'events'>,
  { store, kind, alongside }: PersonListRules<Item>,
  {
    context: { orgId, editor },
    added,
    changed,
  }: {
    context: SectionContext;
    added: readonly PersonList<Item>[];
    changed: readonly PersonList<Item>[];
  },
): NonNullable<SectionPlan['write']> {
  return async (transaction) => {
    await store.insert(orgId, added, transaction);
    for (const list of changed) {
      const change = { list, expectedVersion: list.version - 1 };
      if (!(await store.replace(orgId, change, transaction))) throw new PlanOutdated();
    }
    const written = [...added, ...changed];
    await alongside?.(orgId, written, transaction);
    await events.append(
      written.map((list) => personListEvent(kind, list, editor)),
      transaction,
    );
  };
}

function keysOf<Item>({ uniqueKey }: PersonListKind<Item>, items: Items<Item>): string[] {
  return Object.values(items).flatMap((item) => uniqueKey(item) ?? []);
}

function mergedItems<Item>(
  { merged }: PersonListRules<Item>,
  stored: Items<Item>,
  given: Items<Item>,
): Items<Item> {
  const entries = Object.entries(given).map(([key, item]) => {
    const known = stored[key];
    return [key, known === undefined ? item : merged(known, item)] as const;
  });
  return { ...stored, ...Object.fromEntries(entries) };
}

/** The stored items, each as far as its record says it. */
function statedItems<Item>(
  { stated }: PersonListRules<Item>,
  stored: Items<Item>,
  given: Items<Item>,
): Items<Item> {
  const entries = Object.entries(stored).map(([key, item]) => {
    const known = given[key];
    return [key, known === undefined ? item : stated(item, known)] as const;
  });
  return Object.fromEntries(entries);
}

function isSame<Item>(rules: PersonListRules<Item>, stored: Items<Item>, given: Items<Item>): boolean {
  return canonical(statedItems(rules, stored, given)) === canonical(given);
}

/** Items as a text that does not depend on the order of their members. They are flat, but for lists of words. */
function canonical<Item>(items: Items<Item>): string {
  const entries = Object.entries(items).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(
    entries.map(([key, item]) => [key, Object.entries(item as object).sort(([a], [b]) => (a < b ? -1 : 1))]),
  );
}

/** Values of created and updated records that somebody should look at. */
function doubtsOf<Item>(
  { read, doubt }: PersonListRules<Item>,
  records: readonly unknown[],
  outcomes: SectionPlan['outcomes'],
): DoubtfulValue[] {
  if (doubt === undefined) return [];
  return outcomes.flatMap(({ kind }, record) => {
    if (kind !== 'created' && kind !== 'updated') return [];
    const paths = new Set(Object.values(read(records[record]).items).flatMap((item) => doubt(item) ?? []));
    return [...paths].map((path) => ({ record, path }));
  });
}

/**
 * Looks up which of these people the organization has, or would have after the parts of a dry run, and whether the requester may decide how
 * they sign in.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for anybody else, and `USER-OUTRANKS`
 */
async function createPersonCheck<Item>(
  deps: PersonListDeps,
  { givesSignIn }: PersonListRules<Item>,
  {
    context: { orgId, editor, compared },
    findReserved,
    items,
  }: {
    context: SectionContext;
    findReserved: SectionContext['findReserved'];
    items: readonly ListItem<Item>[];
  },
): Promise<(userId: string) => void> {
  const userIds = [...new Set(items.map(({ id }) => id))];
  const [users, reserved] = await Promise.all([
    deps.users.existing(orgId, userIds),
    findReserved(userIds.map((id) => reservedName.humanUserOf(orgId, id))),
  ]);
  const outranking = new Map<string, unknown>();
  const signingIn = items.filter(({ content }) => Object.values(content).some(givesSignIn));
  for (const { id: userId } of compared === undefined ? signingIn : []) {
    if (!users.has(userId)) continue;
    const about = { callerId: editor.userId, orgId, userId, purpose: 'credentials' } as const;
    await requireAuthority(deps, about).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.definition.kind === 'unavailable') throw error;
      outranking.set(userId, error);
    });
  }
  return (userId) => {
    if (outranking.has(userId)) throw outranking.get(userId);
    if (!users.has(userId) && !reserved.has(reservedName.humanUserOf(orgId, userId))) {
      throw new RecordFailure('REFERENCE-UNKNOWN', `${userId} is not a person of the organization`);
    }
  };
}
