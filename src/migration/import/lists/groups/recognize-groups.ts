import { foldCase } from '#src/directory/index.js';
import type { Group } from '#src/people/groups/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { groupIdentifier, isOfGroup } from '../../../format/made-identifiers.js';
import type { Recognition, TakenRecord } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';

type RecognizeDeps = Pick<SectionDeps, 'groups' | 'events'>;

/**
 * Finds groups by their displayName. The group must have come by an earlier import: the members of a file must not get the roles of a group of the
 * same name that somebody made here.
 */
export function recognizeGroups(deps: RecognizeDeps): Recognition {
  return {
    kind: 'group',
    idOf: (record) => textOf(record, 'groupId'),
    renamed: (record, groupId) => ({ ...record, groupId }),
    async find(taken, { orgId, started }) {
      const named = taken.map(({ value, code }) => ({
        code,
        id: textOf(value, 'groupId') ?? '',
        name: foldCase(nameOf(value)),
      }));
      const [known, namesakes] = await Promise.all([
        deps.groups.namesOf(
          orgId,
          named.map(({ id }) => id),
        ),
        deps.groups.findNamed(
          orgId,
          named.map(({ name }) => name),
        ),
      ]);
      const byName = new Map(namesakes.map((group) => [foldCase(group.displayName), group]));
      const recognized: (string | undefined)[] = [];
      for (const { code, id, name } of named) {
        const of = { orgId, name };
        const isRefused = known.has(id) || (code === 'ID-TAKEN' && !isOfGroup(id, of));
        const namesake = byName.get(name);
        if (isRefused) recognized.push(undefined);
        else if (namesake === undefined) recognized.push(otherwise(code, of));
        else recognized.push((await cameEarlier(deps, namesake, started)) ? namesake.id : undefined);
      }
      return recognized;
    },
  };
}

/** The identifier of a new group, if another organization has the one that an earlier conversion made. */
function otherwise(code: TakenRecord['code'], of: { orgId: string; name: string }): string | undefined {
  return code === 'ID-TAKEN' ? groupIdentifier(of) : undefined;
}

/** Whether an import that began before this one brought the group. */
async function cameEarlier(
  { events }: RecognizeDeps,
  { id, created, imported = created }: Group,
  started: Date,
): Promise<boolean> {
  if (imported >= started) return false;
  const [added] = await events.search({
    aggregateId: id,
    eventTypes: ['group.added'],
    limit: 1,
    ascending: false,
  });
  return added?.editor.service === 'import';
}

function nameOf(record: unknown): string {
  return (isJsonObject(record) && textOf(record['group'], 'displayName')?.trim()) || '';
}

function textOf(record: unknown, name: string): string | undefined {
  const value = isJsonObject(record) && Object.hasOwn(record, name) ? record[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
