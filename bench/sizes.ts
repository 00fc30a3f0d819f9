import { calculateObjectSize } from 'bson';
import { groupMemberIndexes } from '#src/directory/groups/group-members.store.js';
import { normalizeProfile } from '#src/directory/users/normalize-profile.js';
import { userIndexes } from '#src/directory/users/search/user-indexes.js';
import type { User } from '#src/directory/users/user.js';
import { toDocument } from '#src/directory/users/user-document.js';
import { userAdded } from '#src/directory/users/user-events.js';
import { newId } from '#src/platform/ids.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';

/**
 * Prints what a usual user, its event and a membership weigh: the bytes of the document (BSON), and of its keys in each index. MongoDB
 * compresses both on disk. No store is needed.
 */

/** A place in the tree of an index, beside the key. */
const bytesOfPlace = 12;

type Fields = Readonly<Record<string, unknown>>;

function valuesAt(document: unknown, path: string): unknown[] {
  return path
    .split('.')
    .reduce<unknown[]>((found, name) => found.flatMap((one) => (one as Fields)?.[name] ?? []), [document]);
}

/** The bytes of the keys of a document in each index that contains it. */
function keyBytes(document: Fields, { indexes }: CollectionIndexes): Map<string, number> {
  const found = new Map<string, number>();
  for (const { key, name, partialFilterExpression } of indexes) {
    const values = Object.keys(key).map((field) => valuesAt(document, field));
    if (partialFilterExpression !== undefined && values.some((given) => given.length === 0)) continue;
    const entries = Math.max(1, ...values.map((given) => given.length));
    const longest = values.map(([value]) => (typeof value === 'string' ? Buffer.byteLength(value) : 8));
    const bytes = longest.reduce((sum, length) => sum + length, bytesOfPlace);
    found.set(name ?? Object.keys(key).join(', '), entries * bytes);
  }
  return found;
}

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
const documents: [string, Fields, CollectionIndexes | undefined][] = [
  ['users', { ...toDocument(orgId, user, { hash, changed: now }) }, userIndexes],
  ['events', { ...userAdded(user, { userId: newId(), service: 'scim' }) }, undefined],
  [
    'groupMembers',
    { _id: `${groupId} ${user.id}`, orgId, groupId, userId: user.id, schemaVersion: 1 },
    groupMemberIndexes,
  ],
];
for (const [collection, document, indexes] of documents) {
  const keys = indexes === undefined ? new Map<string, number>() : keyBytes(document, indexes);
  const sum = [...keys.values()].reduce((total, bytes) => total + bytes, 0);
  console.log(`${collection}: ${calculateObjectSize(document)} bytes, ${sum} bytes in ${keys.size} indexes`);
  for (const [name, bytes] of keys) console.log(`  ${name}: ${bytes}`);
}
