import t from 'tap';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';
import { inDatabase } from '../support/migration/fault-import.js';
import { makeCertificate } from '../support/network/certificate.js';
import { hookSettings, startFormerService, takenOverOnce } from '../support/processes/former-service.js';
import { newUser } from '../support/scim/bulk.js';

t.test(
  'what one API process takes away, the other refuses at the next request',
  { timeout: 120_000 },
  async (t) => {
    const stage = await openStage(t);
    if (stage === undefined) return;
    const one = await stage.startApi();
    const two = await stage.startApi();
    const orgs = `/admin/v1/orgs/${stage.orgId}`;
    const statusAtTwo = async (token: string) =>
      (await two.call(`GET /scim/v2/${stage.orgId}/Users?count=1`, { token })).status;

    t.test('a revoked access token', async (t) => {
      const client = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
      for (let round = 0; round < 10; round++) {
        const token = await accessTokenOf(stage, one, client);
        t.equal(await statusAtTwo(token), 200);
        const form = { client_id: client.clientId, client_secret: client.clientSecret, token };
        t.equal((await one.call('POST /oauth/v2/revoke', { form })).status, 200);
        t.equal(await statusAtTwo(token), 401);
      }
    });

    t.test('a removed personal access token', async (t) => {
      const { id, pat, patId } = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
      t.equal(await statusAtTwo(pat), 200);
      const removed = await one.call(`DELETE ${orgs}/service-users/${id}/tokens/${patId}`);
      t.equal(removed.status, 204);
      t.equal(await statusAtTwo(pat), 401);
    });

    t.test('a deactivated service user, until it is activated again', async (t) => {
      const client = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
      const token = await accessTokenOf(stage, one, client);
      t.same([await statusAtTwo(client.pat), await statusAtTwo(token)], [200, 200]);
      const change = (active: boolean) =>
        one.call(`PATCH ${orgs}/service-users/${client.id}`, { json: { active } });
      t.equal((await change(false)).status, 200);
      t.same([await statusAtTwo(client.pat), await statusAtTwo(token)], [401, 401]);
      const form = {
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: client.clientSecret,
      };
      t.equal((await two.call('POST /oauth/v2/token', { form })).status, 401);
      t.equal((await change(true)).status, 200);
      t.same(
        [await statusAtTwo(client.pat), await statusAtTwo(token)],
        [200, 401],
        'old tokens stay revoked',
      );
    });

    t.test('a removed client secret', async (t) => {
      const client = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
      await accessTokenOf(stage, two, client);
      const { body } = await one.call(`GET ${orgs}/service-users/${client.id}/secrets`);
      const [{ id: secretId }] = body.items;
      t.equal((await one.call(`DELETE ${orgs}/service-users/${client.id}/secrets/${secretId}`)).status, 204);
      const form = {
        grant_type: 'client_credentials',
        client_id: client.clientId,
        client_secret: client.clientSecret,
      };
      t.equal((await two.call('POST /oauth/v2/token', { form })).status, 401);
    });

    t.test('a membership, taken away and given', async (t) => {
      const client = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
      t.equal(await statusAtTwo(client.pat), 200);
      const removed = await one.call(`DELETE ${orgs}/memberships/${client.membershipId}`);
      t.equal(removed.status, 204);
      t.equal(await statusAtTwo(client.pat), 404);
      const added = await one.call(`POST ${orgs}/memberships`, {
        json: { userId: client.id, role: 'ORG_USER_VIEWER' },
      });
      t.equal(added.status, 201);
      t.equal(await statusAtTwo(client.pat), 200);
    });

    t.test('a service user that was removed', async (t) => {
      const client = await makeServiceUser(stage, one, 'ORG_USER_VIEWER');
      const token = await accessTokenOf(stage, one, client);
      t.same([await statusAtTwo(client.pat), await statusAtTwo(token)], [200, 200]);
      t.equal((await one.call(`DELETE ${orgs}/service-users/${client.id}`)).status, 204);
      t.same([await statusAtTwo(client.pat), await statusAtTwo(token)], [401, 401]);
    });
  },
);

t.test('parallel changes of one group at two API processes', { timeout: 120_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const apis = await Promise.all([stage.startApi(), stage.startApi()]);
  const [one] = apis;
  const base = `/scim/v2/${stage.orgId}`;
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, n) => one.call(`POST ${base}/Users`, { json: newUser(`member-${n}`) })),
  );
  t.same([...new Set(created.map(({ status }) => status))], [201]);
  const members: string[] = created.map(({ body }) => body.id).sort();
  const group = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'Busy' };
  const { id } = (await one.call(`POST ${base}/Groups`, { json: group })).body;
  const change = (index: number, operation: object) => {
    const api = apis[index % 2] ?? one;
    return api.call(`PATCH ${base}/Groups/${id}`, { json: { schemas, Operations: [operation] } });
  };
  const answers = await Promise.all([
    ...members.map((value, index) => change(index, { op: 'add', path: 'members', value: [{ value }] })),
    change(0, { op: 'replace', path: 'displayName', value: 'Renamed' }),
  ]);
  t.same([...new Set(answers.map(({ status }) => status))], [204], 'none fails');
  const { body } = await one.call(`GET ${base}/Groups/${id}`);
  t.equal(body.displayName, 'Renamed');
  t.same(body.members.map(({ value }: { value: string }) => value).sort(), members, 'none is lost');
});

t.test('the total of users is exact though API processes are killed', { timeout: 120_000 }, async (t) => {
  const stage = await openStage(t);
  if (stage === undefined) return;
  const api = await stage.startApi();
  const path = `/scim/v2/${stage.orgId}/Users`;
  let struck = 0;
  for (let round = 0; round < 3; round++) {
    const doomed = await stage.startApi();
    const known: string[] = (await api.call(`GET ${path}?count=40`)).body.Resources.map(
      ({ id }: { id: string }) => id,
    );
    const sent = [
      ...Array.from({ length: 60 }, (_, n) =>
        doomed.call(`POST ${path}`, { json: newUser(`killed-${round}-${n}`) }),
      ),
      ...known.map((id) => doomed.call(`DELETE ${path}/${id}`)),
    ].map((answer) => answer.then(() => true).catch(() => false));
    await Promise.race(sent);
    await doomed.crash();
    struck += (await Promise.all(sent)).filter((isAnswered) => !isAnswered).length;
    const count = () =>
      inDatabase(stage, (db) => db.collection('users').countDocuments({ orgId: stage.orgId }));
    // A commit that the killed process sent may still be under way.
    const told = await until(async () => {
      const before = await count();
      const { totalResults } = (await api.call(`GET ${path}?count=0`)).body;
      return before === (await count()) ? { totalResults, before } : undefined;
    });
    t.equal(told.totalResults, told.before, `round ${round}`);
  }
  t.ok(struck > 0, `${struck} requests were not answered`);
});

t.test('a migration hook confirms people while API processes are killed', { timeout: 120_000 }, async (t) => {
  const certificate = await makeCertificate(t);
  const stage = certificate && (await openStage(t, { settings: hookSettings(certificate) }));
  if (certificate === undefined || stage === undefined) return;
  const [one, two] = await Promise.all([stage.startApi(), stage.startApi()]);
  const former = await startFormerService(t, { stage, api: one, certificate });

  await t.test('at several processes at once', async (t) => {
    for (let round = 0; round < 4; round++) {
      const name = `twice-${round}`;
      // Half of the people are here already, without a password.
      if (round % 2 === 0) {
        const added = await one.call(`POST /scim/v2/${stage.orgId}/Users`, { json: newUser(name) });
        t.equal(added.status, 201);
      }
      const spellings = [name, name.toUpperCase()];
      const sent = spellings.flatMap((typed) => [one, two].map((api) => former.signIn(api, typed)));
      await Promise.all(spellings.map((typed) => former.asked(typed, 2)));
      for (const typed of spellings) former.answer(typed);
      t.same(await Promise.all(sent), [303, 303, 303, 303], 'each of them signs in');
      t.same(await former.stored(name), takenOverOnce);
    }
  });

  await t.test('kill -9 while the hook is asked', async (t) => {
    const doomed = await stage.startApi();
    const sent = former.signIn(doomed, 'asked').catch((error: Error) => error);
    await former.asked('asked');
    await doomed.crash();
    former.answer('asked');
    t.type(await sent, Error);
    t.same(await former.stored('asked'), { people: 0, whole: 0, added: 0 });
    const again = former.signIn(one, 'asked');
    await former.asked('asked');
    former.answer('asked');
    t.equal(await again, 303);
    t.same(await former.stored('asked'), takenOverOnce);
  });

  await t.test('kill -9 between the answer of the hook and the end of the sign-in', async (t) => {
    const outcomes: string[] = [];
    const pause = (milliseconds: number) => () => new Promise((done) => setTimeout(done, milliseconds));
    const moments: Record<string, (name: string) => Promise<unknown>> = {
      'at once': pause(0),
      'while the password is hashed': pause(20),
      'after the commit': (name) => until(async () => (await former.stored(name)).people === 1),
    };
    for (const [moment, come] of Object.entries(moments)) {
      const name = moment.replaceAll(' ', '-');
      const doomed = await stage.startApi();
      const sent = former.signIn(doomed, name).catch(() => 0);
      await former.asked(name);
      former.answer(name);
      await come(name);
      await doomed.crash();
      const status = await sent;
      // A commit that the killed process sent may still be under way.
      const before = await until(async () => {
        const first = await former.stored(name);
        const second = await former.stored(name);
        return JSON.stringify(first) === JSON.stringify(second) ? first : undefined;
      });
      const asked = former.countOf(name);
      t.ok(before.people <= 1, `${before.people} people`);
      t.same([before.whole, before.added], [before.people, before.people], 'nobody is half there');
      const again = former.signIn(two, name);
      if (before.people === 0) await former.asked(name);
      former.answer(name);
      t.equal(await again, 303, 'the second sign-in works');
      t.same(await former.stored(name), takenOverOnce);
      t.equal(former.countOf(name) - asked, 1 - before.people, 'only asked about somebody who is not here');
      outcomes.push(`${moment}: ${before.people} people, status ${status}`);
    }
    t.comment(outcomes.join('; '));
  });
});
