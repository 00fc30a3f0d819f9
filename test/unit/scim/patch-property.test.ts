import fc from 'fast-check';
import t from 'tap';
import type { User } from '#src/directory/user.js';
import { normalizeProfile } from '#src/people/users/normalize-profile.js';
import { applyPatchToUser } from '#src/scim/patch/apply-patch-to-user.js';
import { parsePatch } from '#src/scim/patch/parse-patch.js';
import { renderUser } from '#src/scim/resources/render-user.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';
import { patchOp } from './patch-exchanges.js';
import { outcome } from './support/outcome.js';
import { userOf } from './support/users.js';

/** Properties of every PATCH of a user (RFC 7644 section 3.5.2). `FUZZ_SEED` repeats a run. */

const runs = { seed: Number(process.env['FUZZ_SEED'] ?? 20_261_122), numRuns: 300 };

interface Operation {
  readonly op: string;
  readonly path?: string;
  readonly value?: unknown;
}

const word = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,8}$/);
const address = word.map((name) => `${name}@example.com`);
const type = fc.constantFrom('work', 'home', 'other');
const email = fc.record({ value: address, type, primary: fc.boolean() }, { requiredKeys: ['value'] });
/** At most the first is primary: a list has one (RFC 7643 section 2.4). */
const emails = fc
  .array(email, { minLength: 1, maxLength: 3 })
  .map(([first, ...others]) => [first, ...others.map((one) => ({ ...one, primary: false }))]);

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Operations that every user allows. */
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({
    op: fc.constantFrom('add', 'replace', 'Replace'),
    path: fc.constantFrom(
      'title',
      'nickName',
      'userName',
      'name.givenName',
      'NAME.familyName',
      'displayName',
    ),
    value: word,
  }),
  fc.record({ op: fc.constantFrom('add', 'replace'), path: fc.constant('active'), value: fc.boolean() }),
  fc.record({ op: fc.constant('remove'), path: fc.constantFrom('title', 'nickName', 'phoneNumbers') }),
  fc.record({
    op: fc.constant('add'),
    path: fc.constant('emails'),
    value: emails,
  }),
  fc.record({ op: fc.constant('replace'), path: fc.constant('emails'), value: fc.tuple(email) }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: type.map((name) => `emails[type eq "${name}"].value`),
    value: address,
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    value: fc.record({ title: word, 'name.givenName': word, active: fc.boolean() }, { requiredKeys: [] }),
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: fc
      .constantFrom('department', 'employeeNumber', 'manager', 'manager.value')
      .map((name) => `${enterprise}:${name}`),
    value: fc.oneof(word, fc.constantFrom('', null)),
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    path: fc.constant(`${enterprise}:manager`),
    value: fc.record({ value: word, displayName: word, $ref: word }, { requiredKeys: [] }),
  }),
  fc.record({
    op: fc.constant('remove'),
    path: fc.constantFrom('', ':department', ':manager').map((name) => `${enterprise}${name}`),
  }),
  fc.record({
    op: fc.constantFrom('add', 'replace'),
    value: fc.record(
      {
        [enterprise]: fc.record({ division: word, manager: word }, { requiredKeys: [] }),
        [`${enterprise}:manager`]: word,
      },
      { requiredKeys: [] },
    ),
  }),
);
const operations = fc.array(operation, { minLength: 1, maxLength: 5 });

/** Operations that are refused for every user, in any position. */
const wrong = fc.constantFrom<Operation>(
  { op: 'replace', path: 'nothing', value: 'x' },
  { op: 'replace', path: 'id', value: 'x' },
  { op: 'replace', path: 'emails[value eq', value: 'x' },
  { op: 'replace', path: 'emails[value sw "nobody-"].value', value: 'x@example.com' },
  { op: 'replace', path: 'active', value: 'perhaps' },
  { op: 'replace', path: 'userName', value: { givenName: 'x' } },
  { op: 'replace', path: 'locale', value: 'no locale' },
  { op: 'replace', path: `${enterprise}:manager`, value: ['m', 'n'] },
  { op: 'replace', path: enterprise, value: 'x' },
  { op: 'remove' },
);

const start = () => userOf({ title: 'Guide', phoneNumbers: [{ value: '+1555', type: 'work' }] });

function patched(user: User, list: readonly Operation[]): User {
  const { profile } = applyPatchToUser(
    user,
    parsePatch({ schemas: [patchOp], Operations: list }, userSchema),
    userSchema,
  );
  const { id, orgId, version, created, lastModified } = user;
  return { ...normalizeProfile(profile), id, orgId, version, created, lastModified };
}

/** As clients see it. */
const shown = (user: User) => renderUser(user, { baseUrl: '', userSchema });

t.test('all at once comes to the same as one after another', async (t) => {
  const property = fc.property(operations, (list) => {
    const stepwise = list.reduce((user, one) => patched(user, [one]), start());
    t.strictSame(shown(patched(start(), list)), shown(stepwise), JSON.stringify(list));
  });
  fc.assert(property, { ...runs, numRuns: 200 });
});

t.test('the same again changes nothing', async (t) => {
  const property = fc.property(operation, (one) => {
    const once = patched(start(), [one]);
    t.strictSame(shown(patched(once, [one])), shown(once), JSON.stringify(one));
  });
  fc.assert(property, runs);
});

t.test('one wrong operation, wherever it stands, refuses all and leaves the user as it was', async (t) => {
  const property = fc.property(operations, wrong, fc.nat(), (list, bad, at) => {
    const user = start();
    const before = structuredClone(user);
    const all = list.toSpliced(at % (list.length + 1), 0, bad);
    const result = outcome(() => patched(user, all));
    t.type(result, 'string', JSON.stringify(all));
    t.strictSame(user, before);
  });
  fc.assert(property, { ...runs, numRuns: 200 });
});

t.test('one e-mail address is primary, always', async (t) => {
  const property = fc.property(operations, (list) => {
    const { emails } = patched(start(), list);
    t.equal(emails.filter(({ primary }) => primary).length, 1, JSON.stringify(list));
  });
  fc.assert(property, runs);
});
