import { foldCase } from '#src/directory/index.js';
import { normalizeGroup } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import type { GroupRecord } from '../../format/group.record.js';
import { groupPathIdentifier } from '../../format/made-identifiers.js';
import { requireId } from '../reading/check-item.js';
import type { ConversionProblem } from '../reading/conversion-problems.js';
import { type Problems, refusal, refusedGroup } from '../reading/problems.js';
import {
  asFields,
  ConversionError,
  type Fields,
  parseFields,
  refusedBy,
  textOf,
} from '../reading/read-fields.js';
import { lostBesides, setOfPaths } from '../reading/source-record.js';
import { groupPath } from './keycloak-user.js';

/** Where a group begins: its file, and the line from 1. */
interface Place {
  readonly file: string;
  readonly line: number;
}

interface FoundGroup {
  readonly groupId: string;
  readonly name: string;
  readonly place: Place;
}

/** The groups of a realm. All of them are in memory. */
interface KeycloakGroups {
  /** Adds an element of `groups` with its subgroups. @throws ConversionError when it is not a JSON object */
  add(text: string, place: Place): void;
  /** The records of the groups, by path. Groups that cannot be imported are problems, and are left out. */
  records(): Map<string, GroupRecord>;
}

/** Properties of a group that Muster has no place for, and the words for them. */
const leftOut = {
  attributes: 'attributes',
  realmRoles: 'realm roles',
  clientRoles: 'client roles',
  description: 'description',
};

/** The paths of a group that are converted. A subgroup is a group too. */
const taken = setOfPaths(['id', 'name', 'path', 'subGroups'].map((name) => [name]));

/** @param of `orgId`: the organization of the output. `lose` gets the paths of a group that reach nothing */
export function createKeycloakGroups({
  orgId,
  problems,
  lose,
}: {
  readonly orgId: string;
  readonly problems: Pick<Problems, 'add'>;
  readonly lose: (paths: Iterable<string>, place: Place) => void;
}): KeycloakGroups {
  const found = new Map<string, FoundGroup>();
  const note = (message: string, place: Place) => problems.add({ severity: 'note', ...place, message });
  /** @param path as far as it is known */
  const refuse = (place: Place, path: string, id: ConversionProblem) =>
    problems.add(refusedGroup(place, path, { id, params: {} }));

  /** Returns the path of the group, or undefined if it is left out. */
  function addOne(fields: Fields, { parent, place }: { parent: string; place: Place }): string | undefined {
    const name = textOf(fields, ['name']);
    const given = textOf(fields, ['path']);
    const path =
      given !== undefined ? groupPath(given) : name === undefined ? undefined : `${parent}/${name}`;
    if (name === undefined || path === undefined) {
      const who = textOf(fields, ['id']) ?? parent;
      problems.add(refusal(place, { id: 'groupUnnamed', params: { name: 'name' } }, { who }));
      return undefined;
    }
    if (found.has(path)) {
      refuse(place, path, 'groupTwice');
      return undefined;
    }
    lose(
      [...lostBesides(fields, taken)].map((one) => `groups[].${one}`),
      place,
    );
    const lost = Object.entries(leftOut).filter(([key]) => hasContent(fields[key]));
    if (lost.length > 0) {
      const words = lost.map(([, word]) => word).join(', ');
      note(`the group ${quoted(path)} comes without its ${words}`, place);
    }
    try {
      const groupId = textOf(fields, ['id']) ?? groupPathIdentifier({ orgId, name: path });
      found.set(path, { groupId: requireId(groupId), name, place });
    } catch (error) {
      refuseFor(error, path, place);
    }
    return path;
  }

  function refuseFor(error: unknown, path: string, place: Place): void {
    const of = error instanceof AppError ? refusedBy(error) : error;
    if (!(of instanceof ConversionError)) throw error;
    problems.add(refusedGroup(place, path, of.known));
  }

  return {
    add(text, place) {
      const waiting = [{ fields: parseFields(text), parent: '' }];
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const path = addOne(next.fields, { parent: next.parent, place });
        const children = next.fields['subGroups'];
        if (!Array.isArray(children) || children.length === 0) continue;
        if (path === undefined) {
          const who = textOf(next.fields, ['id']) ?? next.parent;
          problems.add(refusal(place, { id: 'subgroupsLost', params: {} }, { who }));
          continue;
        }
        note(`the subgroups of ${quoted(path)} become groups beside it`, place);
        for (const child of children.reverse()) {
          const fields = asFields(child);
          if (fields === undefined) refuse(place, path, 'subgroupNotObject');
          else waiting.push({ fields, parent: path });
        }
      }
    },
    records() {
      const uses = new Map<string, number>();
      for (const { name } of found.values()) uses.set(foldCase(name), (uses.get(foldCase(name)) ?? 0) + 1);
      const records = new Map<string, GroupRecord>();
      const names = new Set<string>();
      for (const [path, { groupId, name, place }] of found) {
        const isUnique = uses.get(foldCase(name)) === 1;
        try {
          const group = normalizeGroup({ displayName: isUnique ? name : path });
          const key = foldCase(group.displayName);
          if (names.has(key)) throw new ConversionError('groupName');
          names.add(key);
          records.set(path, { groupId, group: { displayName: group.displayName } });
        } catch (error) {
          refuseFor(error, path, place);
        }
      }
      return records;
    },
  };
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function quoted(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}
