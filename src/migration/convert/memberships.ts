import { setImmediate as turn } from 'node:timers/promises';
import { foldCase } from '#src/directory/index.js';
import type { Losses } from './losses.js';
import type { SourceGroup, SourceMember } from './mapping/people-format.js';
import { maxGroups, type PeopleLists, requireGroupName } from './people-lists.js';
import type { Problems } from './reading/problems.js';
import { ConversionError } from './reading/read-fields.js';
import { createSpool, partitionOf } from './spool.js';
import { datesOf } from './values/dates.js';

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Finds the people of the groups of an input. Groups and people come in any order. Groups are in memory, people are not. */
export interface Memberships {
  addPerson(keys: readonly string[], userId: string): void;
  /** @throws ConversionError when the groups are too many to hold */
  addGroup(group: SourceGroup, place: Place): void;
  addMember(member: SourceMember): void;
  /** A person says that it is in the groups with these keys. If the input lacks one, the value of the path is lost. */
  claim(keys: readonly string[], path: string, place: Place): void;
  /** Adds the groups and memberships to the lists. Call it once, at the end. Tells members that are no people of the input. */
  settle(lists: PeopleLists): Promise<void>;
}

/** What a person says about its groups, as it waits until all groups are known. */
type Claim = readonly [path: string, file: string, line: number, ...keys: string[]];

/** The people whose claims are in memory at a time. */
const claimsAtOnce = 10_000;

export function createMemberships(options: {
  /** Gets the keys of people, and members. */
  readonly folder: string;
  readonly partitions: number;
  readonly problems: Problems;
  readonly losses: Losses;
  readonly signal?: AbortSignal | undefined;
}): Memberships {
  const { folder, partitions, problems, losses, signal } = options;
  const people = createSpool(folder, 'keys');
  const members = createSpool(folder, 'members');
  const groups = new Map<number, SourceGroup & { readonly place: Place }>();
  const claims = createSpool(folder, 'claims');
  let claimed = 0;

  /** Gives each group a name of its own. Groups that cannot be imported are told and left out. */
  function settleGroups(lists: PeopleLists): Map<number, string> {
    const uses = new Map<string, number>();
    for (const { name } of groups.values()) uses.set(foldCase(name), (uses.get(foldCase(name)) ?? 0) + 1);
    const settled = new Map<number, string>();
    const names = new Set<string>();
    for (const { number, id, externalId, name, longName, dates = {}, place } of groups.values()) {
      try {
        const displayName = requireGroupName(uses.get(foldCase(name)) === 1 ? name : longName);
        const key = foldCase(displayName);
        if (names.has(key)) throw new ConversionError('another group has the name, apart from letter case');
        names.add(key);
        const notes: string[] = [];
        settled.set(number, lists.addGroup({ name: displayName, id, externalId, ...datesOf(dates, notes) }));
        for (const note of notes) {
          const message = `the group ${JSON.stringify(longName.slice(0, 200))}: ${note}`;
          problems.add({ severity: 'note', ...place, message });
        }
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        const message = `the group ${JSON.stringify(longName.slice(0, 200))}: ${error.message}`;
        problems.add({ severity: 'error', ...place, message });
      }
    }
    return settled;
  }

  return {
    addPerson(keys, userId) {
      for (const key of keys) people.add(partitionOf(key, partitions), [key, userId]);
    },
    addGroup(group, place) {
      if (groups.size >= maxGroups) throw new ConversionError(`more than ${maxGroups} groups`);
      groups.set(group.number, { ...group, place });
    },
    addMember({ key, group, path, shown }) {
      // As JSON it has no tab and no line feed.
      members.add(partitionOf(key, partitions), [key, group, path, JSON.stringify(shown.slice(0, 200))]);
    },
    claim(keys, path, { file, line }) {
      const claim = JSON.stringify([path, file, line, ...keys] satisfies Claim);
      claims.add(Math.floor(claimed++ / claimsAtOnce), [claim]);
    },
    async settle(lists) {
      const settled = settleGroups(lists);
      const groupKeys = new Set([...groups.values()].map(({ key }) => key));
      const counted = new Set<string>();
      for (let partition = 0; partition < partitions; partition++) {
        const known = new Map<string, string>();
        const shared = new Set<string>();
        for (const [key = '', userId = ''] of people.take(partition)) {
          const other = known.get(key);
          if (other !== undefined && other !== userId) shared.add(key);
          known.set(key, userId);
        }
        for (const [key = '', number, path = '', shown = ''] of members.take(partition)) {
          const group = groups.get(Number(number));
          const groupId = settled.get(Number(number));
          if (group === undefined || groupId === undefined) continue;
          const userId = known.get(key);
          if (userId !== undefined && !shared.has(key)) {
            lists.addMember(groupId, userId);
            continue;
          }
          const why = shared.has(key)
            ? 'is the name of several people'
            : groupKeys.has(key)
              ? 'is a group, and groups are in no group'
              : 'is no person of the output';
          problems.add({ severity: 'note', ...group.place, message: `the member ${shown} ${why}` });
          const value = `${number} ${path}`;
          if (!counted.has(value)) losses.add([path], group.place);
          counted.add(value);
        }
        await turn();
        signal?.throwIfAborted();
      }
      for (let range = 0; range * claimsAtOnce < claimed; range++) {
        for (const [text = ''] of claims.take(range)) {
          const [path, file, line, ...keys] = JSON.parse(text) as Claim;
          if (keys.some((key) => !groupKeys.has(key))) losses.add([path], { file, line });
        }
        signal?.throwIfAborted();
      }
    },
  };
}
