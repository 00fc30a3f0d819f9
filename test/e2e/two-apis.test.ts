import t from 'tap';
import { accessTokenOf, makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage } from '../../dev/stage/stage.js';
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
