import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { openImportFile } from '#src/cli/jobs/import-file/open-import-file.js';
import { importBody } from '#src/cli/jobs/import-stream.js';
import { planSteps } from '#src/cli/jobs/plan-steps.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { readContents } from '#src/migration/plan/read-contents.js';

const nowhere = { write: () => true };
const output = createOutput({ stdout: nowhere, stderr: nowhere }, false);
const folder = mkdtempSync(join(tmpdir(), 'muster-plan-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const bcrypt = `$2b$10$${'.'.repeat(53)}`;

function person(number: number, user: object = {}) {
  return { userId: `p-${number}`, user: { userName: `p-${number}`, ...user } };
}

/** @param size bytes of each piece */
async function* piecesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const readBody = (body: unknown, { sampleSize = 1, pieces = 65_536 } = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readContents(piecesOf(text, pieces), { name: 'a file', sampleSize });
};

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
  const body = { dataOrgs: { orgs: [{ orgId: 'a', humanUsers, groups }, { orgId: 'b' }] } };
  const { lists, hashes, sample, ...counts } = await readBody(body, { sampleSize: 2 });
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

t.test('every form of the file of an import is read', async (t) => {
  const lists = { humanUsers: [person(1, { hashedPassword: { value: bcrypt } })], groups: [] };
  const exported = JSON.stringify({ orgs: [{ orgId: 'a', ...lists }] });
  const record = { orgId: 'a', list: 'humanUsers', record: lists.humanUsers[0] };
  for (const [form, content] of Object.entries({
    body: JSON.stringify({ timeout: '5m', dataOrgs: { orgs: [{ orgId: 'a', ...lists }] } }),
    export: exported,
    'with a byte order mark': `\ufeff${exported}`,
    gzip: gzipSync(exported),
    list: JSON.stringify([{ orgId: 'a', ...lists }]),
    lines: `${JSON.stringify({ orgId: 'a' })}\n${JSON.stringify(record)}\n`,
  })) {
    const path = join(folder, 'file');
    writeFileSync(path, content);
    const file = await openImportFile(path, { dryRun: true });
    const body = importBody({ ...file, added: '' }, { output, label: 'reading' });
    const contents = await readContents(body, { name: path, sampleSize: 1 });
    t.equal(contents.organizations, 1, form);
    t.equal(contents.lists.get('humanUsers'), 1, form);
    t.same([Object.fromEntries(contents.hashes), contents.sample], [{ $2b$: 1 }, ['hash']], form);
  }
});

t.test('records that cross the pieces of a large file are counted once', async (t) => {
  const humanUsers = Array.from({ length: 3_000 }, (_, number) =>
    person(number, { profile: { nickName: 'ü'.repeat(400) }, hashedPassword: { value: bcrypt } }),
  );
  for (const pieces of [100, 65_536, 2 ** 20]) {
    const { lists, hashes } = await readBody(
      { dataOrgs: { orgs: [{ orgId: 'a', humanUsers }] } },
      { pieces },
    );
    t.equal(lists.get('humanUsers'), 3_000);
    t.equal(hashes.get('$2b$'), 3_000);
  }
});

t.test('a record of 1 MiB is read wherever pieces end, and a longer one is only counted', async (t) => {
  const filled = (number: number, bytes: number) => {
    const hashedPassword = { value: bcrypt };
    const empty = JSON.stringify(person(number, { hashedPassword, note: '' })).length;
    return person(number, { hashedPassword, note: 'x'.repeat(bytes - empty) });
  };
  const humanUsers = [
    ...[1, 2, 3, 4].map((number) => filled(number, 2 ** 20)),
    filled(5, 2 ** 20 + 1),
    filled(6, 2 ** 20),
  ];
  for (const pieces of [100, 65_536, 2 ** 20]) {
    const { lists, hashes } = await readBody(
      { dataOrgs: { orgs: [{ orgId: 'a', humanUsers }] } },
      { pieces },
    );
    t.equal(lists.get('humanUsers'), 6);
    t.equal(hashes.get('$2b$'), 5);
  }
});

t.test('what is no body of an import is refused', async (t) => {
  for (const text of ['', '[]', '{', '{"dataOrgs":{"orgs":[{"humanUsers":[{]}]}}'])
    await t.rejects(readBody(text), /a file cannot be read as an import/, text);
});

t.test('the steps say what is to be done, and leave out the rest', async (t) => {
  const contents = await readBody({
    dataOrgs: { orgs: [{ orgId: 'a', humanUsers: [person(1), person(2)] }] },
  });
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
    path: 'body.json',
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
