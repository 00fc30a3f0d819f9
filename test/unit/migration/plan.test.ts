import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { planSteps } from '#src/cli/jobs/plan-steps.js';
import { readContents } from '#src/migration/plan/read-contents.js';

const folder = mkdtempSync(join(tmpdir(), 'muster-plan-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const bcrypt = `$2b$10$${'.'.repeat(53)}`;

function person(number: number, user: object = {}) {
  return { userId: `p-${number}`, user: { userName: `p-${number}`, ...user } };
}

function write(value: unknown): string {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

t.test('people are counted by what their passwords are', async (t) => {
  const humanUsers = [
    person(1, { hashedPassword: { value: bcrypt } }),
    {
      userId: 'p-2',
      user: { user_name: 'p-2', hashed_password: { value: bcrypt }, otp_code: 'JBSWY3DPEHPK3PXP' },
    },
    person(3, { hashedPassword: { value: `{SSHA}${Buffer.alloc(28, 1).toString('base64')}` } }),
    person(4, { hashedPassword: { value: 'nothing known' } }),
    person(5, { password: 'in clear' }),
    person(6, { email: { email: 'six@example.com', isEmailVerified: true } }),
    person(7, { email: { email: 'seven@example.com', isEmailVerified: false } }),
    person(8, {
      email: { email: 'eight@example.com', isEmailVerified: true },
      scim: { emails: [{ value: 'no@example.com', verified: false }] },
    }),
    person(9),
    person(11, { scim: { active: false } }),
    'no record',
    { userId: 'p-10' },
  ];
  const groups = [{ groupId: 'g', group: { displayName: 'G' } }];
  const path = write({ dataOrgs: { orgs: [{ orgId: 'a', humanUsers, groups }, { orgId: 'b' }] } });
  const { lists, hashes, sample, ...counts } = readContents(path, 2);
  t.same(Object.fromEntries(lists), { humanUsers: 12, groups: 1 });
  t.same(Object.fromEntries(hashes), { $2b$: 2, '{SSHA}': 1, 'clear text': 1 });
  t.same(counts, {
    organizations: 2,
    unusableHashes: 1,
    withoutPassword: 4,
    withoutPasswordAndMail: 3,
    withSecondFactor: 1,
  });
  t.same(sample, ['hash', 'hash'], 'the sample has nothing of the people');
});

t.test('records that cross the blocks of a large file are counted once', async (t) => {
  const humanUsers = Array.from({ length: 3_000 }, (_, number) =>
    person(number, { profile: { nickName: 'ü'.repeat(400) }, hashedPassword: { value: bcrypt } }),
  );
  const path = write({ dataOrgs: { orgs: [{ orgId: 'a', humanUsers }] } });
  const { lists, hashes } = readContents(path, 0);
  t.equal(lists.get('humanUsers'), 3_000);
  t.equal(hashes.get('$2b$'), 3_000);
});

t.test('what is no body of an import is refused', async (t) => {
  for (const text of ['', '[]', '{', '{"dataOrgs":{"orgs":[{"humanUsers":[{]}]}}'])
    t.throws(() => readContents(write(text), 1), /is no body of an import/, text);
  t.throws(() => readContents(join(folder, 'absent'), 1), /cannot be read/);
});

t.test('the steps say what is to be done, and leave out the rest', async (t) => {
  const path = write({ dataOrgs: { orgs: [{ orgId: 'a', humanUsers: [person(1), person(2)] }] } });
  const contents = readContents(path, 1);
  const steps = planSteps({
    path: 'body.json',
    contents,
    sample: { people: 1_000, seconds: 0.5 },
    created: 1_000_000,
    skipped: 3,
    failed: 2,
    errors: new Map([['human_user VALUE-INVALID', 2]]),
    losses: [{ path: 'orgs[].humanUsers[].user.shoeSize', count: 7 }],
  });
  t.match(steps, [
    /^Mend 2 records/,
    /values at 1 paths/,
    /creates 1000000 records and skips 3 that exist\. Expect about 8 minutes: 1000 people took 0\.5 s here/,
    /muster verify body\.json/,
    /links to 2 people .* 0 of them can get theirs by mail\. The other 2 have no verified address/,
    /last export .*`muster import FILE --update` adds people who are new, and takes over changes/,
    /^After that update: `muster verify FILE --extra` names what differs.* gone in the old system/,
  ]);
  t.equal(steps.length, 7);
  const clean = {
    path,
    contents: { ...contents, withoutPassword: 0 },
    sample: undefined,
    errors: new Map(),
    losses: [],
  };
  const few = planSteps({ ...clean, created: 2, skipped: 0, failed: 0 });
  t.match(few[0], /^Import: .* creates 2 records\. The time was not measured/);
  t.equal(few.length, 4);
  t.match(few.at(-1), /muster verify FILE --extra/, 'nothing comes after the last comparison');
});
