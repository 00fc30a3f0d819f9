import t from 'tap';
import type { User } from '#src/directory/user.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import type { SortPosition } from '#src/platform/mongo/read-sorted.js';
import { compileFilter } from '#src/scim/filter/compile-filter.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { openTestContainer } from '../../../support/app/test-container.js';

const { container } = await openTestContainer(t);
const { users, mongo } = container;
const at = new Date('2026-01-02T03:04:05.678Z');
const orgId = 'narrow';

// Identifiers run against userNames. The last two differ only in their UTF-8 bytes.
const count = 1_150;
const idOf = (n: number) =>
  n === 0 ? 'z\u{1f600}' : n === 1 ? 'z\uffee' : `id-${String(count - n).padStart(5, '0')}`;
const all = Array.from({ length: count }, (_, n): User => {
  const number = String(n).padStart(5, '0');
  const profile = normalizeProfile({
    userName: `u${number}@example.com`,
    name: { givenName: 'Ada', familyName: n % 10 === 0 ? 'Ten' : 'Other' },
    employeeNumber: `E${number}`,
    ...(n % 4 === 0 && { manager: 'boss' }),
    emails: [{ value: `u${number}@a.example` }, { value: `u${number}@b.example` }],
  });
  return { ...profile, id: idOf(n), orgId, version: 1, created: at, lastModified: at };
});
await mongo.transaction((transaction) =>
  users.insert(
    orgId,
    all.map((user) => ({ user })),
    transaction,
  ),
);
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const filters: [filter: string, fits: (n: number) => boolean][] = [
  ['userName eq "U00007@example.com"', (n) => n === 7],
  ['userName eq "nobody"', () => false],
  ['userName sw "u0000"', (n) => n < 10],
  ['userName sw "u001"', (n) => n >= 100 && n < 200],
  ['userName sw "u000"', (n) => n < 100],
  ['userName ew "example.com"', () => true],
  ['name.familyName eq "ten"', (n) => n % 10 === 0],
  ['emails.value sw "u01"', (n) => n >= 1_000],
  [`${enterprise}:employeeNumber eq "e00007"`, (n) => n === 7],
  [`${enterprise}:manager.value eq "boss"`, (n) => n % 4 === 0],
  [`${enterprise}:manager.value eq "nobody"`, () => false],
  ['userName sw "u00" and name.familyName eq "ten"', (n) => n < 1_000 && n % 10 === 0],
];

for (const direction of [1, -1] as const) {
  for (const [filter, fits] of filters) {
    t.test(`${filter} in ${direction === 1 ? 'ascending' : 'descending'} order of ids`, async (t) => {
      const wanted = all.flatMap(({ id }, n) => (fits(n) ? [id] : [])).sort(byBytes);
      if (direction === -1) wanted.reverse();
      const query = {
        filter: compileFilter(filter, userSchema),
        sort: { field: '_id', direction },
        limit: 100,
      };
      const paged: string[] = [];
      for (let skip = 0; skip <= wanted.length; skip += 100) {
        paged.push(...(await users.page(orgId, { ...query, skip })).users.map(({ id }) => id));
      }
      t.same(paged, wanted, 'by index');
      const continued: string[] = [];
      for (let after: SortPosition | undefined; ; ) {
        const { users: page, last } = await users.page(orgId, { ...query, skip: 0, ...(after && { after }) });
        continued.push(...page.map(({ id }) => id));
        if (last === undefined || page.length < 100) break;
        after = last;
      }
      t.same(continued, wanted, 'by position');
    });
  }
}
