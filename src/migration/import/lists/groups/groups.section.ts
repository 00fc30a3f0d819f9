import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import { nameBy } from '../shared/record-reader.js';
import type { TakenIdentifiersDeps } from '../shared/taken-identifiers.js';
import { type GroupItem, readGroup } from './group-item.js';
import { recognizeGroups } from './recognize-groups.js';
import { surveyGroups } from './survey-groups.js';
import { groupChange, writeGroups } from './write-groups.js';

type GroupsSectionDeps = TakenIdentifiersDeps & Pick<SectionDeps, 'groups' | 'events' | 'caches'>;

/**
 * `groups`: the groups of the organization, without their members. A group keeps the identifier of the file. The requester is an
 * owner of the instance, who may give every role that a group can hold. An import that updates changes the attributes that the record
 * mentions.
 */
export function groupsSection(deps: GroupsSectionDeps): ImportSection {
  return {
    key: 'groups',
    errorType: 'group',
    quota: 'groups',
    successKey: 'groupIds',
    phase: 1,
    forms: ['external', 'instance'],
    recognition: recognizeGroups(deps),
    async plan(records, context) {
      const { orgId, now } = context;
      const { outcomes, created, updated, reservations, survey } = await planRecords(records, context, {
        nameOf: nameBy('groupId'),
        read: (record) => readGroup(record, now),
        survey: (items: readonly GroupItem[], findReserved) =>
          surveyGroups(deps, { orgId, findReserved }, items),
        ownReservations: ({ id, content }) => [
          reservedName.groupOf(orgId, id),
          reservedName.groupName(orgId, content.displayName),
        ],
        sharedReservations: ({ id }) => [reservedName.group(id)],
      });
      const { identifiers, known } = survey;
      const changes = updated.flatMap(({ item, content }) => {
        const current = known.get(item.id);
        return current === undefined ? [] : groupChange(current, { item, content, now });
      });
      return { outcomes, reservations, ...writeGroups(deps, context, { created, changes, identifiers }) };
    },
  };
}
