import { isDeepStrictEqual } from 'node:util';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import { announceGroups, type Group, groupRoles, normalizeGroup } from '#src/people/groups/index.js';
import { groupRecord } from '../../../format/group.record.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { type ImportedDates, importedAt, importedDates, isDated } from '../shared/imported-dates.js';
import { mentions } from '../shared/mentions.js';
import { planRecords, type RecordItem } from '../shared/plan-records.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';

type GroupsSectionDeps = TakenIdentifiersDeps & Pick<SectionDeps, 'groups' | 'events' | 'caches'>;

type GroupItem = RecordItem<GroupContent> & { readonly dates: ImportedDates; readonly record: unknown };

type GroupContent = Pick<Group, 'displayName' | 'externalId' | 'roles'>;

const read = createRecordReader(groupRecord);

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
    async plan(records, context) {
      const { orgId, editor, now } = context;
      let identifiers: TakenIdentifiers | undefined;
      let known: ReadonlyMap<string, Group> = new Map();
      const planned = await planRecords<GroupItem>(records, context, {
        nameOf: nameBy('groupId'),
        read(record) {
          const { groupId, group } = read(record);
          const content = { ...normalizeGroup(group), ...requireRoles(group.roles) };
          return { id: groupId, key: groupId, content, dates: importedDates(group, now), record };
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
          known = new Map(found.map((group) => [group.id, group]));
          const takeName = (name: string) => {
            if (names.has(name)) throw new RecordFailure('NAME-TAKEN');
            names.add(name);
          };
          return {
            stored: new Map(found.map((group) => [group.id, contentOf(group)])),
            storedDates: new Map(found.map((group) => [group.id, group])),
            admit({ id, content }) {
              if (survey.taken.has(id)) throw new RecordFailure('ID-TAKEN');
              takeName(nameOf(content.displayName));
            },
            merge(item, stored) {
              const name = nameOf(item.content.displayName);
              if (name !== nameOf(stored.displayName)) takeName(name);
              return mergedContent(item, stored);
            },
          };
        },
        ownReservations: ({ id, content }) => [
          reservedName.groupOf(orgId, id),
          reservedName.groupName(orgId, content.displayName),
        ],
        sharedReservations: ({ id }) => [reservedName.group(id)],
      });
      const { outcomes, created, updated, reservations } = planned;
      const changes = updated.flatMap(({ item, content }) => {
        const current = known.get(item.id);
        return current === undefined ? [] : changeOf(current, { item, content, now });
      });
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
          for (const { current, group, happened } of changes) {
            const change = { group, expectedVersion: current.version };
            if (!(await deps.groups.replace(orgId, change, transaction))) throw new PlanOutdated();
            const changed = { ...group, lastModified: now };
            await deps.events.append(newEvents('group', changed, { happened, editor }), transaction);
          }
        },
        tried: () => announceGroups(deps, orgId),
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

/** The stored content with the attributes that the record mentions. Of these, an unassigned one is removed. */
function mergedContent({ record, content }: GroupItem, stored: GroupContent): GroupContent {
  const { displayName } = content;
  const { externalId } = mentions(record, 'group', 'externalId') ? content : stored;
  const { roles } = mentions(record, 'group', 'roles') ? content : stored;
  return { displayName, ...(externalId !== undefined && { externalId }), ...(roles && { roles }) };
}

/** The group after an update, and the events of the use cases that change a group and its roles. */
function changeOf(
  current: Group,
  { item, content, now }: { item: GroupItem; content: GroupContent; now: Date },
): { current: Group; group: Group & { readonly isDated?: boolean }; happened: readonly Happening[] } {
  const { id, orgId, created, imported } = current;
  const { roles = [], ...profile } = content;
  const attributes = (['displayName', 'externalId'] as const).filter(
    (name) => profile[name] !== current[name],
  );
  const happened: Happening[] = [
    ...(attributes.length > 0 ? [['group.changed', { attributes }] as const] : []),
    ...(isDeepStrictEqual(roles, current.roles ?? []) ? [] : [['group.roles.changed', { roles }] as const]),
  ];
  const { lastModified } = item.dates;
  const isLater = lastModified > current.lastModified;
  const group = {
    ...content,
    id,
    orgId,
    version: current.version + happened.length,
    created,
    ...(imported && { imported }),
    lastModified: isLater ? lastModified : now,
    // The members of the file are of the same date.
    ...(isLater && lastModified < now && { isDated: true }),
  };
  return { current, group, happened };
}
