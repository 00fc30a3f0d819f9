import t from 'tap';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { app, container } = await buildTestApp(t);

const ask = (request: string, headers: Record<string, string> = {}) => {
  const [method, url] = request.split(' ') as ['GET', string];
  return app.inject({ method, url, headers });
};
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'fr' };

t.test('an address of the protocols that takes another method says which', async (t) => {
  for (const [request, allow] of [
    ['GET /oauth/v2/token', 'OPTIONS, POST'],
    ['PUT /oauth/v2/token?grant_type=password', 'OPTIONS, POST'],
    ['GET /oauth/v2/introspect', 'OPTIONS, POST'],
    ['DELETE /oauth/v2/revoke', 'OPTIONS, POST'],
    ['POST /oauth/v2/keys', 'GET, HEAD, OPTIONS'],
    ['PATCH /oidc/v1/userinfo', 'GET, HEAD, OPTIONS, POST'],
    ['DELETE /oauth/v2/authorize', 'GET, HEAD, POST'],
    ['OPTIONS /oauth/v2/authorize', 'GET, HEAD, POST'],
    ['PUT /oidc/v1/end_session', 'GET, HEAD, POST'],
    ['OPTIONS /login', 'GET, HEAD, POST'],
    ['QUERY /oauth/v2/token', 'OPTIONS, POST'],
    ['QUERY /healthz', 'GET, HEAD'],
    ['PROPFIND /oauth/v2/keys', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const answer = await ask(request);
    t.equal(answer.statusCode, 405, request);
    t.equal(answer.headers.allow, allow, request);
    t.match(answer.json(), { id: 'http.methodNotAllowed', status: 405 }, request);
    t.notOk('access-control-allow-origin' in answer.headers, request);
  }
});

t.test('an address with a route of its own has no methods of others', async (t) => {
  const { id } = await makeOrganization(container);
  const { token } = await makeCaller(container, id, ['IAM_OWNER']);
  for (const [address, allow] of [
    ['/admin/v1/signing-keys/_rotate', 'POST'],
    ['/admin/v1/signing-keys/other', 'DELETE'],
  ] as const) {
    const answer = await ask(`OPTIONS ${address}`, { authorization: `Bearer ${token}` });
    t.equal(answer.statusCode, 405, address);
    t.equal(answer.headers.allow, allow, address);
  }
});

t.test('a body does not hide that the method is not allowed', async (t) => {
  for (const method of ['TRACE', 'DELETE'] as const) {
    const answer = await app.inject({
      method: method as 'DELETE',
      url: '/oauth/v2/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'token=unknown',
    });
    t.equal(answer.statusCode, 405, method);
    t.equal(answer.headers.connection, 'close', 'and nobody reads the body');
  }
});

t.test('a QUERY of an address that is not there', async (t) => {
  for (const headers of [{}, { 'content-type': 'application/json' }]) {
    const answer = await ask('QUERY /nothing', headers);
    t.equal(answer.statusCode, 404);
    t.equal(answer.json().id, 'http.notFound');
  }
});

t.test('HEAD is as GET without the body', async (t) => {
  for (const [request, status] of [
    ['HEAD /oauth/v2/keys', 200],
    ['HEAD /.well-known/openid-configuration', 200],
    ['HEAD /oidc/v1/userinfo', 401],
    ['HEAD /oauth/v2/authorize', 400],
    ['HEAD /login', 200],
  ] as const) {
    const answer = await ask(request);
    t.equal(answer.statusCode, status, request);
    t.equal(answer.payload, '', request);
  }
});

t.test('a browser sees a page in its language', async (t) => {
  for (const [request, status] of [
    ['GET /login/nothing', 404],
    ['GET /nothing', 404],
    ['GET /oauth/v2/nothing?client_id=<script>alert(1)</script>', 404],
    ['GET /oauth/v2/token', 405],
  ] as const) {
    const answer = await ask(request, browser);
    t.equal(answer.statusCode, status, request);
    t.match(answer.headers, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': /frame-ancestors 'none'/,
    });
    t.match(answer.payload, /<html lang="fr">.*Rien ici/s);
    t.notMatch(answer.payload, '<script>');
  }
});

t.test('the root leads to the console', async (t) => {
  const answer = await ask('GET /', browser);
  t.equal(answer.statusCode, 303);
  t.equal(answer.headers.location, `${container.config.baseUrl}/console`);
});

t.test('everybody else is told that there is nothing', async (t) => {
  for (const accept of ['application/json', '*/*', '']) {
    const answer = await ask('GET /oauth/v2/nothing', { accept });
    t.equal(answer.statusCode, 404);
    t.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
    t.equal(answer.headers.allow, undefined);
    t.equal(answer.json().id, 'http.notFound');
  }
});

t.test('the address of a form of the account page leads to the page', async (t) => {
  for (const path of ['/account/password', '/account/profile', '/account/sessions/end']) {
    const answer = await ask(`GET ${path}`, browser);
    t.equal(answer.statusCode, 303, path);
    t.equal(answer.headers.location, `${container.config.baseUrl}/account`, path);
  }
});

t.test('a password manager finds the page where people change their password', async (t) => {
  for (const path of ['/.well-known/change-password', '/.well-known/change-password/']) {
    const answer = await ask(`GET ${path}`, browser);
    t.equal(answer.statusCode, 303, path);
    t.equal(answer.headers.location, `${container.config.baseUrl}/account`, path);
  }
  // A Well-Known URL for Detecting the Reliability of HTTP Status Codes: without this, password managers do not believe it.
  const unknown = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200';
  t.equal((await ask(`GET ${unknown}`, browser)).statusCode, 404);
  t.equal((await ask('POST /.well-known/change-password')).statusCode, 405);
});
