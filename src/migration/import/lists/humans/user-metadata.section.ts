import { metadataEvent, requireMetadata, type UserMetadata } from '#src/people/metadata/index.js';
import { newId } from '#src/platform/ids.js';
import { createShapeCheck } from '../../../format/check-shape.js';
import { userMetadataRecord } from '../../../format/user-metadata.record.js';
import { createUserCheck } from '../references/user-references.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { nameBy } from '../shared/record-reader.js';

type UserMetadataSectionDeps = Pick<SectionDeps, 'users' | 'serviceUsers' | 'userMetadata' | 'events'>;

type MetadataItem = RecordItem<string> & { readonly userId: string; readonly name: string };

/** Without the reader of other sections, which takes empty values for absent ones: metadata may be empty. */
const check = createShapeCheck(userMetadataRecord);

/** `userMetadata`: the metadata of the organization's users and service users. An import that updates changes their values. */
export function userMetadataSection(deps: UserMetadataSectionDeps): ImportSection {
  return {
    key: 'userMetadata',
    errorType: 'user_metadata',
    quota: 'metadata',
    successKey: 'userMetadata',
    phase: 6,
    forms: ['external', 'instance'],
    references: { names: { userId: 'user' } },
    async plan(records, context) {
      const { orgId, editor, now } = context;
      let known: ReadonlyMap<string, UserMetadata> = new Map();
      const { outcomes, created, updated, reservations } = await planRecords<MetadataItem>(records, context, {
        nameOf: nameBy('userId', 'key'),
        read(record) {
          const checked = check(record);
          if ('fault' in checked) throw new RecordFailure('RECORD-INVALID', checked.fault);
          const { userId } = checked.record;
          const { key: name, value } = requireMetadata(checked.record);
          return { id: `${userId}/${name}`, key: `${userId} ${name}`, userId, name, content: value };
        },
        async survey(items, findReserved) {
          const names = items.map(({ userId, name: key }) => ({ userId, key }));
          const [found, requireUser] = await Promise.all([
            deps.userMetadata.findMany(orgId, names),
            createUserCheck(deps, { orgId, findReserved, userIds: names.map(({ userId }) => userId) }),
          ]);
          known = new Map(found.map((metadata) => [`${metadata.userId} ${metadata.key}`, metadata]));
          return {
            stored: new Map([...known].map(([name, { value }]) => [name, value])),
            admit: ({ userId }) => requireUser(userId),
            merge: ({ content }) => content,
          };
        },
        ownReservations: ({ userId, name: key }) => [reservedName.metadata(orgId, { userId, key })],
      });
      const added = created.map(({ userId, name, content }) => ({
        id: newId(),
        orgId,
        userId,
        key: name,
        value: content,
        version: 1,
        created: now,
        lastModified: now,
      }));
      const changed = updated.flatMap(({ item, content: value }) => {
        const current = known.get(item.key);
        if (current === undefined) return [];
        return { ...current, value, version: current.version + 1, lastModified: now };
      });
      return {
        outcomes,
        reservations,
        async write(transaction) {
          await deps.userMetadata.insert(orgId, added, transaction);
          for (const metadata of changed) {
            const change = { metadata, expectedVersion: metadata.version - 1 };
            if (!(await deps.userMetadata.replace(orgId, change, transaction))) throw new PlanOutdated();
          }
          await deps.events.append(
            [...added, ...changed].map((metadata) => metadataEvent('user.metadata.set', metadata, editor)),
            transaction,
          );
        },
      };
    },
  };
}
