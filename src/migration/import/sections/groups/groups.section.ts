import { type Happening, newEvents } from '#src/audit/new-event.js';
import { groupRoles } from '#src/directory/groups/change-group-roles.js';
import type { Group } from '#src/directory/groups/group.js';
import { normalizeGroup } from '#src/directory/groups/group-rules.js';
import { announceGroups } from '#src/directory/groups/user-groups.js';
import { groupRecord } from '../../../format/group.record.js';
import { type ImportedDates, importedAt, importedDates, isDated } from '../imported-dates.js';
import { planRecords, type RecordItem } from '../plan-records.js';
import { RecordFailure } from '../record-failure.js';
import { createRecordReader, nameBy } from '../record-reader.js';
import { reservedName } from '../reservations.js';
import type { ImportSection } from '../section.js';
import type { SectionDeps } from '../section-deps.js';
import { type TakenIdentifiers, type TakenIdentifiersDeps, takenIdentifiers } from '../taken-identifiers.js';

export type GroupsSectionDeps = TakenIdentifiersDeps & Pick<SectionDeps, 'groups' | 'events' | 'caches'>;

type GroupItem = RecordItem<GroupContent> & { readonly dates: ImportedDates };

type GroupContent = Pick<Group, 'displayName' | 'externalId' | 'roles'>;

const read = createRecordReader(groupRecord);

/**
 * `groups`: the groups of the organization, without their members. A group keeps the identifier of the file. The requester is an
 * owner of the instance, who may give every role that a group can hold.
 */
export function groupsSection(deps: GroupsSectionDeps): ImportSection {
  return {
    key: 'groups',
    errorType: 'group',
    quota: 'groups',
    successKey: 'groupIds',
    phase: 1,
    forms: ['external', 'instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      let identifiers: TakenIdentifiers | undefined;
      const planned = await planRecords<GroupItem>(records, context, {
        nameOf: nameBy('groupId'),
        read(record) {
          const { groupId, group } = read(record);
          const content = { ...normalizeGroup(group), ...requireRoles(group.roles) };
          return { id: groupId, key: groupId, content, dates: importedDates(group, now) };
        },
        async survey(items, findReserved) {
          const ids = items.map(({ id }) => id);
          const displayNames = items.map(({ content }) => content.displayName);
          const nameOf = (name: string) => reservedName.groupName(orgId, name);
          // Before the stored groups are read: what another import adds in between is then among them, and skipped.
          const [survey, taken, reserved] = await Promise.all([
            takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'group' }),
            deps.groups.takenNames(orgId, displayNames),
            findReserved(displayNames.map(nameOf)),
          ]);
          identifiers = survey;
          const names = new Set([...[...taken].map(nameOf), ...reserved]);
          const found = await deps.groups.findMany(orgId, ids);
          return {
            stored: new Map(found.map((group) => [group.id, contentOf(group)])),
            storedDates: new Map(found.map((group) => [group.id, group])),
            admit({ id, content }) {
              if (survey.taken.has(id)) throw new RecordFailure('ID-TAKEN');
              const name = nameOf(content.displayName);
              if (names.has(name)) throw new RecordFailure('NAME-TAKEN');
              names.add(name);
            },
          };
        },
        ownReservations: ({ id, content }) => [
          reservedName.groupOf(orgId, id),
          reservedName.groupName(orgId, content.displayName),
        ],
        sharedReservations: ({ id }) => [reservedName.group(id)],
      });
      const { outcomes, created, reservations } = planned;
      return {
        outcomes,
        reservations,
        async write(transaction) {
          const ids = created.map(({ id }) => id);
          await identifiers?.reserve(ids, transaction);
          const added = created.map(({ id, content, dates }) => {
            const happened = happenedTo(content);
            const version = happened.length;
            const group = { ...content, id, orgId, version, ...dates, ...importedAt(dates, now) };
            return { group, happened };
          });
          await deps.groups.insertMany(
            orgId,
            added.map(({ group }) => ({ ...group, ...(isDated(group, now) && { isDated: true }) })),
            transaction,
          );
          await deps.events.append(
            added.flatMap(({ group, happened }) =>
              newEvents('group', { ...group, lastModified: now }, { happened, editor }),
            ),
            transaction,
          );
        },
        written: () => announceGroups(deps, orgId),
      };
    },
  };
}

/** The roles in the order in which groups store them. @throws RecordFailure `VALUE-INVALID` */
function requireRoles(given: readonly string[] = []): Pick<Group, 'roles'> {
  if (given.some((name) => !groupRoles.some((role) => role === name))) {
    throw new RecordFailure('VALUE-INVALID', `roles must be of ${groupRoles.join(', ')}`);
  }
  const roles = groupRoles.filter((role) => given.includes(role));
  return roles.length > 0 ? { roles } : {};
}

function contentOf({ displayName, externalId, roles }: Group): GroupContent {
  return { displayName, ...(externalId !== undefined && { externalId }), ...(roles && { roles }) };
}

/** The events of the use cases that add a group and give it roles. */
function happenedTo({ roles, ...profile }: GroupContent): Happening[] {
  const added: Happening = ['group.added', profile];
  return roles === undefined ? [added] : [added, ['group.roles.changed', { roles }]];
}
