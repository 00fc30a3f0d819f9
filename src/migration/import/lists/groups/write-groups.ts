import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import { announceGroups, type Group } from '#src/people/groups/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { PlanOutdated } from '../section/record-failure.js';
import type { SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { importedAt, isDated } from '../shared/imported-dates.js';
import type { TakenIdentifiers } from '../shared/taken-identifiers.js';
import type { GroupContent, GroupItem } from './group-item.js';

type WriteGroupsDeps = Pick<SectionDeps, 'groups' | 'events' | 'caches'>;

type WriteContext = Pick<SectionContext, 'orgId' | 'editor' | 'now'>;

/** What a part writes. */
interface GroupsToWrite {
  readonly created: readonly GroupItem[];
  readonly changes: readonly GroupChange[];
  readonly identifiers: TakenIdentifiers;
}

/** A group before and after an update, and the events of the use cases that change a group and its roles. */
interface GroupChange {
  readonly current: Group;
  readonly group: Group & { readonly isDated?: boolean };
  readonly happened: readonly Happening[];
}

/** Returns what a plan does in its transaction and after it: it adds and changes groups. */
export function writeGroups(
  deps: WriteGroupsDeps,
  context: WriteContext,
  { created, changes, identifiers }: GroupsToWrite,
): Required<Pick<SectionPlan, 'write' | 'tried'>> {
  return {
    async write(transaction) {
      const ids = created.map(({ id }) => id);
      await identifiers.reserve(ids, transaction);
      await addGroups(deps, context, created, transaction);
      await changeGroups(deps, context, changes, transaction);
    },
    tried: () => announceGroups(deps, context.orgId),
  };
}

async function addGroups(
  { groups, events }: WriteGroupsDeps,
  { orgId, editor, now }: WriteContext,
  created: readonly GroupItem[],
  transaction: Transaction,
): Promise<void> {
  const added = created.map(({ id, content, dates }) => {
    const happened = happenedTo(content);
    const version = happened.length;
    const group = { ...content, id, orgId, version, ...dates, ...importedAt(dates, now) };
    return { group, happened };
  });
  await groups.insertMany(
    orgId,
    added.map(({ group }) => ({ ...group, ...(isDated(group, now) && { isDated: true }) })),
    transaction,
  );
  await events.append(
    added.flatMap(({ group, happened }) =>
      newEvents('group', { ...group, lastModified: now }, { happened, editor }),
    ),
    transaction,
  );
}

/** @throws PlanOutdated */
async function changeGroups(
  { groups, events }: WriteGroupsDeps,
  { orgId, editor, now }: WriteContext,
  changes: readonly GroupChange[],
  transaction: Transaction,
): Promise<void> {
  for (const { current, group, happened } of changes) {
    const change = { group, expectedVersion: current.version };
    if (!(await groups.replace(orgId, change, transaction))) throw new PlanOutdated();
    const changed = { ...group, lastModified: now };
    await events.append(newEvents('group', changed, { happened, editor }), transaction);
  }
}

/** The events of the use cases that add a group and give it roles. */
function happenedTo({ roles, ...profile }: GroupContent): Happening[] {
  const added: Happening = ['group.added', profile];
  return roles === undefined ? [added] : [added, ['group.roles.changed', { roles }]];
}

/** The group after an update. @param of `content`: what it takes over from the record */
export function groupChange(
  current: Group,
  { item, content, now }: { item: GroupItem; content: GroupContent; now: Date },
): GroupChange {
  const { id, orgId, created, imported } = current;
  const { roles = [], ...profile } = content;
  const former = current.roles ?? [];
  const attributes = (['displayName', 'externalId'] as const).filter(
    (name) => profile[name] !== current[name],
  );
  const happened: Happening[] = [
    ...(attributes.length > 0
      ? [
          [
            'group.changed',
            { attributes, ...keptChanges<GroupContent>(current, content, attributes) },
          ] as const,
        ]
      : []),
    ...(isDeepStrictEqual(roles, former)
      ? []
      : [
          [
            'group.roles.changed',
            { roles, ...keptChanges({ roles: former }, { roles }, ['roles']) },
          ] as const,
        ]),
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
