import t from 'tap';
import { makeCaller, makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const acme = await makeTenant(container);
const other = await makeTenant(container);
const userId = acme.viewer.id;
const metadata = `/admin/v1/orgs/${acme.orgId}/users/${userId}/metadata`;

t.test('metadata is set, read, listed and removed', async (t) => {
  const as = acme.owner;
  const set = await call(`PUT ${metadata}/team%2Fname`, { as, body: { value: 'Ymx1ZQ==' } });
  t.match(set, { status: 200, body: { key: 'team/name', value: 'Ymx1ZQ==', created: String } });
  t.same((await call(`GET ${metadata}/team%2Fname`, { as })).body, set.body);
  t.equal((await call(`PUT ${metadata}/empty`, { as, body: { value: '' } })).status, 200);
  const same = await call(`PUT ${metadata}/team%2Fname`, { as, body: { value: 'Ymx1ZQ==' } });
  t.same(same.body, set.body, 'the same value changes nothing');
  const changed = await call(`PUT ${metadata}/team%2Fname`, { as, body: { value: 'cmVk' } });
  t.match(changed.body, { value: 'cmVk', created: set.body.created });

  const first = await call(`GET ${metadata}?limit=1`, { as });
  t.match(first.body, { items: [{ key: 'empty', value: '' }], next: 'empty' });
  const rest = await call(`GET ${metadata}?limit=1&after=empty`, { as });
  t.match(rest.body.items, [{ key: 'team/name' }]);

  t.equal((await call(`DELETE ${metadata}/team%2Fname`, { as })).status, 204);
  for (const method of ['GET', 'DELETE'] as const) {
    t.match(await call(`${method} ${metadata}/team%2Fname`, { as }), {
      status: 404,
      body: { id: 'directory.metadataNotFound' },
    });
  }
  const { body } = await call('POST /admin/v1/events/_search', {
    as,
    body: { aggregateTypes: ['user_metadata'], asc: true },
  });
  const ofTeam = body.events.filter(
    ({ payload }: { payload: { key: string } }) => payload.key === 'team/name',
  );
  t.match(ofTeam, [
    { type: 'user.metadata.set', sequence: 1, payload: { userId } },
    { type: 'user.metadata.set', sequence: 2 },
    { type: 'user.metadata.removed', sequence: 3 },
  ]);
  t.notMatch(JSON.stringify(body), /Ymx1ZQ|cmVk/, 'values stay out of events');
});

t.test('bad keys and values, unknown users and others are refused', async (t) => {
  const as = acme.owner;
  const put = (url: string, value: unknown) => call(`PUT ${url}`, { as, body: { value } });
  for (const value of ['a', 'YQ', 'Y Q=', 'Y-_=', 'A'.repeat(90_000), 5, null]) {
    t.equal((await put(`${metadata}/key`, value)).status, 400, String(value).slice(0, 10));
  }
  t.equal((await put(`${metadata}/a%20b`, 'YQ==')).status, 400);
  t.equal((await put(`${metadata}/${'x'.repeat(201)}`, 'YQ==')).status, 400);
  const unknown = metadata.replace(userId, 'nobody');
  t.match(await put(`${unknown}/key`, 'YQ=='), { status: 404, body: { id: 'directory.userNotFound' } });
  const foreign = metadata.replace(userId, other.viewer.id);
  t.match(await put(`${foreign}/key`, 'YQ=='), { status: 404, body: { id: 'directory.userNotFound' } });
  t.equal((await call(`GET ${metadata}`, { as: other.owner })).status, 404);
  t.equal((await call(`GET ${metadata}`, { as: acme.manager })).status, 403);
});

t.test('no metadata is kept of a user during the removal', async (t) => {
  // The instance must keep an owner, or no service user can be removed.
  await makeCaller(container, other.orgId, ['IAM_OWNER']);
  for (let round = 0; round < 5; round++) {
    const { id } = await makeCaller(container, acme.orgId);
    const url = `/admin/v1/orgs/${acme.orgId}/users/${id}/metadata/key`;
    const [kept, removed] = await Promise.all([
      call(`PUT ${url}`, { as: acme.owner, body: { value: 'YQ==' } }),
      call(`DELETE /admin/v1/orgs/${acme.orgId}/service-users/${id}`, { as: acme.owner }),
    ]);
    t.ok([200, 404].includes(kept.status), String(kept.status));
    t.equal(removed.status, 204);
    t.equal((await call(`GET ${url}`, { as: acme.owner })).status, 404);
  }
});
