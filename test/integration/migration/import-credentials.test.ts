import t from 'tap';
import { putMigrationHook } from '#src/authentication/migration-hook/put-migration-hook.js';
import type { Json } from '../../../dev/stage/http-client.js';
import { testEditor as editor, makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { humanUser, importOf } from '../../support/migration/imports.js';

/** People whose hash cannot be read, and people who have nothing to sign in with. */

const { container, call } = await buildTestApp(t, { workers: true });
const home = await makeOrganization(container);
const as = await makeCaller(container, home.id, ['IAM_OWNER']);

async function send(orgId: string, users: readonly unknown[], more: Record<string, unknown> = {}) {
  const { status, body } = await call('POST /admin/v1/import', { as, body: importOf(orgId, users, more) });
  return { status, ...body };
}

const codesOf = ({ errors = [] }: Json) =>
  errors.map(({ id, message }: Json) => `${id} ${message.split(':')[0]}`);

const none = { hashedPassword: undefined, email: undefined };
const people = [
  humanUser('hash'),
  humanUser('link', { hashedPassword: undefined }),
  humanUser('bare', none),
  humanUser('mute', { ...none, email: { email: 'mute@example.com', isEmailVerified: false } }),
  humanUser('off', { ...none, scim: { active: false } }),
];

t.test('people without credentials: by default, by the rule, and where there is a hook', async (t) => {
  const { id: plain } = await makeOrganization(container);
  const refused = await send(plain, people);
  t.same(codesOf(refused), ['id-bare HASH-MISSING', 'id-mute HASH-MISSING']);
  t.match(refused, { signIns: { password: 1, link: 1, hook: 0, none: 0, disabled: 1 } });
  const dry = await send(plain, people, { without_credentials: 'allow', dryRun: true });
  t.match(dry, { errors: undefined, summary: { created: 2 }, signIns: { password: 0, none: 2 } });
  const allowed = await send(plain, people, { withoutCredentials: 'allow' });
  t.match(allowed, { errors: undefined, summary: { created: 2, skipped: 3 }, signIns: { none: 2 } });
  t.match(await container.users.find(plain, 'id-bare'), { userName: 'bare', active: true });

  const { id: hooked } = await makeOrganization(container);
  await putMigrationHook(container, { orgId: hooked, url: 'https://former.example/hook', editor });
  const own = people.map((one) => ({ ...one, userId: `hooked-${one.userId}` }));
  const strict = await send(hooked, own, { withoutCredentials: 'refuse', dryRun: true });
  t.same(codesOf(strict), ['hooked-id-bare HASH-MISSING', 'hooked-id-mute HASH-MISSING']);
  t.match(await send(hooked, own), {
    errors: undefined,
    summary: { created: 5 },
    signIns: { password: 1, link: 1, hook: 2, none: 0, disabled: 1 },
  });
  const verified = await call('POST /admin/v1/verify', { as, body: importOf(hooked, own) });
  t.match(verified.body, { isSame: true });
});

t.test('a hash that cannot be read is left out on request', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const own = [
    humanUser('fine', { userId: 'd-fine' }),
    humanUser('cut', { userId: 'd-cut', hashedPassword: { value: '$2b$10$aXpKs' } }),
    humanUser('costly', { userId: 'd-costly', hashedPassword: { value: `$2b$31$${'k'.repeat(53)}` } }),
    humanUser('empty', { ...none, userId: 'd-empty', hashedPassword: { value: '' } }),
  ];
  const codes = ['d-cut HASH-UNREADABLE', 'd-costly HASH-COST', 'd-empty HASH-MISSING'];
  t.same(codesOf(await send(orgId, own, { dryRun: true })), codes);
  const drop = { unreadableHashes: 'drop' };
  const answer = await send(orgId, own, drop);
  t.match(answer, {
    errors: undefined,
    summary: { created: 4 },
    signIns: { password: 1, link: 2, none: 1 },
    warnings: [{ path: 'orgs[].humanUsers[].user.hashedPassword', count: 3 }],
  });
  t.notMatch(JSON.stringify(answer), /aXpKs|kkkk/, 'no report has a hash');
  const verified = await call('POST /admin/v1/verify', { as, body: importOf(orgId, own, drop) });
  t.match(verified.body, { isSame: true });
  t.match(await send(orgId, own, drop), { summary: { skipped: 4 } }, 'sent again');
  const [, cut] = own;
  t.match(
    await send(orgId, [humanUser('fine', { userId: 'd-fine', hashedPassword: cut?.user.hashedPassword })], {
      ...drop,
      update: true,
    }),
    {
      summary: { updated: 0, skipped: 1 },
    },
  );
  t.match(
    (await container.accounts.find(orgId, 'd-fine'))?.password,
    { hash: /^\$2b\$04/ },
    'an update keeps the hash',
  );
});

t.test('a password in plain text that no sign-in takes is told, or left out on request', async (t) => {
  const { id: orgId } = await makeOrganization(container);
  const long = humanUser('long', {
    userId: 'd-long',
    hashedPassword: undefined,
    password: `Correct-Horse-7${'x'.repeat(190)}`,
  });
  const refused = await send(orgId, [long]);
  t.match(refused.errors, [{ message: /^PASSWORD-WEAK: .*at most 200 characters/ }]);
  const dropped = await send(orgId, [long], { unreadableHashes: 'drop' });
  t.match(dropped, {
    errors: undefined,
    signIns: { password: 0, link: 1 },
    warnings: [{ path: 'orgs[].humanUsers[].user.password', count: 1 }],
  });
});

t.test('other words are refused, and change nothing', async (t) => {
  for (const more of [
    { withoutCredentials: true },
    { withoutCredentials: 'Allow' },
    { unreadableHashes: ['drop'] },
  ]) {
    t.match(
      await send(home.id, [humanUser('word')], more),
      { status: 400, id: 'import.bodyMalformed' },
      JSON.stringify(more),
    );
  }
  t.match(await send(home.id, [], { withoutCredentials: null, unreadable_hashes: 'refuse' }), {
    status: 200,
  });
});
