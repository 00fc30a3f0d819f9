import t, { type Test } from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { buildAnotherApp } from '../../support/app/test-app.js';
import { type Answer, type Json, newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/** Many clients work on the same object at once. The answer to each must match the stored result. */

const { tenant, container, openAnother } = await openScim(t);
const scim = await tenant();

function count(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The number of changes that a version counts. */
const changesOf = ({ meta }: Json) => Number(/^W\/"(\d+)-/.exec(meta.version)?.[1]);

/** The user's events are numbered from 1 without a gap, and the last number is its version. */
async function numberedEvents(t: Test, id: string): Promise<string[]> {
  const events = await container.events.search({ aggregateId: id, limit: 1000, ascending: true });
  const sequences = events.map(({ sequence }) => sequence).sort((a, b) => a - b);
  t.same(
    sequences,
    sequences.map((_, index) => index + 1),
    'sequences have no gap and no duplicate',
  );
  return events.map(({ type }) => type);
}

t.test('of 30 creations of one userName one succeeds', async (t) => {
  const spellings = ['Racer', 'racer', 'RACER', 'rAcEr'];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => scim.post('/Users', newUser({ userName: spellings[i % 4] }))),
  );
  t.same(count(answers), { 201: 1, 409: 29 });
  for (const { body } of answers.filter(({ status }) => status === 409)) {
    t.equal(body.scimType, 'uniqueness');
    t.equal(body[urn.errorDetail].id, 'directory.userNameTaken');
  }
  const { body } = await scim.get('/Users?filter=userName+eq+%22racer%22');
  t.equal(body.totalResults, 1);
  t.equal(await container.mongo.db.collection('events').countDocuments({ type: 'user.human.added' }), 1);
});

t.test('equal creations keep neither each other nor other organizations waiting', async (t) => {
  const other = await tenant();
  const slowestOfRounds: number[] = [];
  let slowest = 0;
  const create = async (one: typeof scim, userName: string) => {
    const began = performance.now();
    const { status } = await one.post('/Users', newUser({ userName }));
    slowest = Math.max(slowest, performance.now() - began);
    return { status };
  };
  for (let round = 0; round < 5; round++) {
    slowest = 0;
    const equal = Array.from({ length: 30 }, () => create(scim, `equal-${round}`));
    const others = Array.from({ length: 5 }, (_, n) => create(other, `other-${round}-${n}`));
    t.same(count((await Promise.all(equal)) as Answer[]), { 201: 1, 409: 29 });
    t.same(count((await Promise.all(others)) as Answer[]), { 201: 5 });
    slowestOfRounds.push(Math.round(slowest));
  }
  // Retried transactions took 120 s. Other tests share the cores, so the promised second must be kept in the best round alone.
  // `make bench-hostile` requires it of every response.
  t.ok(Math.max(...slowestOfRounds) < 5_000, `the slowest of each round took ${slowestOfRounds} ms`);
  t.ok(Math.min(...slowestOfRounds) < 1_000, `the slowest of each round took ${slowestOfRounds} ms`);
});

t.test('20 PATCHes of different attributes of one user are all applied', async (t) => {
  const user = await scim.create({ userName: 'patched' });
  const before = changesOf(user);
  const values: Record<string, Json> = {
    title: 't',
    nickName: 'n',
    userType: 'u',
    externalId: 'e',
    displayName: 'd',
    profileUrl: 'https://p.example',
    locale: 'de-CH',
    timezone: 'Europe/Zurich',
    preferredLanguage: 'de',
    'name.middleName': 'm',
    'name.honorificPrefix': 'p',
    'name.honorificSuffix': 's',
    'phoneNumbers[type eq "work"].value': '5550100',
    'phoneNumbers[type eq "home"].value': '5550101',
    'emails[type eq "home"].value': 'home@example.com',
    'emails[type eq "other"].value': 'other@example.com',
    'ims[type eq "xmpp"].value': 'x@example.com',
    'photos[type eq "photo"].value': 'https://p.example/1',
    'roles[value eq "r"].display': 'R',
    active: false,
  };
  const paths = Object.keys(values);
  t.equal(paths.length, 20);
  const answers = await Promise.all(
    paths.map((path) => scim.patch(`/Users/${user.id}`, patchOp({ op: 'add', path, value: values[path] }))),
  );
  t.same(count(answers), { 204: 20 });
  const { body } = await scim.get(`/Users/${user.id}`);
  t.equal(body.title, 't');
  t.equal(body.nickName, 'n');
  t.equal(body.userType, 'u');
  t.equal(body.externalId, 'e');
  t.equal(body.displayName, 'd');
  t.equal(body.profileUrl, 'https://p.example');
  t.equal(body.locale, 'de-CH');
  t.equal(body.timezone, 'Europe/Zurich');
  t.equal(body.preferredLanguage, 'de');
  t.equal(body.active, false);
  t.hasStrict(body.name, { middleName: 'm', honorificPrefix: 'p', honorificSuffix: 's' });
  t.same(body.phoneNumbers.map(({ type }: Json) => type).sort(), ['home', 'work']);
  t.same(body.emails.map(({ type }: Json) => type).sort(), ['home', 'other', 'work']);
  t.equal(body.ims[0].value, 'x@example.com');
  t.equal(body.photos[0].value, 'https://p.example/1');
  t.same(body.roles, [{ value: 'r', display: 'R' }]);
  t.equal(changesOf(body), before + 20, 'each change counts once');
  const types = await numberedEvents(t, user.id);
  t.equal(types.length, 21);
});

t.test('PATCHes of one user through two processes are all applied', async (t) => {
  const another = await buildAnotherApp(t, { openAnother });
  const { id } = await scim.create();
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, i) => {
      const body = patchOp({ op: 'add', path: 'roles', value: [{ value: `role-${i}` }] });
      return i % 2
        ? scim.patch(`/Users/${id}`, body)
        : another(`PATCH ${scim.base}/Users/${id}`, { as: scim, body });
    }),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([204]));
  t.equal((await scim.get(`/Users/${id}`)).body.roles.length, 16);
  t.equal((await numberedEvents(t, id)).length, 17);
});

t.test('of 20 deletions of one user one succeeds', async (t) => {
  const { id } = await scim.create();
  const answers = await Promise.all(Array.from({ length: 20 }, () => scim.delete(`/Users/${id}`)));
  t.same(count(answers), { 204: 1, 404: 19 });
  t.same(await numberedEvents(t, id), ['user.human.added', 'user.removed']);
});

t.test('PUTs and a DELETE at once: the user is gone, and nothing brings it back', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await scim.create({ userName: `gone-${round}` });
    const path = `/Users/${id}`;
    const [deleted, ...changed] = await Promise.all([
      scim.delete(path),
      ...Array.from({ length: 6 }, (_, i) =>
        scim.put(path, newUser({ userName: `gone-${round}`, title: `${i}` })),
      ),
      ...Array.from({ length: 6 }, (_, i) =>
        scim.patch(path, patchOp({ op: 'replace', path: 'nickName', value: `${i}` })),
      ),
    ]);
    t.equal(deleted?.status, 204);
    t.ok(
      changed.every(({ status }) => [200, 204, 404].includes(status)),
      JSON.stringify(count(changed)),
    );
    t.equal((await scim.get(path)).status, 404);
    t.equal(await scim.found(`userName eq "gone-${round}"`), '');
    const types = await numberedEvents(t, id);
    t.equal(types.filter((type) => type === 'user.removed').length, 1);
    const applied = changed.filter(({ status }) => status < 300).length;
    t.equal(
      types.filter((type) => type === 'user.human.changed').length,
      applied,
      'one event for each success',
    );
  }
});

t.test('of users that want the same userName one gets it', async (t) => {
  const users = await Promise.all(Array.from({ length: 8 }, () => scim.create()));
  const answers = await Promise.all(
    users.map(({ id }) =>
      scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'userName', value: 'Wanted' })),
    ),
  );
  t.same(count(answers), { 204: 1, 409: 7 });
  t.equal(await scim.found('userName eq "wanted"'), 'Wanted');
});

t.test('a userName that is given up is free at once', async (t) => {
  const { id } = await scim.create({ userName: 'baton' });
  for (let i = 0; i < 5; i++) {
    t.equal(
      (await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'userName', value: `held-${i}` })))
        .status,
      204,
    );
    const next = await scim.post('/Users', newUser({ userName: 'baton' }));
    t.equal(next.status, 201);
    t.equal((await scim.delete(`/Users/${next.body.id}`)).status, 204);
    t.equal(
      (await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'userName', value: 'baton' }))).status,
      204,
    );
  }
});
