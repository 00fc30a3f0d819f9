import type { Group } from '#src/people/groups/index.js';
import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import type { Surroundings } from '../shared/record-decisions.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';
import { type GroupItem, groupContent, mergedGroup } from './group-item.js';

/** What the service has for the records of one part. */
interface GroupSurvey extends Surroundings<GroupItem> {
  readonly identifiers: TakenIdentifiers;
  /** The stored groups, by identifier. */
  readonly known: ReadonlyMap<string, Group>;
}

/** Looks up the groups, and the names and identifiers that are taken. */
export async function surveyGroups(
  deps: TakenIdentifiersDeps & Pick<SectionDeps, 'groups'>,
  { orgId, findReserved }: Pick<SectionContext, 'orgId' | 'findReserved'>,
  items: readonly GroupItem[],
): Promise<GroupSurvey> {
  const ids = items.map(({ id }) => id);
  const displayNames = items.map(({ content }) => content.displayName);
  const nameOf = (name: string) => reservedName.groupName(orgId, name);
  // Before the stored groups are read: what another import adds in between is then among them, and skipped.
  const [identifiers, taken, reserved] = await Promise.all([
    takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'group' }),
    deps.groups.takenNames(orgId, displayNames),
    findReserved(displayNames.map(nameOf)),
  ]);
  const names = new Set([...[...taken].map(nameOf), ...reserved]);
  const found = await deps.groups.findMany(orgId, ids);
  const takeName = (name: string) => {
    if (names.has(name)) throw new RecordFailure('NAME-TAKEN');
    names.add(name);
  };
  return {
    identifiers,
    known: new Map(found.map((group) => [group.id, group])),
    stored: new Map(found.map((group) => [group.id, groupContent(group)])),
    storedDates: new Map(found.map((group) => [group.id, group])),
    admit({ id, content }) {
      if (identifiers.taken.has(id)) throw new RecordFailure('ID-TAKEN');
      takeName(nameOf(content.displayName));
    },
    merge(item, stored) {
      const name = nameOf(item.content.displayName);
      if (name !== nameOf(stored.displayName)) takeName(name);
      return mergedGroup(item, stored);
    },
  };
}
