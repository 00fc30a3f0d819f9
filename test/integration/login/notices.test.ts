import t from 'tap';
import { removePasskey } from '#src/authentication/passkeys/index.js';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { mostMailsOfPerson, sendNotices } from '#src/login/mail/notices/send-notices.js';
import { gatherMs } from '#src/notices/notices.store.js';
import { endSessions } from '#src/sessions/end-sessions.js';
import { noticesWorker } from '#workers/notices.worker.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { makeTenant, testEditor, uniqueName } from '../../support/app/make.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { type Visitor, type VisitorOptions, visit } from '../../support/oidc/visitor.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';

const server = await startMailServer(t);
const { container, app, call, clock } = await buildTestApp(t, {
  loginFailureMilliseconds: 0,
  smtpUrl: server.url,
  noticeMailsPerDay: 40,
});
const { orgId, owner } = await makeTenant(container);
const homeOf = async (id: string): Promise<Organization> => {
  const found = await container.organizations.find(id);
  if (found === undefined) throw new Error('The organization is gone');
  return found;
};
const home = await homeOf(orgId);
const scim = { 'content-type': 'application/scim+json' };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:138.0) Gecko/20100101 Firefox/138.0';
const nextPassword = 'Another-Horse-8';

const addressOf = ({ emails }: User) => emails[0]?.value ?? '';
const newVisitor = (options: VisitorOptions = {}) => visit(app, container, options);

async function signIn(visitor: Visitor, user: User, password = goodPassword): Promise<void> {
  const fields = { loginName: user.userName, password };
  const answer = await visitor.fill(await visitor.get('/login'), fields);
  t.match(answer.location, /^\/account/);
}

/** Lets the time pass in which changes are gathered, and sends what is due. Returns the new mails to the address. */
async function sent(to: string, deps: Partial<typeof container> = {}): Promise<string[]> {
  const before = server.to(to).length;
  clock.advance(gatherMs / 1000);
  await sendNotices({ ...container, ...deps }, { logger: container.logger, longestMs: 60_000 });
  return server.to(to).slice(before);
}

t.test(
  'a sign-in at a browser that is new to the person is told once, with words of a fixed list',
  async (t) => {
    const user = await makePerson(container, home);
    const to = addressOf(user);
    const visitor = newVisitor({ userAgent: firefox, address: '198.51.100.7' });
    await signIn(visitor, user);
    t.same(server.to(to), [], 'changes are gathered first');
    const [mail = '', ...more] = await sent(to);
    t.same(more, []);
    t.match(mail, /Subject: Security notice about your account/);
    t.match(mail, /new to your account: Firefox, Linux\. Network address: 198\.51\.100\.7 \(/);
    t.notMatch(mail, home.name);
    await visitor.get('/oidc/v1/end_session');
    await signIn(visitor, user);
    t.same(await sent(to), [], 'the browser is known');
    const another = newVisitor({ userAgent: firefox, address: '198.51.100.9' });
    await signIn(another, user);
    t.equal((await sent(to)).length, 1);
    await container.sessions.endAllOf(user.id);
    await signIn(another, user);
    t.equal((await sent(to)).length, 1, 'no browser is known after all sign-ins were ended');
    await signIn(
      newVisitor({ userAgent: 'Win-prize.evil.example/1.0 (evil)', address: '198.51.100.8' }),
      user,
    );
    const [other = ''] = await sent(to);
    t.match(other, /an unknown browser, an unknown system/);
    t.notMatch(other, /evil/i);
  },
);

t.test('own changes within minutes are one mail in the language of the person', async (t) => {
  const user = await makePerson(container, home, { preferredLanguage: 'de' });
  const visitor = newVisitor();
  await signIn(visitor, user);
  await sent(addressOf(user));
  const account = await visitor.get('/account');
  const change = { current: goodPassword, password: nextPassword, repeated: nextPassword };
  const done = await visitor.fill(account, change, '/account/password');
  t.match((await visitor.follow(done)).text, /Ihr Passwort ist geändert/);
  await giveTotp(container, user);
  const [mail = '', ...more] = await sent(addressOf(user));
  t.same(more, []);
  t.match(mail, /Subject: Sicherheitshinweis zu Ihrem Konto/);
  t.match(mail, /Sie haben Ihr Passwort ge/);
  t.match(mail, /einen zweiten Faktor eingerichtet/);
  t.notMatch(mail, /Browser angemeldet/, 'the browser of the change is not new');
});

t.test('the person is told of a passkey that was added or removed, by name of nobody', async (t) => {
  const user = await makePerson(container, home);
  const to = addressOf(user);
  const own = { orgId, id: user.id, editor: { userId: user.id, service: 'account' } };
  const [first, second] = [
    await enrolPasskey(container, user, { editor: own.editor }),
    await enrolPasskey(container, user, { editor: own.editor }),
  ];
  const [added = '', ...more] = await sent(to);
  t.same(more, []);
  t.match(added, /You added a passkey/);
  await removePasskey(container, { ...own, passkeyId: first.id });
  t.match((await sent(to))[0], /You removed a passkey/);
  await removePasskey(container, { ...own, editor: testEditor, passkeyId: second.id });
  const [taken = ''] = await sent(to);
  t.match(taken, /administrator removed one of your passkeys/);
  for (const text of [added, taken]) t.notMatch(text, first.id);
});

t.test(
  'the former address learns that it was replaced, and one that nobody proved gets nothing',
  async (t) => {
    const user = await makePerson(container, home);
    const email = `${uniqueName('next')}@mail.example`;
    const replaced = await call(`PATCH /scim/v2/${orgId}/Users/${user.id}`, {
      as: owner,
      headers: scim,
      body: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'emails', value: [{ value: email, primary: true }] }],
      },
    });
    t.equal(replaced.status, 204);
    const [mail = ''] = await sent(addressOf(user));
    t.match(mail, /An administrator changed your e-mail address/);
    t.equal(server.to(email).length, 1, 'the organization asserts the new one');
    t.notMatch(mail, email, 'the mail names no address that somebody chose');

    const emails = [{ value: `${uniqueName('no')}@mail.example`, primary: true, verified: false }];
    const unproved = await makePerson(container, home, { emails });
    await giveTotp(container, unproved);
    await signIn(newVisitor(), await makePerson(container, home));
    t.same(await sent(addressOf(unproved)), []);
  },
);

const patch = (op: object) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations: [op],
});

t.test(
  'what an administrator does is told, by SCIM and by the admin API, and an import tells nobody',
  async (t) => {
    const user = await makePerson(container, home);
    const path = `/admin/v1/orgs/${orgId}/users/${user.id}`;
    const change = (op: object) =>
      call(`PATCH /scim/v2/${orgId}/Users/${user.id}`, { as: owner, headers: scim, body: patch(op) });
    await giveTotp(container, user);
    t.equal((await change({ op: 'replace', path: 'password', value: nextPassword })).status, 204);
    t.equal((await call(`POST ${path}/one-time-links`, { as: owner, body: {} })).status, 201);
    await endSessions(container, { user, editor: testEditor });
    t.equal((await call(`DELETE ${path}/totp`, { as: owner })).status, 204);
    t.equal((await change({ op: 'replace', path: 'active', value: false })).status, 204);
    const [mail = '', ...more] = await sent(addressOf(user));
    t.same(more, []);
    for (const line of [
      'set or removed your password',
      'made a link that sets your password',
      'removed your second factor',
      'signed you out',
      'turned your account off',
    ])
      t.match(mail, `An administrator ${line}`);
    t.notMatch(mail, owner.id);

    const editor = { userId: owner.id, service: 'import' };
    await container.mongo.transactionOf(orgId, (transaction) =>
      container.events.append(
        [
          {
            ...{
              id: '00000000-0000-7000-8000-000000000000',
              type: 'user.human.password.changed',
              editor,
              sequence: 99,
            },
            aggregate: { id: user.id, type: 'user', resourceOwner: orgId },
            ...{ creationDate: clock.now(), payload: {} },
          },
        ],
        transaction,
      ),
    );
    t.same(await sent(addressOf(user)), []);
  },
);

t.test('an organization turns kinds off', async (t) => {
  const other = await makeTenant(container);
  const user = await makePerson(container, await homeOf(other.orgId));
  const turn = (login: object) =>
    call(`PATCH /admin/v1/orgs/${other.orgId}`, { as: other.owner, body: { login } });
  t.match(await turn({ notifyNewBrowser: false, notifyAdministration: false }), {
    status: 200,
    body: {
      login: {
        selfRegistration: false,
        verifyEmail: false,
        notifyNewBrowser: false,
        notifyChanges: true,
        notifyAdministration: false,
      },
    },
  });
  await signIn(newVisitor(), user);
  await giveTotp(container, user);
  t.same(await sent(addressOf(user)), []);
  t.match(await turn({ notifyAdministration: true }), { body: { login: { notifyAdministration: true } } });
  await endSessions(container, { user, editor: testEditor });
  t.equal((await sent(addressOf(user))).length, 1);
});

t.test('a mail that fails is sent later, and one whose process died is sent again', async (t) => {
  const user = await makePerson(container, home);
  const to = addressOf(user);
  await endSessions(container, { user, editor: testEditor });
  let tried = 0;
  const failing = (responseCode?: number) => ({
    send: async () => {
      tried++;
      throw Object.assign(new Error('No'), { responseCode });
    },
    close: () => undefined,
  });
  t.same(await sent(to, { mailer: failing() }), []);
  t.same(await sent(to, { mailer: failing(451) }), []);
  t.equal(tried, 2);
  const now = clock.now();
  clock.advance(3600);
  const leaseUntil = new Date(clock.now().getTime() + 60_000);
  const claimed = await container.notices.claimNext(orgId, { now: clock.now(), leaseUntil });
  t.match(claimed, { userId: user.id, tries: 2, notices: [{ kind: 'sessionsEnded' }] });
  t.equal(await container.notices.claimNext(orgId, { now: clock.now(), leaseUntil }), undefined);
  t.ok(now < clock.now());
  t.equal((await sent(to)).length, 1, 'after the lease of the process that died');
  t.same(await sent(to), []);

  await endSessions(container, { user, editor: testEditor });
  t.same(await sent(to, { mailer: failing(550) }), []);
  t.same(await sent(to), [], 'an address that the mail server refuses is not tried again');
});

t.test(
  'nobody gets more than ten mails in a day, an organization has a bound, and others do not wait',
  async (t) => {
    const mine = await makeTenant(container);
    const many = await homeOf(mine.orgId);
    const user = await makePerson(container, many);
    const people = await Promise.all(Array.from({ length: 40 }, () => makePerson(container, many)));
    clock.advance(25 * 3_600);
    let count = 0;
    for (let i = 0; i < mostMailsOfPerson + 2; i++) {
      await endSessions(container, { user, editor: testEditor });
      count += (await sent(addressOf(user))).length;
    }
    t.equal(count, mostMailsOfPerson);
    for (const person of people) await endSessions(container, { user: person, editor: testEditor });
    const before = server.mails.length;
    await sent('nobody');
    t.equal(server.mails.length - before, 40 - mostMailsOfPerson, 'the mails of the day');
    const other = await makePerson(container, home);
    await endSessions(container, { user: other, editor: testEditor });
    t.equal((await sent(addressOf(other))).length, 1, 'of another organization');
    clock.advance(24 * 3600 + 60);
    t.match(await container.notices.organizationsDue(clock.now()), [mine.orgId]);
  },
);

t.test('notices to people who were added within a day stop no notices to others', async (t) => {
  const mine = await makeTenant(container);
  const many = await homeOf(mine.orgId);
  const member = await makePerson(container, many);
  clock.advance(25 * 3_600);
  const newcomers = await Promise.all(Array.from({ length: 42 }, () => makePerson(container, many)));
  const before = server.mails.length;
  for (const user of newcomers) await endSessions(container, { user, editor: testEditor });
  await sent('nobody');
  t.equal(server.mails.length - before, 40, 'the mails of the day');
  await endSessions(container, { user: member, editor: testEditor });
  t.equal((await sent(addressOf(member))).length, 1);
});

t.test('an organization that ends, and people who do, get no mail', async (t) => {
  const user = await makePerson(container, home);
  await container.notices.put([
    { orgId: 'gone', userId: user.id, kind: 'deactivated', at: clock.now() },
    { orgId, userId: 'gone', kind: 'deactivated', at: clock.now(), formerEmail: 'gone@mail.example' },
  ]);
  t.same(await sent(addressOf(user)), []);
  t.same(server.to('gone@mail.example'), []);
  t.notOk((await container.notices.organizationsDue(clock.now())).includes('gone'));
});

t.test('a SCIM Bulk tells what it changed, and a worker sends it', async (t) => {
  const user = await makePerson(container, home);
  const workers = startWorkers(container);
  t.teardown(() => workers.close());
  const { status, body } = await call(`POST /scim/v2/${orgId}/Bulk`, {
    as: owner,
    headers: scim,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        {
          ...{ method: 'PATCH', path: `/Users/${user.id}` },
          data: patch({ op: 'replace', path: 'password', value: nextPassword }),
        },
        {
          ...{ method: 'PATCH', path: `/Users/${user.id}` },
          data: patch({ op: 'replace', path: 'active', value: false }),
        },
      ],
    },
  });
  t.match(
    { status, statuses: body.Operations?.map((one: { status: string }) => one.status) },
    { status: 200 },
  );
  clock.advance(gatherMs / 1000);
  const work = noticesWorker(container);
  await until(async () => {
    await work(container.logger);
    return server.to(addressOf(user)).length > 0;
  });
  const [mail = ''] = server.to(addressOf(user));
  t.match(mail, /set or removed your password/);
  t.match(mail, /turned your account off/);
});
