import t from 'tap';
import { addOrganization } from '#src/organizations/add-organization.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { formsOf, visit } from '../../support/oidc/visitor.js';

const opened = await buildTestApp(t, { workers: true });
const { app, container, clock } = opened;
const home = await makeHome(container, { name: 'Home' });
const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });

// Without a program that owns the instance, no organization can be removed.
const program = await makeCaller(container, home.id, ['IAM_OWNER']);

const given = {
  name: 'Grün & <b>Söhne</b>',
  userName: 'olga',
  email: 'olga@gruen.example',
  givenName: 'Olga',
  familyName: 'Grün',
};

t.test('organizations are found by the beginning of the name', async (t) => {
  await makeOrganization(container, { name: 'Zeta <script>' });
  const found = await owner.get('/console/orgs?name=zET');
  t.match(found.text, 'Zeta &lt;script&gt;');
  t.notMatch(found.text, '>Home</a>');
  t.match(found.text, 'hx-get=');
  const none = await owner.get('/console/orgs?name=nobody');
  t.match(none.text, 'No organization has a name that begins like this.');
});

t.test('one form adds an organization and invites its owner, whose link works', async (t) => {
  const done = await owner.fill(await owner.get('/console/orgs/new'), given, '/console/orgs/new');
  t.equal(done.status, 200);
  t.match(done.text, 'Grün &amp; &lt;b&gt;Söhne&lt;/b&gt;');
  const link = /<code class="secret">([^<]+)<\/code>/.exec(done.text)?.[1] ?? '';
  const browser = visit(app, container);
  const page = await browser.follow(await browser.get(link));
  t.equal(page.status, 200);
  const password = 'Correct-Horse-8';
  const fields = { password, repeated: password, passwordRepeated: password, confirmation: password };
  t.ok((await browser.fill(page, fields)).status < 400);
  const [orgId = ''] = /\/console\/orgs\/([^/]+)\/settings/.exec(done.text)?.slice(1) ?? [];
  const members = await owner.get(`/console/orgs/${orgId}/settings/members`);
  t.match(members.text, 'olga');
  t.match(members.text, 'ORG_OWNER');
});

t.test('a form that stops half-way says what exists, and goes on when it is sent again', async (t) => {
  const page = await owner.get('/console/orgs/new');
  const hidden = formsOf(page.text).find(({ action }) => action.endsWith('/console/orgs/new'))?.hidden ?? {};
  const wrong = { ...given, name: 'Half', userName: '', email: 'no address' };
  const stopped = await owner.post('/console/orgs/new', { ...hidden, ...wrong });
  t.equal(stopped.status, 400);
  t.match(stopped.text, 'This exists already:');
  t.match(stopped.text, 'the organization');
  t.match(stopped.text, 'value="no address"', 'what was typed is kept');
  const again = await owner.fill(
    stopped,
    { ...wrong, userName: 'half-owner', email: 'half@half.example' },
    '/console/orgs/new',
  );
  t.match(again, { status: 200, text: /class="secret"/ });
  const twice = await owner.fill(
    stopped,
    { ...wrong, userName: 'half-owner', email: 'half@half.example' },
    '/console/orgs/new',
  );
  t.match(twice, { status: 200, text: /class="secret"/ }, 'a form that is sent twice adds nothing twice');
  const { items } = (await opened.call('GET /admin/v1/orgs?name=Half', { as: program })).body;
  t.equal(items.length, 1);
});

t.test('an organization is removed by its name, and the page follows the job', async (t) => {
  const { id } = await addOrganization(container, { name: 'Gone', editor: testEditor });
  const path = `/console/orgs/${id}/remove`;
  const page = await owner.get(path);
  t.match(page.text, 'Type the name to confirm: Gone');
  const wrong = await owner.fill(page, { confirmed: 'gone' }, path);
  t.match(wrong, { status: 400, text: /This is not the name/ });
  const begun = await owner.fill(wrong, { confirmed: 'Gone' }, path);
  t.match(begun, { status: 303, location: /^\/console\/removals\// });
  const progress = await owner.follow(begun);
  t.equal(progress.status, 200);
  t.match(progress.text, /Removed objects/);
  t.equal((await owner.get(`/console/orgs/${id}/settings`)).status, 404);
});

t.test('an owner of one organization sees no others', async (t) => {
  const other = await makeHome(container, { name: 'Other' });
  const someone = await openConsole(opened, other, { roles: ['ORG_OWNER'] });
  t.equal((await someone.get(`/console/orgs/${home.id}/settings`)).status, 403);
  t.equal((await someone.get(`/console/orgs/${other.id}/settings`)).status, 200);
  const add = await someone.get('/console/orgs/new');
  t.equal(add.status, 403);
  t.notMatch(add.text, 'action="https://muster.example/console/orgs/new"');
});

t.test('a person who did not sign in lately adds nothing half-way', async (t) => {
  const late = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
  const page = await late.get('/console/orgs/new');
  clock.advance(container.config.freshSignInSeconds + 60);
  const asked = await late.fill(page, { ...given, name: 'Not half' }, '/console/orgs/new');
  t.match(asked.location, /prompt=login/);
  t.notMatch((await owner.get('/console/orgs?name=not')).text, 'Not half', 'no organization yet');
  const again = await late.signIn(asked);
  t.equal(again.url, '/console/orgs/new');
  t.match(again.text, 'value="Not half"', 'the form has what was typed');
  const done = await late.fill(again, { ...given, name: 'Not half' }, '/console/orgs/new');
  t.match(done, { status: 200, text: /class="secret"/ });
  clock.advance(container.config.freshSignInSeconds);
  t.match(
    (await late.get('/console/orgs/new')).location,
    /prompt=login/,
    'the sign-in comes before the form',
  );
});
