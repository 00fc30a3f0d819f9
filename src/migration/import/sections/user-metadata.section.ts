import { metadataEvent, requireMetadata } from '#src/directory/user-metadata/user-metadata.js';
import { newId } from '#src/platform/ids.js';
import { createShapeCheck } from '../../format/check-shape.js';
import { userMetadataRecord } from '../../format/user-metadata.record.js';
import { planRecords, type RecordItem } from './plan-records.js';
import { RecordFailure } from './record-failure.js';
import { nameBy } from './record-reader.js';
import { reservedName } from './reservations.js';
import type { ImportSection } from './section.js';
import type { SectionDeps } from './section-deps.js';
import { createUserCheck } from './user-references.js';

export type UserMetadataSectionDeps = Pick<SectionDeps, 'users' | 'serviceUsers' | 'userMetadata' | 'events'>;

type MetadataItem = RecordItem<string> & { readonly userId: string; readonly name: string };

/** Without the reader of other sections, which takes empty values for absent ones: metadata may be empty. */
const check = createShapeCheck(userMetadataRecord);

/** `userMetadata`: the metadata of the organization's users and service users. */
export function userMetadataSection(deps: UserMetadataSectionDeps): ImportSection {
  return {
    key: 'userMetadata',
    errorType: 'user_metadata',
    quota: 'metadata',
    successKey: 'userMetadata',
    phase: 6,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      const { outcomes, created, reservations } = await planRecords<MetadataItem>(records, context, {
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
          return {
            stored: new Map(found.map(({ userId, key, value }) => [`${userId} ${key}`, value])),
            admit: ({ userId }) => requireUser(userId),
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
      return {
        outcomes,
        reservations,
        async write(transaction) {
          await deps.userMetadata.insert(orgId, added, transaction);
          await deps.events.append(
            added.map((metadata) => metadataEvent('user.metadata.set', metadata, editor)),
            transaction,
          );
        },
      };
    },
  };
}
