import t from 'tap';
import { newEvent } from '#src/audit/new-event.js';
import { clockText, timeText } from '#src/http/base/local-time.js';
import { localTimesPath } from '#src/http/pages/moment.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { visit } from '../../support/oidc/visitor.js';

/** The log says in words what happened, to people who may know it. */

const opened = await buildTestApp(t);
const { app, container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['IAM_OWNER'] });
const path = `/console/orgs/${home.id}/log`;

t.test('"why can she not log in?" is one search: the reason, the address, the browser', async (t) => {
  const anna = await makePerson(container, home);
  const visitor = visit(app, container, { address: '192.0.2.77' });
  await visitor.fill(await visitor.get('/login'), { loginName: anna.userName, password: 'wrong' });
  const seen = await owner.get(`${path}?person=${encodeURIComponent(anna.userName)}&type=refused`);
  t.equal(seen.status, 200);
  t.match(seen.text, /Sign-in of <a href="[^"]+">[^<]+<\/a> refused: password/);
  t.match(seen.text, 'Reason: the password is wrong · Address: 192.0.2.77 · Browser: lightMyRequest');
  t.notMatch(seen.text, 'Nothing happened');
});

t.test('a refused code names the application that the person signs in to', async (t) => {
  const { events } = container;
  const [event] = await events.search({
    eventTypes: ['user.human.password.check.succeeded'],
    aggregateId: owner.person.id,
    limit: 1,
    ascending: false,
  });
  t.match(event?.payload, { clientId: 'muster-console', address: '192.0.2.1' });
});

t.test('a name that nobody has says so, and keeps what was typed', async (t) => {
  const seen = await owner.get(`${path}?person=nobody@acme.example`);
  t.match(seen.text, 'Nobody has this name, login name or address: nobody@acme.example');
  t.match(seen.text, 'value="nobody@acme.example"');
  const anywhere = await owner.get('/console/log?person=nobody@acme.example');
  t.match(anywhere.text, 'A login name is looked up in one organization');
  t.equal((await owner.get(`${path}?since=yesterday&type=constructor&after=%00`)).status, 400);
  t.equal((await owner.get(`${path}?since=yesterday&type=constructor`)).status, 200);
});

t.test('pages follow each other without a gap, while events are written', async (t) => {
  const org = await makeOrganization(container);
  for (let index = 0; index < 70; index++) await makeApplication(container, org.id, { name: `App ${index}` });
  const seen = new Set<string>();
  let next: string | undefined = `/console/log?org=${org.id}`;
  let pages = 0;
  while (next !== undefined) {
    const page = await owner.get(next);
    for (const [, name] of page.text.matchAll(/>(App \d+)<\/a>/g)) seen.add(String(name));
    await makeApplication(container, org.id, { name: 'Later' });
    next = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
    pages++;
  }
  t.equal(seen.size, 70);
  t.equal(pages, 3);
});

t.test('an owner of an organization sees its events and no others', async (t) => {
  const other = await makeHome(container, { name: 'Other' });
  const theirs = await openConsole(opened, other, { roles: ['ORG_OWNER'] });
  const own = await theirs.get(`/console/orgs/${other.id}/log`);
  t.equal(own.status, 200);
  t.match(own.text, theirs.person.displayName);
  t.notMatch(own.text, owner.person.id);
  t.equal((await theirs.get(path)).status, 403);
  const all = await theirs.get('/console/log');
  t.notMatch(all.text, home.id);
});

t.test('hostile names are text, and every language has the page', async (t) => {
  await makeApplication(container, home.id, { name: '<script>alert(1)</script>' });
  for (const language of ['en', 'de', 'fr', 'es', 'it']) {
    const person = await openConsole(opened, home, { roles: ['IAM_OWNER'], language });
    const { text, status } = await person.get(path);
    t.equal(status, 200);
    t.notMatch(text, '<script>alert');
    t.match(text, '&lt;script&gt;alert');
    t.ok(text.length < 100_000, `${text.length} characters`);
  }
});

t.test('times are those of the zone of the profile, in the list and in the filter', async (t) => {
  const [timeZone, language] = ['Asia/Kolkata', 'en'] as const;
  const theirs = await openConsole(opened, home, { roles: ['ORG_OWNER'], profile: { timezone: timeZone } });
  await makeApplication(container, home.id, { name: 'Made lately' });
  const now = container.clock.now();
  const local = clockText(now, timeZone);
  const find = (query: Record<string, string>) =>
    theirs.get(`${path}?${new URLSearchParams({ type: 'application.added', ...query })}`);

  const { text } = await find({ since: local, until: local });
  t.match(text, 'Made lately');
  t.match(text, `<time datetime="${now.toISOString().slice(0, 17)}`);
  t.match(text, timeText(now, { language, timeZone }));
  t.match(text, `<input type="hidden" name="zone" value="${timeZone}">`);
  t.notMatch(text, localTimesPath, 'no script is needed');
  t.notMatch(
    (await find({ since: local, until: local, zone: 'UTC' })).text,
    'Made lately',
    'the address names its zone',
  );
  const sent = await find({ since: clockText(now, 'UTC'), until: clockText(now, 'UTC'), zone: 'UTC' });
  t.match(sent.text, 'Made lately', 'the search of a person of another zone');
  t.match(sent.text, `value="${local}"`, 'as the clocks of this person show it');
  for (const strange of ['Europe/Nowhere', '<b>', 'x'.repeat(5000)])
    t.match(
      (await find({ since: local, until: local, zone: strange })).text,
      'Made lately',
      strange.slice(0, 20),
    );
  for (const since of ['0000-01-01T00:00', '0001-01-01T00:00', '9999-12-31T23:59'])
    t.equal((await find({ since })).status, 200, since);

  const unknown = await owner.get(`${path}?since=${clockText(now, 'UTC')}`);
  t.match(unknown.text, localTimesPath, 'the browser knows the zone of people whose profile has none');
  t.match(unknown.text, 'From (<span data-zone>UTC</span>)');
  t.match(unknown.text, timeText(now, { language, timeZone: 'UTC' }));
});

t.test('a secret ends with the day of the person who adds it', async (t) => {
  const theirs = await openConsole(opened, home, {
    roles: ['ORG_OWNER'],
    profile: { timezone: 'Pacific/Honolulu' },
  });
  const { id } = await makeCaller(container, home.id);
  const address = `/console/orgs/${home.id}/service-users/${id}`;
  const page = await theirs.get(address);
  t.match(page.text, 'At the end of this day (Pacific/Honolulu)');
  await theirs.fill(page, { label: 'long', expires: '2090-01-01' }, `${address}/secrets`);
  const lastEnd = async () =>
    (await container.serviceUsers.find(home.id, id))?.secrets.at(-1)?.expires?.toISOString();
  t.equal(await lastEnd(), '2090-01-02T09:59:59.000Z');
  const ofOwner = await owner.get(address);
  t.match(ofOwner.text, 'At the end of this day (<span data-zone>UTC</span>)');
  await owner.fill(ofOwner, { label: 'utc', expires: '2090-01-01' }, `${address}/secrets`);
  t.equal(await lastEnd(), '2090-01-01T23:59:59.000Z', 'without JavaScript');
  await owner.fill(
    ofOwner,
    { label: 'js', expires: '2090-01-01', zone: 'Europe/Berlin' },
    `${address}/secrets`,
  );
  t.equal(await lastEnd(), '2090-01-01T22:59:59.000Z', 'the script names the zone of the browser');
});

t.test(
  'the log is searched by names, as the list of users is, and several people are a choice',
  async (t) => {
    const name = (givenName: string, familyName: string) => ({ name: { givenName, familyName } });
    const [rosa, rosalie] = [
      await makePerson(container, home, name('Rosa', 'Quist')),
      await makePerson(container, home, name('Rosalie', 'Zorn')),
    ];
    const one = await owner.get(`${path}?person=quist&type=user.human.added`);
    t.match(one.text, `/users/${rosa.id}`, 'the family name');
    t.notMatch(one.text, rosalie.id);
    t.match((await owner.get(`${path}?person=Rosa+Quist&type=user.human.added`)).text, `/users/${rosa.id}`);
    const several = await owner.get(`${path}?person=rosa`);
    t.match(several.text, 'Several people fit. Choose one.');
    for (const { id } of [rosa, rosalie]) t.match(several.text, `person=${id}`);
    t.match(
      (await owner.get(`${path}?actor=rosa`)).text,
      `actor=${rosa.id}`,
      'those who changed something too',
    );
    t.equal((await owner.get(`${path}?person=${'x'.repeat(1000)}`)).status, 200);
  },
);

t.test('changes are told in the words of the forms, with from and to, and secrets never', async (t) => {
  const application = await makeApplication(container, home.id, { name: 'Words' });
  const { call } = opened;
  const as = await makeCaller(container, home.id, ['IAM_OWNER']);
  const change = (method: string, url: string, body: object) =>
    call(`${method} /admin/v1/orgs/${home.id}${url}`, { as, body });
  t.equal(
    (await change('PATCH', `/applications/${application.id}`, { name: 'Words 2', orgOnly: false })).status,
    200,
  );
  await change('PATCH', '', { login: { brandColor: '#123456' }, quotas: { users: 77 } });
  const pepper = 'PEPPER-OF-THE-LOG-TEST';
  await change('PUT', '/password-pepper', { pepper });
  const { text } = await owner.get(path);
  t.match(
    text,
    /changed the application <a [^>]*>Words 2<\/a>: Name: Words → Words 2; People of other organizations may sign in: no → yes/,
  );
  t.match(text, /Colour of buttons and links: none → #123456; Quotas, Users: none → 77/);
  t.match(text, /changed the organization <a [^>]*>Acme<\/a>: Pepper of imported hashes/);
  t.notMatch(text, pepper);
  t.match(text, /<optgroup label="Applications">/);
  t.match(text, '<option value="application.changed">Somebody changed the application …</option>');
});

t.test(
  'an owner of an organization reads that an owner of the service changed it, and no name',
  async (t) => {
    const other = await makeHome(container, { name: 'Reader' });
    const theirs = await openConsole(opened, other, { roles: ['ORG_OWNER'] });
    const { call } = opened;
    const machine = await makeCaller(container, home.id, ['IAM_OWNER']);
    await call(`PATCH /admin/v1/orgs/${other.id}`, { as: machine, body: { name: 'Reader 2' } });
    const { text } = await theirs.get(`/console/orgs/${other.id}/log`);
    t.match(
      text,
      /<div>An owner of the service changed the organization <a [^>]*>Reader 2<\/a>: Name: Reader → Reader 2/,
    );
    const guest = await makePerson(container, home, { displayName: 'Unnamed Guest' });
    const { events, clock } = container;
    const unlocked = newEvent('user.unlocked', {
      ...{ aggregate: 'user', id: theirs.person.id, orgId: other.id, sequence: 9, date: clock.now() },
      editor: { userId: guest.id, service: 'admin' },
    });
    await container.mongo.transactionOf(other.id, (transaction) => events.append([unlocked], transaction));
    const again = await theirs.get(`/console/orgs/${other.id}/log?type=user.unlocked`);
    t.match(again.text, /<div>Somebody of another organization unlocked/);
    t.notMatch(again.text, guest.displayName);
  },
);
