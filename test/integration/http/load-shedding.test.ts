import t from 'tap';
import { buildApp } from '#src/app.js';
import { until } from '../../../dev/until.js';
import { lateMs, makeLoopLate } from '../../support/app/late-loop.js';
import { makeTenant } from '../../support/app/make.js';
import { makeServiceClient, postForm } from '../../support/app/oauth-client.js';
import { recordRoutes } from '../../support/app/route-facts.js';
import { buildTestApp, serve } from '../../support/app/test-app.js';

const { container, app, call } = await buildTestApp(t, { shedDelayMilliseconds: lateMs });
const { orgId, owner } = await makeTenant(container);
const client = await makeServiceClient(container, orgId);

t.test('these routes are heavy', async (t) => {
  const routes = await recordRoutes(() => buildApp(container));
  const heavy = routes.flatMap(({ route, heavy: kind }) => (kind === undefined ? [] : [[route, kind]]));
  t.same(Object.fromEntries(heavy), {
    'GET /scim/v2/:orgId/Users': 'list',
    'HEAD /scim/v2/:orgId/Users': 'list',
    'POST /scim/v2/:orgId/SecurityEvents': 'list',
    'POST /scim/v2/:orgId/Users/.search': 'list',
    'GET /scim/v2/:orgId/Groups': 'list',
    'HEAD /scim/v2/:orgId/Groups': 'list',
    'POST /scim/v2/:orgId/Groups/.search': 'list',
    'POST /scim/v2/:orgId/.search': 'list',
    'GET /admin/v1/orgs/:orgId/users': 'list',
    'HEAD /admin/v1/orgs/:orgId/users': 'list',
    'POST /admin/v1/events/_search': 'list',
    'POST /admin/v1/orgs/:orgId/user-actions': 'list',
    'POST /scim/v2/:orgId/Bulk': 'bulk',
    'POST /admin/v1/import': 'migration',
    'POST /admin/v1/verify': 'migration',
    'POST /admin/v1/export': 'migration',
    'POST /admin/v1/export/passkeys': 'migration',
    'POST /admin/v1/orgs/:orgId/import': 'migration',
    'POST /admin/v1/orgs/:orgId/verify': 'migration',
    'POST /admin/v1/orgs/:orgId/export': 'migration',
    'POST /console/migration/import': 'migration',
    'POST /console/migration/import/bucket': 'migration',
    'POST /console/migration/import/address': 'migration',
    'POST /console/migration/export': 'migration',
    'POST /console/orgs/:orgId/users/many': 'migration',
    'POST /console/orgs/:orgId/users/many/cells': 'migration',
    'GET /console/orgs/:orgId/users/many/:kept': 'migration',
    'HEAD /console/orgs/:orgId/users/many/:kept': 'migration',
    'POST /console/orgs/:orgId/users/many/:kept/run': 'migration',
    'POST /console/orgs/:orgId/users/export': 'migration',
    'POST /admin/v1/orgs/:orgId/sign-in-policy/trial': 'list',
    'POST /login': 'sign-in',
    'GET /login/connections/:orgId/:connectionId/saml/logout': 'sign-in',
    'HEAD /login/connections/:orgId/:connectionId/saml/logout': 'sign-in',
    'POST /login/connections/:orgId/:connectionId/saml/logout': 'sign-in',
    'GET /login/connection-tests/:testId': 'sign-in',
    'HEAD /login/connection-tests/:testId': 'sign-in',
    'POST /login/connections/:orgId/:connectionId': 'sign-in',
    'POST /login/connections/:orgId/:connectionId/saml/acs': 'sign-in',
    'POST /login/link': 'sign-in',
    'POST /setup/open': 'sign-in',
    'POST /setup/saml': 'sign-in',
    'POST /login/register': 'sign-in',
    'POST /login/password': 'sign-in',
    'POST /login/new-password': 'sign-in',
    'POST /account/password': 'sign-in',
  });
});

t.test('workers give way to late requests, but not because heavy work or a stream takes long', async (t) => {
  const times: number[] = [];
  const holders: string[] = [];
  const lateness = {
    measures: () => true,
    ofRoute: () => (begunAt: number, holder: string) => {
      times.push(performance.now() - begunAt);
      holders.push(holder);
    },
  };
  const measured = await serve(t, { ...container, lateness });
  await measured.call(`GET /scim/v2/${orgId}/Users/unknown`, { as: owner });
  await measured.call('GET /oauth/v2/keys');
  await until(() => times.length === 2);
  t.ok(times.every((ms) => ms > 0 && ms < 60_000));
  for (const request of [
    'GET /healthz',
    `GET /scim/v2/${orgId}/Users?count=1`,
    `POST /scim/v2/${orgId}/Bulk`,
    'POST /admin/v1/import',
  ])
    await measured.call(request, { as: owner });
  await measured.call(`GET /scim/v2/${orgId}/Users/unknown`, { as: owner });
  await until(() => times.length === 3);
  t.same(holders, [orgId, '127.0.0.1', orgId]);
});

t.test('these routes are pages, probes and streams', async (t) => {
  const routes = await recordRoutes(() => buildApp(container));
  const withFact = (fact: 'page' | 'probe' | 'streamed') =>
    routes.filter((described) => described[fact]).map(({ route }) => route);
  const isPage =
    /^\w+ (\/$|\/operations\/jobs|\/docs|\/login|\/setup|\/account|\/\.well-known\/change-password|\/console|\/oauth\/v2\/authorize|\/oidc\/v1\/end_session)(\/|$)/;
  t.ok(withFact('page').length > 20);
  t.same(
    withFact('page').filter((route) => !route.includes('/assets/')),
    routes.map(({ route }) => route).filter((route) => isPage.test(route) && !route.includes('/assets/')),
  );
  t.same(withFact('probe'), ['GET /healthz', 'HEAD /healthz', 'GET /readyz', 'HEAD /readyz']);
  t.same(withFact('streamed'), [
    'POST /console/migration/import',
    'POST /console/orgs/:orgId/settings/logo',
    'POST /console/orgs/:orgId/connections/new-saml',
    'POST /console/orgs/:orgId/connections/:connectionId/metadata',
    'POST /console/orgs/:orgId/users/many',
    'POST /admin/v1/import',
    'POST /admin/v1/orgs/:orgId/import',
    'POST /admin/v1/verify',
    'POST /admin/v1/orgs/:orgId/verify',
  ]);
});

t.test('a late event loop refuses only heavy requests, as long as it is late', async (t) => {
  const relieve = await makeLoopLate(t, app);
  const scim = `/scim/v2/${orgId}`;
  const refused = { status: 503, headers: { 'retry-after': '2' } };
  const list = await call(`GET ${scim}/Users`, { as: owner });
  t.match(list, {
    ...refused,
    body: { status: '503', detail: /process .* refuses lists and searches; try again/ },
  });
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
