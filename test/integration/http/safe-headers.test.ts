import t from 'tap';
import { buildApp } from '#src/app.js';
import { makeTenant } from '../../support/app/make.js';
import { recordRoutes } from '../../support/app/route-facts.js';
import { buildTestApp } from '../../support/app/test-app.js';

const paths = [
  '/healthz',
  '/nothing',
  '/%zz',
  '/oauth/v2/authorize',
  '/login',
  '/scim/v2/x/Users',
  '/admin/v1/orgs',
];

t.test('every answer of a service at https asks for https', async (t) => {
  const { app } = await buildTestApp(t, { baseUrl: 'https://muster.example' });
  for (const url of paths) {
    const { headers } = await app.inject({ url });
    t.equal(headers['strict-transport-security'], 'max-age=31536000', url);
  }
});

t.test('one at http does not', async (t) => {
  const { app } = await buildTestApp(t, { baseUrl: 'http://127.0.0.1:8080' });
  for (const url of paths) {
    const { headers } = await app.inject({ url });
    t.notOk(headers['strict-transport-security'], url);
  }
});

t.test(
  'no cache keeps an answer of SCIM or administration, and no browser guesses its media type',
  async (t) => {
    const { app, container } = await buildTestApp(t);
    const { orgId, owner } = await makeTenant(container);
    const headers = { authorization: `Bearer ${owner.token}` };
    const scim = `/scim/v2/${orgId}`;
    const requests = [
      ['GET', `${scim}/Users`, 200],
      ['GET', `${scim}/Users/nobody`, 404],
      ['POST', `${scim}/Users`, 400],
      ['GET', `${scim}/Schemas`, 200],
      ['PUT', `${scim}/Bulk`, 405],
      ['GET', `/admin/v1/orgs/${orgId}`, 200],
      ['GET', '/admin/v1/events', 404],
      ['POST', '/admin/v1/export', 403],
      ['GET', '/admin/v1/%zz', 400],
    ] as const;
    for (const [method, url, status] of requests) {
      const answer = await app.inject({ method, url, headers });
      t.equal(answer.statusCode, status, `${method} ${url}`);
      t.match(answer.headers, { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }, url);
    }
    t.match(
      (await app.inject({ url: '/oauth/v2/keys' })).headers['cache-control'],
      /max-age/,
      'keys may be kept',
    );
  },
);

t.test('every route of SCIM and administration, with a token and without', async (t) => {
  const { app, container } = await buildTestApp(t);
  const { owner } = await makeTenant(container);
  const recorded = (await recordRoutes(() => buildApp(container))).map(({ route }) => route.split(' '));
  const routes = recorded.filter(([, url = '']) => /^\/(scim|admin)\//.test(url));
  t.ok(routes.length > 150, `${routes.length} routes`);
  const statuses = new Set<number>();
  const unsafe: string[] = [];
  for (const [method = '', path = ''] of routes) {
    // No object has this identifier, so nothing is changed.
    const url = path.replace(/:\w+/g, 'nothing').replace('*', 'nothing');
    for (const headers of [{}, { authorization: `Bearer ${owner.token}` }]) {
      const answer = await app.inject({ method: method as 'GET', url, headers });
      statuses.add(answer.statusCode);
      const { 'cache-control': cached, 'x-content-type-options': type } = answer.headers;
      if (cached !== 'no-store' || type !== 'nosniff') unsafe.push(`${method} ${url} ${answer.statusCode}`);
    }
  }
  t.same(unsafe, []);
  for (const status of [200, 401, 403, 404]) t.ok(statuses.has(status), `${status} is among them`);
});
