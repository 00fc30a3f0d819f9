import { calculateObjectSize } from 'bson';
import { eventIndexes } from '#src/audit/events.store.js';
import { identifierIndexes } from '#src/directory/identifiers/identifiers.store.js';
import type { User } from '#src/directory/user.js';
import { groupMemberIndexes } from '#src/people/groups/group-members.store.js';
import { userIndexes } from '#src/people/queries/user-indexes.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { toDocument } from '#src/people/users/user-document.js';
import { userAdded } from '#src/people/users/user-events.js';
import { newId } from '#src/platform/ids.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';

/** A place in the tree of an index, beside the key. */
const bytesOfPlace = 12;

type Fields = Readonly<Record<string, unknown>>;

function valuesAt(document: unknown, path: string): unknown[] {
  return path
    .split('.')
    .reduce<unknown[]>((found, name) => found.flatMap((one) => (one as Fields)?.[name] ?? []), [document]);
}

/** Whether a document meets a condition of a partial index: `{ $exists: true }`, or a value. */
function isMet(document: Fields, field: string, condition: unknown): boolean {
  const values = valuesAt(document, field);
  return typeof condition === 'object' ? values.length > 0 : values.includes(condition);
}

/** The bytes of the keys of a document in each index that contains it. */
function keyBytes(document: Fields, { indexes }: CollectionIndexes): Map<string, number> {
  const found = new Map<string, number>();
  for (const { key, name, partialFilterExpression = {} } of indexes) {
    if (
      !Object.entries(partialFilterExpression).every(([field, condition]) =>
        isMet(document, field, condition),
      )
    )
      continue;
    const values = Object.keys(key).map((field) => valuesAt(document, field));
    const entries = Math.max(1, ...values.map((given) => given.length));
    const longest = values.map(([value]) => (typeof value === 'string' ? Buffer.byteLength(value) : 8));
    const bytes = longest.reduce((sum, length) => sum + length, bytesOfPlace);
    found.set(name ?? Object.keys(key).join(', '), entries * bytes);
  }
  return found;
}

/** What documents of one collection weigh, in bytes of each. */
export interface Weight {
  readonly collection: string;
  readonly document: number;
  /** By the fields of the index, or its name. Every collection also has the index `_id`. */
  readonly keys: ReadonlyMap<string, number>;
}

/**
 * What a usual user, its event, its reserved identifier and a membership weigh: the bytes of the document (BSON), and of its keys in
 * each index. MongoDB compresses both on disk. No store is needed.
 */
export function weights(): Weight[] {
  const orgId = newId();
  const now = new Date();
  const user: User = {
    ...normalizeProfile({
      userName: 'barbara.jensen@example.com',
      externalId: newId(),
      name: { givenName: 'Barbara', familyName: 'Jensen' },
      emails: [{ value: 'barbara.jensen@example.com', type: 'work', primary: true }],
      phoneNumbers: [{ value: '+4912345678901', type: 'work' }],
      title: 'Tour Guide',
      userType: 'Employee',
      employeeNumber: '701984',
      department: 'Tour Operations',
      manager: newId(),
    }),
    id: newId(),
    orgId,
    version: 1,
    created: now,
    lastModified: now,
  };
  const hash = `$argon2id$v=19$m=19456,t=2,p=1$${'a'.repeat(22)}$${'b'.repeat(43)}`;
  const groupId = newId();
  const { id: eventId, ...event } = userAdded(user, { userId: newId(), service: 'scim' });
  const documents: [Fields, CollectionIndexes][] = [
    [{ ...toDocument(orgId, user, { hash, changed: now }) }, userIndexes],
    [{ _id: eventId, ...event }, eventIndexes],
    [{ _id: user.id, orgId, kind: 'user' }, identifierIndexes],
    [{ _id: `${groupId} ${user.id}`, orgId, groupId, userId: user.id, schemaVersion: 1 }, groupMemberIndexes],
  ];
  return documents.map(([document, declared]) => ({
    collection: declared.collection,
    document: calculateObjectSize(document),
    keys: new Map([
      ['_id', Buffer.byteLength(String(document['_id'])) + bytesOfPlace],
      ...keyBytes(document, declared),
    ]),
  }));
}
