import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { recoverInstance, type WantedRecovery } from '#src/cli/recover/recover-instance.js';
import { createOutput } from '#src/cli/terminal/output.js';
import type { SignInPolicy } from '#src/directory/sign-in-policy.js';
import { createSealer } from '#src/keys/sealer.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { changeUser } from '#src/people/users/change-user.js';
import { asInput } from '#src/people/users/display-name.js';
import type { Rooms } from '#src/rooms.js';
import { makeAdministrator } from '../../support/app/administrators.js';
import { makeCaller, makeOrganization, testEditor, uniqueName } from '../../support/app/make.js';
import { makeApplication, postForm, redeemCode } from '../../support/app/oauth-client.js';
import { giveTotp, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';

const opened = await buildTestApp(t);
const { container, call, app } = opened;
/** The command is another process on the same stores. */
const command = await opened.openAnother();
await container.signingKeys.publicJwks();

/** Two owners who are people, and one who is a service user. */
async function setUp() {
  const home = await makeHome(container, { name: 'Acme' });
  const lost = await makeAdministrator({ container, call }, home, { roles: ['IAM_OWNER'] });
  const other = await makeAdministrator({ container, call }, await makeOrganization(container), {
    roles: ['IAM_OWNER'],
  });
  const service = await makeCaller(container, home.id, ['IAM_OWNER']);
  /** Runs the command. @param typed what the person types when asked */
  const run = async (wanted: WantedRecovery, typed = '', rooms: Rooms = command) => {
    const [out, err]: [string[], string[]] = [[], []];
    const output = createOutput(
      { stdout: { write: (text) => out.push(text) }, stderr: { write: (text) => err.push(text) } },
      false,
    );
    const asked: string[] = [];
    const terminal = {
      ask: async (question: string) => {
        asked.push(question);
        return typed;
      },
    };
    const failed = await recoverInstance(rooms, wanted, { output, terminal }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    const text = out.join('');
    return { out: text, err: err.join(''), asked, failed, link: /^(\S+token=\S+)\n$/m.exec(text)?.[1] };
  };
  const events = async (aggregateId = lost.id) => {
    const as = other;
    const body = { aggregateId, eventTypes: ['user.human.recovered'] };
    return (await call('POST /admin/v1/events/_search', { as, body })).body.events;
  };
  const findUser = (id = lost.id, orgId = home.id) => container.users.find(orgId, id);
  return { home, lost, other, service, run, events, findUser };
}

/** Opens the link in a new browser. */
async function openLink(link = '') {
  const visitor = visit(app, container);
  return { visitor, form: await visitor.get(link.replace(container.config.baseUrl, '')) };
}

/** Sets a password by the link. The person is then signed in. */
async function useLink(link: string | undefined) {
  const { visitor, form } = await openLink(link);
  await visitor.fill(form, { password: 'Battery-Staple-9', repeated: 'Battery-Staple-9' });
  return { text: form.text, account: (await visitor.get('/account')).status };
}

t.test('without options it names the owners', async (t) => {
  const { run, lost, other, service, events } = await setUp();
  const { out, err, asked, failed } = await run({ kind: 'list' });
  t.equal(failed, undefined);
  for (const { id } of [lost, other, service]) t.match(out, id);
  t.match(out, new RegExp(`${lost.userName} +Anna Lind +person +active +no +Acme`));
  t.match(out, /service user +active/);
  t.match(err, '--owner');
  t.same(asked, []);
  t.same(await events(), [], 'and changes nothing');
});

t.test('an owner gets a link, while processes run', async (t) => {
  const { run, lost, other, home, events, findUser } = await setUp();
  const client = await makeApplication(container, home.id);
  const person = await findUser();
  if (person === undefined) return t.fail('no owner');
  const grant = { scope: 'openid offline_access', authTime: container.clock.now() };
  const { body: tokens } = await redeemCode({ container, call }, { client, person, grant });
  const browser = visit(app, container);
  const page = await browser.get('/login');
  await browser.fill(page, { loginName: lost.userName, password: 'Correct-Horse-7' });
  t.equal((await browser.get('/account')).status, 200);
  t.equal((await call('GET /admin/v1/orgs', { as: lost })).status, 200);

  const {
    link = '',
    failed,
    asked,
    out,
    err,
  } = await run(
    { kind: 'owner', name: lost.userName.toUpperCase(), removeSecondFactor: false },
    lost.userName,
  );
  t.equal(failed, undefined);
  t.equal(asked.length, 1);
  t.match(link, `${container.config.baseUrl}/login/password?token=`);
  t.equal(out.split(link).length, 2, 'the link is shown once');
  t.notMatch(err, link);

  t.equal((await call('GET /admin/v1/orgs', { as: lost })).status, 401, 'tokens end');
  t.not((await browser.get('/account')).status, 200, 'sessions end');
  const refreshed = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token: tokens.refresh_token },
    as: client.credentials,
  });
  t.equal(refreshed.body.error, 'invalid_grant', 'refresh tokens end');
  t.equal((await call('GET /admin/v1/orgs', { as: other })).status, 200, 'those of others do not');
  t.match(await events(), [
    {
      type: 'user.human.recovered',
      aggregate: { id: lost.id, resourceOwner: home.id },
      editor: { userId: 'muster-recover', service: 'recover' },
      payload: { secondFactorRemoved: false },
    },
  ]);
  const secret = link.split('token=')[1] ?? '';
  const { body: all } = await call('POST /admin/v1/events/_search', {
    as: other,
    body: { aggregateId: lost.id },
  });
  t.notMatch(JSON.stringify(all), secret);
  t.match(
    all.events.map(({ type }: { type: string }) => type),
    ['user.human.recovered', 'user.human.link.added'],
  );

  const used = await useLink(link);
  t.match(used.text, lost.userName);
  t.equal(used.account, 200);
  t.equal((await openLink(link)).form.status, 400, 'the link works once');
});

t.test('the second factor is removed only if that is asked for', async (t) => {
  const { run, lost, other, home, events, findUser } = await setUp();
  const person = await findUser();
  if (person === undefined) return t.fail('no owner');
  await giveTotp(container, person);
  const factor = async () => (await container.accounts.find(home.id, lost.id))?.totp;
  const wanted = { kind: 'owner', name: lost.id } as const;
  const kept = await run({ ...wanted, removeSecondFactor: false }, lost.userName);
  t.match(kept.err, '--remove-second-factor');
  t.ok(await factor());
  const removed = await run({ ...wanted, removeSecondFactor: true }, lost.userName);
  t.match(removed.err, 'The second factor of this person is removed');
  t.equal(await factor(), undefined);
  t.match(
    (await events()).map(({ payload }: { payload: object }) => payload),
    [{ secondFactorRemoved: true }, { secondFactorRemoved: false }],
  );
  const body = { aggregateId: lost.id, eventTypes: ['user.human.mfa.otp.removed'] };
  const { body: found } = await call('POST /admin/v1/events/_search', { as: other, body });
  t.match(found.events, [{ editor: { userId: 'muster-recover' } }], 'the event that every removal has');
  t.equal((await openLink(kept.link)).form.status, 400, 'a later link replaces an earlier one');
  t.equal((await useLink(removed.link)).account, 200, 'signed in with the password alone');
});

t.test('locks after wrong passwords and codes end', async (t) => {
  const { run, lost } = await setUp();
  const { loginAttempts, codeAttempts } = container;
  const locks = async () =>
    Promise.all([
      loginAttempts.standing(`password:${lost.id}`, 3).then(({ lockedMs }) => lockedMs > 0),
      codeAttempts.standing(`code:${lost.id}`, 3).then(({ lockedMs }) => lockedMs > 0),
    ]);
  for (let n = 0; n < 4; n++) {
    await loginAttempts.begin(`password:${lost.id}`, 3);
    await codeAttempts.begin(`code:${lost.id}`, 3);
  }
  t.same(await locks(), [true, true]);
  await run({ kind: 'owner', name: lost.userName, removeSecondFactor: false }, lost.userName);
  t.same(await locks(), [false, false]);
});

t.test('a link leads to what the policy of the organization lets its owners begin with', async (t) => {
  const { run, home, lost, other, events } = await setUp();
  const setPolicy = (signInPolicy: SignInPolicy) =>
    changeOrganization(container, { orgId: home.id, change: { signInPolicy }, editor: testEditor });
  const wanted = { kind: 'owner', name: lost.userName, removeSecondFactor: false } as const;
  await setPolicy({ firstFactors: ['connection', 'mailLink'] });
  const newOwner = (orgId: string) => ({ kind: 'newOwner', userName: uniqueName('rescuer'), orgId }) as const;
  for (const one of [wanted, newOwner(home.id)]) {
    const refused = await run(one, one.kind === 'owner' ? lost.userName : one.userName);
    t.match(refused.failed, /would lead nowhere.*--org. Nothing was changed/);
    t.same(refused.asked, [], 'nothing is asked');
    t.same(refused.link, undefined);
  }
  t.same(await events(), []);
  const elsewhere = newOwner(other.orgId);
  t.ok((await run(elsewhere, elsewhere.userName)).link, 'another organization lets an owner in');

  await setPolicy({ firstFactors: ['connection'], breakGlassOwners: [lost.id] });
  await addMembership(container, {
    ...{ userId: lost.id, role: 'ORG_OWNER', orgId: home.id, editor: testEditor },
  });
  const breaksGlass = await run(wanted, lost.userName);
  t.match(breaksGlass.err, 'a link for a new password');
  t.ok(breaksGlass.link);

  await setPolicy({ firstFactors: ['passkey'] });
  const { err, link } = await run(wanted, lost.userName);
  t.match(err, 'a link for a new passkey');
  const { visitor, form } = await openLink(link);
  t.match((await visitor.fill(form, {}, '/login/password')).location, /^\/login\/enrol-passkey/);
});

t.test('nothing changes without the right confirmation, name or keys', async (t) => {
  const { run, lost, other, service, events, findUser, home } = await setUp();
  const before = await findUser();
  const wanted = { kind: 'owner', name: lost.userName, removeSecondFactor: true } as const;
  for (const typed of ['', 'yes', 'y', other.userName, lost.userName.toUpperCase(), lost.userName.slice(1)]) {
    const { failed, link, out } = await run(wanted, typed);
    t.match(failed, /That is not the login name.*Nothing was changed/, typed);
    t.equal(link, undefined);
    t.equal(out, '');
  }
  for (const name of ['nobody', '', service.id, 'a'.repeat(10_000), '\u001b[2J']) {
    const { failed, asked, link } = await run({ ...wanted, name }, name);
    t.match(failed, /No person with the role IAM_OWNER has the name or identifier/);
    t.notMatch(failed, '\u001b');
    t.same([asked, link], [[], undefined]);
  }
  const plain = await makePerson(container, home);
  t.match((await run({ ...wanted, name: plain.userName }, plain.userName)).failed, /No person with the role/);

  const wrong = {
    ...container,
    signingKeyRotation: {
      ...container.signingKeyRotation,
      sealer: createSealer([{ id: 'k1', key: Buffer.alloc(32, 9) }], 'signing-key'),
    },
  };
  for (const anything of [wanted, { kind: 'list' }, { kind: 'newOwner', userName: 'new' }] as const) {
    const refused = await run(anything, lost.userName, wrong);
    t.match(refused.failed, /^None of MUSTER_MASTER_KEYS opens the signing key/);
    t.equal(refused.out, '', 'it names nobody');
  }
  t.same(await findUser(), before);
  await changeUser(container, {
    organization: home,
    id: lost.id,
    editor: testEditor,
    change: (current) => ({ profile: { ...asInput(current), active: false } }),
  });
  t.match((await run(wanted, lost.userName)).failed, /is inactive.*--new-owner/);
  t.same(await events(), []);
});

t.test('an owner who loses the role meanwhile gets no link', async (t) => {
  const { run, lost, events } = await setUp();
  const another = {
    ...container,
    memberships: {
      ...container.memberships,
      ofUser: async () => [],
    },
  };
  const { failed, link } = await run(
    { kind: 'owner', name: lost.id, removeSecondFactor: false },
    lost.userName,
    another as Rooms,
  );
  t.match(failed, /Run muster recover again/);
  t.equal(link, undefined);
  t.same(await events(), []);
});

t.test('a new owner is added, and an existing person becomes one', async (t) => {
  const { run, events, home, lost } = await setUp();
  const userName = uniqueName('rescuer');
  const orgId = home.id;
  const wanted = { kind: 'newOwner', userName, orgId, email: 'rescuer@example.com' } as const;
  t.match((await run(wanted, 'no')).failed, /Nothing was changed/);
  t.equal(await container.accounts.findByUserName(orgId, userName), undefined);
  const made = await run(wanted, userName);
  t.equal(made.failed, undefined);
  const { user } = (await container.accounts.findByUserName(orgId, userName)) ?? {};
  t.match(user, { userName, active: true, emails: [{ value: 'rescuer@example.com' }] });
  t.match(await container.memberships.ofUser(user?.id ?? ''), [{ role: 'IAM_OWNER' }]);
  t.equal((await useLink(made.link)).account, 200);

  const person = await makePerson(container, home);
  const raised = await run({ kind: 'newOwner', userName: person.userName, orgId }, person.userName);
  t.equal(raised.failed, undefined);
  t.match(await container.memberships.ofUser(person.id), [{ role: 'IAM_OWNER' }]);
  for (const id of [person.id, user?.id]) t.equal((await events(id)).length, 1, 'every owner sees it');
  t.match(
    (await run({ kind: 'newOwner', userName: lost.userName, orgId }, lost.userName)).failed,
    /is an owner already/,
  );
  for (const bad of [
    { orgId: 'none' },
    { userName: '' },
    { userName: 'x'.repeat(201) },
    { email: 'no address' },
  ]) {
    const { failed, link } = await run({ ...wanted, userName: 'another', ...bad }, bad.userName ?? 'another');
    t.ok(failed, JSON.stringify(bad));
    t.equal(link, undefined);
  }
});

t.test('a database that no process has served tells nothing about the keys', async (t) => {
  const { run } = await setUp();
  await container.mongo.db.collection('signingKeys').deleteMany({});
  t.match((await run({ kind: 'list' })).failed, /No process has served this database yet/);
});
