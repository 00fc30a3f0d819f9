import t from 'tap';
import { heavyRoutes } from '#src/http/limits/shed-load.js';
import { lateMs, makeLoopLate } from '../../support/app/late-loop.js';
import { makeTenant } from '../../support/app/make.js';
import { makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { until } from '../../support/until.js';

const { container, app, call } = await buildTestApp(t, { shedDelayMilliseconds: lateMs });
const { orgId, owner } = await makeTenant(container);
const client = await makeServiceClient(container, orgId);

t.test('what counts as heavy is served', async (t) => {
  for (const route of heavyRoutes.keys()) {
    const [method = '', url = ''] = route.split(' ');
    t.ok(app.hasRoute({ method, url }), route);
  }
});

t.test('a late event loop refuses what is heavy and nothing else, as long as it is late', async (t) => {
  const relieve = await makeLoopLate(t, app);
  const scim = `/scim/v2/${orgId}`;
  const refused = { status: 503, headers: { 'retry-after': '2' } };
  const list = await call(`GET ${scim}/Users`, { as: owner });
  t.match(list, { ...refused, body: { status: '503' } });
  for (const request of [`POST ${scim}/Users/.search`, `POST ${scim}/Bulk`]) {
    t.match(await call(request, { as: owner, body: {} }), refused, request);
  }
  const search = await call('POST /admin/v1/events/_search', { as: owner, body: {} });
  t.match(search, { ...refused, body: { id: 'http.overloaded' } });
  const login = await app.inject({ method: 'POST', url: '/login', payload: {} });
  t.match(login, { statusCode: 503, headers: { 'content-type': /^text\/html/ }, payload: /Not available/ });

  for (const url of ['/healthz', '/readyz', '/oauth/v2/keys', '/login']) {
    t.equal((await app.inject({ url })).statusCode, 200, url);
  }
  const token = await postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials', scope: 'openid' },
    as: client.credentials,
  });
  t.equal(token.status, 200);
  t.equal((await call(`GET ${scim}/Users/nobody`, { as: owner })).status, 404, 'single users');

  relieve();
  await until(async () => (await call(`GET ${scim}/Users`, { as: owner })).status === 200);
  t.pass('served again');
});
