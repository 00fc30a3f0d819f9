import { setImmediate as turn } from 'node:timers/promises';
import { foldCase } from '#src/directory/index.js';
import type { Losses } from './losses.js';
import type { SourceGroup, SourceMember } from './mapping/people-format.js';
import { maxGroups, type PeopleLists, requireGroupName } from './people-lists.js';
import { type Problems, refusedGroup } from './reading/problems.js';
import { ConversionError } from './reading/read-fields.js';
import { createSpool, partitionOf, type Spool } from './spool.js';
import { datesOf } from './values/dates.js';

interface Place {
  readonly file: string;
  readonly line: number;
}

/** What a person says about its groups, as it waits until all groups are known. */
type Claim = readonly [path: string, file: string, line: number, ...keys: string[]];

/** The people whose claims are in memory at a time. */
const claimsAtOnce = 10_000;

interface MembershipsOptions {
  /** Gets the keys of people, and members. */
  readonly folder: string;
  readonly partitions: number;
  readonly problems: Problems;
  readonly losses: Losses;
  readonly signal?: AbortSignal | undefined;
}

type PlacedGroup = SourceGroup & { readonly place: Place };

/** Groups that are in the output, as its members need them. */
interface SettledGroups {
  /** The identifiers in the output, by the number of the group. */
  readonly ids: ReadonlyMap<number, string>;
  /** The keys of all groups of the input. */
  readonly keys: ReadonlySet<string>;
}

/** The people of one partition. */
interface KnownPeople {
  /** The identifiers in the output, by the keys of people. */
  readonly ids: ReadonlyMap<string, string>;
  /** The keys that several people have. */
  readonly shared: ReadonlySet<string>;
}

/** Finds the people of the groups of an input. Groups and people come in any order. Groups are in memory, people are not. */
export class Memberships {
  readonly #options: MembershipsOptions;
  readonly #people: Spool;
  readonly #members: Spool;
  readonly #claims: Spool;
  readonly #groups = new Map<number, PlacedGroup>();
  /** The values that were counted as lost: the number of a group, and the path of its member. */
  readonly #counted = new Set<string>();
  #claimed = 0;

  constructor(options: MembershipsOptions) {
    const { folder } = options;
    this.#options = options;
    this.#people = createSpool(folder, 'keys');
    this.#members = createSpool(folder, 'members');
    this.#claims = createSpool(folder, 'claims');
  }

  addPerson(keys: readonly string[], userId: string): void {
    for (const key of keys) this.#people.add(this.#partitionOf(key), [key, userId]);
  }

  /** @throws ConversionError when the groups are too many to hold */
  addGroup(group: SourceGroup, place: Place): void {
    if (this.#groups.size >= maxGroups) throw new ConversionError('tooManyGroups', { most: maxGroups });
    this.#groups.set(group.number, { ...group, place });
  }

  addMember({ key, group, path, shown }: SourceMember): void {
    // As JSON it has no tab and no line feed.
    this.#members.add(this.#partitionOf(key), [key, group, path, JSON.stringify(shown.slice(0, 200))]);
  }

  /** A person says that it is in the groups with these keys. If the input lacks one, the value of the path is lost. */
  claim(keys: readonly string[], path: string, { file, line }: Place): void {
    const claim = JSON.stringify([path, file, line, ...keys] satisfies Claim);
    this.#claims.add(Math.floor(this.#claimed++ / claimsAtOnce), [claim]);
  }

  /** Adds the groups and memberships to the lists. Call it once, at the end. Tells members that are no people of the input. */
  async settle(lists: PeopleLists): Promise<void> {
    const { partitions, signal } = this.#options;
    const ids = this.#settleGroups(lists);
    const settled = { ids, keys: new Set([...this.#groups.values()].map(({ key }) => key)) };
    for (let partition = 0; partition < partitions; partition++) {
      const known = { lists, settled, people: knownPeople(this.#people.take(partition)) };
      for (const member of this.#members.take(partition)) this.#settleMember(member, known);
      await turn();
      signal?.throwIfAborted();
    }
    for (let range = 0; range * claimsAtOnce < this.#claimed; range++) {
      for (const [text = ''] of this.#claims.take(range)) this.#settleClaim(text, settled);
      signal?.throwIfAborted();
    }
  }

  #partitionOf(key: string): number {
    return partitionOf(key, this.#options.partitions);
  }

  /** Gives each group a name of its own. Groups that cannot be imported are told and left out. */
  #settleGroups(lists: PeopleLists): Map<number, string> {
    const uses = new Map<string, number>();
    for (const { name } of this.#groups.values())
      uses.set(foldCase(name), (uses.get(foldCase(name)) ?? 0) + 1);
    const settled = new Map<number, string>();
    const names = new Set<string>();
    for (const group of this.#groups.values()) {
      const { number, id, externalId, name, longName, dates = {} } = group;
      try {
        const displayName = requireGroupName(uses.get(foldCase(name)) === 1 ? name : longName);
        const key = foldCase(displayName);
        if (names.has(key)) throw new ConversionError('groupName');
        names.add(key);
        const notes: string[] = [];
        settled.set(number, lists.addGroup({ name: displayName, id, externalId, ...datesOf(dates, notes) }));
        for (const note of notes) this.#note(group, note);
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        this.#options.problems.add(refusedGroup(group.place, group.longName, error.known));
      }
    }
    return settled;
  }

  #note({ longName, place }: PlacedGroup, what: string): void {
    const message = `the group ${JSON.stringify(longName.slice(0, 200))}: ${what}`;
    this.#options.problems.add({ severity: 'note', ...place, message });
  }

  /** Adds a member to its group. Tells it if it is no person of the output. */
  #settleMember(
    [key = '', number, path = '', shown = '']: readonly string[],
    known: { readonly lists: PeopleLists; readonly settled: SettledGroups; readonly people: KnownPeople },
  ): void {
    const { problems, losses } = this.#options;
    const { lists, settled, people } = known;
    const group = this.#groups.get(Number(number));
    const groupId = settled.ids.get(Number(number));
    if (group === undefined || groupId === undefined) return;
    const userId = people.ids.get(key);
    if (userId !== undefined && !people.shared.has(key)) {
      lists.addMember(groupId, userId);
      return;
    }
    const why = whyNoMember(key, settled, people);
    problems.add({ severity: 'note', ...group.place, message: `the member ${shown} ${why}` });
    const value = `${number} ${path}`;
    if (!this.#counted.has(value)) losses.add([path], group.place);
    this.#counted.add(value);
  }

  #settleClaim(text: string, { keys: groupKeys }: SettledGroups): void {
    const [path, file, line, ...keys] = JSON.parse(text) as Claim;
    if (keys.some((key) => !groupKeys.has(key))) this.#options.losses.add([path], { file, line });
  }
}

function knownPeople(records: readonly string[][]): KnownPeople {
  const ids = new Map<string, string>();
  const shared = new Set<string>();
  for (const [key = '', userId = ''] of records) {
    const other = ids.get(key);
    if (other !== undefined && other !== userId) shared.add(key);
    ids.set(key, userId);
  }
  return { ids, shared };
}

function whyNoMember(key: string, groups: SettledGroups, people: KnownPeople): string {
  if (people.shared.has(key)) return 'is the name of several people';
  return groups.keys.has(key) ? 'is a group, and groups are in no group' : 'is no person of the output';
}
