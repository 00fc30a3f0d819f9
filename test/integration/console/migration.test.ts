import t from 'tap';
import { addMembership } from '#src/directory/memberships/add-membership.js';
import { removeMembership } from '#src/directory/memberships/remove-membership.js';
import { languages } from '#src/http/pages/language.js';
import { newId } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { type Visitor, visit } from '../../support/oidc/visitor.js';

const { container, app } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const organization = await makeHome(container, { name: 'Lindgren' });
const operator = await makePerson(container, organization);
const person = await makePerson(container, organization);
await makeCaller(container, organization.id, ['IAM_OWNER']);
await addMembership(container, { userId: operator.id, role: 'IAM_OWNER', editor: testEditor });
await addMembership(container, {
  userId: person.id,
  role: 'ORG_OWNER',
  orgId: organization.id,
  editor: testEditor,
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
const page = '/operations/jobs';
let lastAddress = 0;
const newVisitor = (language = 'en') =>
  visit(app, container, { language, address: `198.51.100.${++lastAddress}` });

/** Asks for the page, signs in where that leads, and goes where signing in leads. */
async function signIn(visitor: Visitor, loginName: string) {
  const asked = await visitor.get(page);
  t.equal(asked.location, '/login');
  const form = await visitor.follow(asked);
  return visitor.follow(await visitor.fill(form, { loginName, password: goodPassword }));
}

async function makeJob(orgId: string, total = 10): Promise<string> {
  const id = newId();
  const created = container.clock.now();
  const body = Buffer.from('{}');
  await container.jobs.insert({ id, kind: 'scim-bulk', orgId, requestedBy: 'x', total, created, body });
  return id;
}

t.test('an owner of the instance signs in and is led to the jobs', async (t) => {
  const running = await makeJob('<b>org</b>');
  const ended = await makeJob(organization.id);
  await container.jobs.end(ended, 'completed');
  const visitor = newVisitor();
  const seen = await signIn(visitor, operator.userName);
  t.equal(seen.url, page);
  t.equal(seen.status, 200);
  t.match(seen.text, /<h1>Jobs<\/h1>/);
  const [, open = '', closed = ''] = seen.text.split('<h2>');
  t.match(open, new RegExp(`&lt;b&gt;org&lt;/b&gt;[^]*${running}`), 'what is open, with every value escaped');
  t.match(open, '0 of 10');
  t.match(closed, ended);
  t.match(closed, '<p class="state completed">completed</p>');
  t.match(seen.headers['content-security-policy'], /script-src 'sha256-[^;]*; .*connect-src 'self'/);
  t.equal(seen.headers['cache-control'], 'no-store');

  t.test('led back once: the next sign-in ends at the account', async (t) => {
    const again = await visitor.follow(
      await visitor.fill(await visitor.get('/login'), {
        loginName: operator.userName,
        password: goodPassword,
      }),
    );
    t.match(again.url, /^\/account/);
  });
});

t.test('a planted cookie leads a sign-in nowhere else', async (t) => {
  const asked = newVisitor();
  await asked.get(page);
  const [name = '', place] = [...asked.cookies].find(([, value]) => value === page) ?? [];
  t.equal(place, page);
  for (const planted of [
    '/operations/jobs/events',
    '/login/assets/x',
    '//attacker.example',
    '/oidc/v1/end_session',
  ]) {
    const visitor = newVisitor();
    const form = await visitor.get('/login');
    visitor.cookies.set(name, planted);
    const done = await visitor.fill(form, { loginName: operator.userName, password: goodPassword });
    t.match(done.location, /^\/account/, planted);
  }
});

t.test('other callers do not see them', async (t) => {
  const visitor = newVisitor();
  const seen = await signIn(visitor, person.userName);
  t.equal(seen.url, page);
  t.equal(seen.status, 403);
  t.match(seen.text, 'Only owners of the instance');
  t.notMatch(seen.text, 'class="job"');
  t.equal((await visitor.get(`${page}/events`)).status, 403);
  t.equal((await newVisitor().get(`${page}/events`)).status, 403);
});

t.test('older jobs are on pages of their own', async (t) => {
  const jobs: string[] = [];
  for (let n = 0; n < 30; n++) jobs.unshift(await makeJob(organization.id));
  const visitor = newVisitor();
  const newest = await signIn(visitor, operator.userName);
  const idsOn = (text: string) => jobs.filter((id) => text.includes(id));
  t.same(idsOn(newest.text), jobs.slice(0, 25));
  const [, older = ''] = /href="[^"]*(\/operations\/jobs\?after=[^"]*)"/.exec(newest.text) ?? [];
  const second = await visitor.get(older);
  t.same(idsOn(second.text), jobs.slice(25));
  t.notMatch(second.text, 'data-events', 'what is old is not kept up to date');
});

t.test('the page is there in every language', async (t) => {
  const titles = new Set<string>();
  for (const language of languages) {
    const seen = await signIn(newVisitor(language), operator.userName);
    t.match(seen.text, `<html lang="${language}">`);
    titles.add(/<h1>(.*?)<\/h1>/.exec(seen.text)?.[1] ?? '');
  }
  t.equal(titles.size, languages.length);
});

/** Reads the events of the page as this person's browser does. */
async function readEvents(loginName: string) {
  const visitor = newVisitor();
  await signIn(visitor, loginName);
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return () => fetch(`${address}${page}/events`, { headers: { cookie } });
}

/** Collects the events. `ended` marks the end of the stream. */
function collect({ body }: Response) {
  const collected = { text: '' };
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) collected.text += decoder.decode(piece, { stream: true });
  })();
  return { collected, ended };
}

t.test('the list comes anew with each change, until the right to see it ends', async (t) => {
  const watcher = await makePerson(container, organization);
  const membership = await addMembership(container, {
    userId: watcher.id,
    role: 'IAM_OWNER',
    editor: testEditor,
  });
  const open = await readEvents(watcher.userName);
  const answer = await open();
  t.match(answer.headers.get('content-type'), 'text/event-stream');
  const { collected, ended } = collect(answer);
  await until(async () => collected.text.includes('\n\n'));
  t.match(JSON.parse(/^data: (.*)$/m.exec(collected.text)?.[1] ?? ''), /^<section>/);
  const job = await makeJob(organization.id);
  await until(async () => collected.text.includes(job));
  await removeMembership(container, { id: membership.id, orgId: undefined, editor: testEditor });
  await ended;
});

t.test('so many pages are kept up to date at once, and none when the service closes', async (t) => {
  const open = await readEvents(operator.userName);
  const answers = await Promise.all(Array.from({ length: 32 }, open));
  t.same([...new Set(answers.map(({ status }) => status))], [200]);
  const tooMany = await open();
  t.equal(tooMany.status, 503);
  t.ok(tooMany.headers.get('retry-after'));
  await tooMany.body?.cancel();
  const streams = answers.map(collect);
  await app.close();
  await Promise.all(streams.map(({ ended }) => ended));
});
