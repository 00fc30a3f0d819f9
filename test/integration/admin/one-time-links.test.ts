import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { makeTenant, testEditor } from '../../support/app/make.js';
import { makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { startMailServer } from '../../support/network/mail-server.js';
import { visit } from '../../support/oidc/visitor.js';

const mailServer = await startMailServer(t);
const { app, container, call } = await buildTestApp(t, { smtpUrl: mailServer.url });

interface Line {
  readonly userName?: string;
  readonly url?: string;
  readonly skipped?: string;
  readonly mailed?: boolean;
  readonly done?: boolean;
  readonly links?: number;
}

async function makeHome() {
  const tenant = await makeTenant(container);
  const organization = await container.organizations.find(tenant.orgId);
  if (organization === undefined) throw new Error('The organization is missing');
  const someone = (userName: string, more: object = {}) =>
    makePerson(container, organization, { userName, password: null, ...more });
  return { ...tenant, organization, someone, path: `/admin/v1/orgs/${tenant.orgId}/one-time-links` };
}

/** Asks for links. Returns the lines by userName, and the last line. */
async function linksOf(path: string, token: string, payload: object = {}) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await app.inject({ method: 'POST', url: path, headers, payload });
  t.equal(answer.statusCode, 200);
  t.match(answer.headers, { 'content-type': /ndjson/, 'cache-control': 'no-store' });
  const lines: Line[] = answer.payload
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text));
  return { of: new Map(lines.map((line) => [line.userName, line])), last: lines.at(-1), lines };
}

t.test('everybody without a password gets a link that works', async (t) => {
  const { someone, organization, path, manager, orgId } = await makeHome();
  const ada = await someone('ada');
  await someone('bob');
  await someone('inactive', { active: false });
  await makePerson(container, organization, { userName: 'has-password' });
  const { of, last } = await linksOf(path, manager.token);
  t.same([...of.keys()].sort(), ['ada', 'bob', undefined]);
  t.match(last, { done: true, links: 2, skipped: 0 });
  const url = of.get('ada')?.url ?? '';
  const visitor = visit(app, container);
  const page = await visitor.follow(await visitor.get(url));
  t.equal(page.status, 200);
  const events = await container.events.search({ aggregateId: ada.id, limit: 9, ascending: true });
  t.same(
    events.map(({ type, editor }) => [type, editor.userId]),
    [
      ['user.human.added', testEditor.userId],
      ['user.human.link.added', manager.id],
    ],
  );
  t.notMatch(JSON.stringify(events), new URL(url).searchParams.get('token') ?? 'none');

  const again = await linksOf(path, manager.token, { withoutLink: true });
  t.match(again.last, { done: true, links: 0 }, 'those with a link are left out');
  await someone('carl');
  const rest = await linksOf(path, manager.token, { withoutLink: true });
  t.same([...rest.of.keys()], ['carl', undefined]);
  t.equal((await container.oneTimeLinks.holders(orgId, [ada.id], container.clock.now())).size, 1);
});

t.test('the first link arrives before the second is made', async (t) => {
  const { someone, path, owner } = await makeHome();
  await someone('early');
  await someone('late');
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  let arrive: () => void = () => undefined;
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const { put } = container.oneTimeLinks;
  t.teardown(() => {
    container.oneTimeLinks.put = put;
  });
  let made = 0;
  container.oneTimeLinks.put = async (...link) => {
    if (made++ > 0) await arrival;
    return put(...link);
  };
  const { body } = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: '{}',
    // An answer that waits for its end never comes.
    signal: AbortSignal.timeout(20_000),
  });
  let text = '';
  for await (const piece of body ?? []) {
    text += Buffer.from(piece).toString();
    if (text.includes('"early"')) arrive();
  }
  t.match(text.trim().split('\n').at(-1), '"links":2');
});

t.test('nobody gets a link for a user with more rights', async (t) => {
  const { someone, path, manager, owner, viewer, orgId } = await makeHome();
  const boss = await someone('boss');
  await addMembership(container, { userId: boss.id, role: 'ORG_OWNER', orgId, editor: testEditor });
  const byManager = await linksOf(path, manager.token);
  t.match(byManager.of.get('boss'), { skipped: 'outranksCaller', url: undefined });
  t.match(byManager.last, { done: true, links: 0, skipped: 1 });
  t.match((await linksOf(path, owner.token)).of.get('boss'), { url: /^https:/ });
  t.equal((await call(`POST ${path}`, { as: viewer, body: {} })).status, 403);
});

t.test('by mail: no link is in the answer, and the mail verifies the address', async (t) => {
  const { someone, path, owner } = await makeHome();
  await someone('mailed', { emails: [{ value: 'mailed@people.example', primary: true }] });
  await someone('unproved', { emails: [{ value: 'no@people.example', primary: true, verified: false }] });
  await someone('without', { emails: [] });
  const { of, last, lines } = await linksOf(path, owner.token, { delivery: 'mail' });
  t.match(of.get('mailed'), { mailed: true });
  t.match(of.get('unproved'), { skipped: 'noAddress' });
  t.match(of.get('without'), { skipped: 'noAddress' });
  t.match(last, { done: true, links: 1, skipped: 2 });
  t.notMatch(JSON.stringify(lines), /token=/);
  t.equal(mailServer.to('mailed@people.example').length, 1);
  for (let i = 0; i < 2; i++) await linksOf(path, owner.token, { delivery: 'mail' });
  const late = await linksOf(path, owner.token, { delivery: 'mail' });
  t.match(late.of.get('mailed'), { skipped: 'tooManyMails' }, 'a person gets few mails');
});

t.test('mails go out with a pause after each', async (t) => {
  const { someone, path, owner } = await makeHome();
  for (const name of ['paced-1', 'paced-2', 'paced-3']) {
    await someone(name, { emails: [{ value: `${name}@people.example`, primary: true }] });
  }
  const began = performance.now();
  t.match((await linksOf(path, owner.token, { delivery: 'mail' })).last, { links: 3 });
  const took = performance.now() - began;
  t.ok(took > 3 * 200 - 10, `five a second at most: ${Math.round(took)} ms`);
});

t.test('one user gets a link by mail, or the answer says why not', async (t) => {
  const { someone, manager, viewer, orgId } = await makeHome();
  const send = (id: string, as: { token: string } = manager) =>
    call(`POST /admin/v1/orgs/${orgId}/users/${id}/one-time-links`, { as, body: { delivery: 'mail' } });
  const one = await someone('one', { emails: [{ value: 'one@people.example', primary: true }] });
  const sent = await send(one.id);
  t.match(sent, { status: 204, body: undefined });
  const [mail] = mailServer.to('one@people.example');
  const [link = ''] = /https:\/\/\S*\/login\/password\?token=[\w-]+/.exec(mail ?? '') ?? [];
  t.match(await visit(app, container).get(link), { status: 200, text: /password/i });
  for (const user of [
    await someone('no-address', { emails: [] }),
    await someone('inactive', { active: false }),
  ])
    t.match(await send(user.id), { status: 409, body: { id: 'directory.mailAddressMissing' } });
  for (let i = 0; i < 2; i++) t.equal((await send(one.id)).status, 204);
  t.match(await send(one.id), { status: 429, body: { id: 'directory.mailsLimit' } });
  t.equal(mailServer.to('one@people.example').length, 3);
  t.equal((await send(one.id, viewer)).status, 403);
  t.match(await send('nobody'), { status: 404, body: { id: 'directory.userNotFound' } });
  const elsewhere = await makePerson(container, await makeHome().then((other) => other.organization));
  t.equal((await send(elsewhere.id)).status, 404);
  const odd = { as: manager, body: { delivery: 'post' } };
  t.equal((await call(`POST /admin/v1/orgs/${orgId}/users/${one.id}/one-time-links`, odd)).status, 400);
});

t.test('an address gets few mails, whoever has it', async (t) => {
  const { someone, manager, orgId } = await makeHome();
  const emails = [{ value: 'Victim@people.example', primary: true }];
  const users = await Promise.all(Array.from({ length: 10 }, (_, n) => someone(`crowd-${n}`, { emails })));
  const answers = await Promise.all(
    users.map(({ id }) =>
      call(`POST /admin/v1/orgs/${orgId}/users/${id}/one-time-links`, {
        as: manager,
        body: { delivery: 'mail' },
      }),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 204).length, 3);
  t.equal(answers.filter(({ status }) => status === 429).length, 7);
  t.equal(mailServer.to('Victim@people.example').length, 3);
});

t.test('a mail server that is away is told', async (t) => {
  const away = await buildTestApp(t, { smtpUrl: 'smtp://127.0.0.1:9' });
  const { orgId, owner } = await makeTenant(away.container);
  const organization = await away.container.organizations.find(orgId);
  if (organization === undefined) throw new Error('The organization is missing');
  const { id } = await makePerson(away.container, organization);
  const path = `/admin/v1/orgs/${orgId}/users/${id}/one-time-links`;
  for (let i = 0; i < 5; i++) {
    const refused = await away.call(`POST ${path}`, { as: owner, body: { delivery: 'mail' } });
    t.match(
      refused,
      { status: 503, body: { id: 'directory.mailFailed' } },
      'a mail that nobody got does not count',
    );
  }
});

t.test('without a mail server none is sent', async (t) => {
  const without = await buildTestApp(t);
  const { orgId, owner } = await makeTenant(without.container);
  const path = `/admin/v1/orgs/${orgId}/one-time-links`;
  const refused = await without.call(`POST ${path}`, { as: owner, body: { delivery: 'mail' } });
  t.match(refused, { status: 409, body: { id: 'directory.mailMissing' } });
});
