import t from 'tap';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { toDocument } from '#src/people/users/user-document.js';
import { newId } from '#src/platform/ids.js';
import { equalDocument, type PersonBody } from '../../../bench/peers/equal-document.js';
import { profileOf } from '../../../bench/people.js';

const orgId = newId();
const profile = profileOf(0);

t.test('the documents of the peer have the members and the size of those of the product', (t) => {
  const now = new Date();
  const times = { version: 1, created: now, lastModified: now };
  const stored = toDocument(orgId, { ...normalizeProfile(profile), id: newId(), orgId, ...times });
  t.strictSame(membersOf(equalDocument(orgId, profile as unknown as PersonBody)), membersOf(stored));
  t.end();
});

/** The document with the length of each text in its place. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersOf);
  if (value instanceof Date) return 'date';
  if (typeof value === 'string') return value.length;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, membersOf(member)]));
}
