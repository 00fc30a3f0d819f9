import t from 'tap';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** The identifier of an error is in a header, whatever the body is. */

const { app, container } = await buildTestApp(t);
const { orgId, owner, viewer } = await makeTenant(container);
const as = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const browser = { accept: 'text/html' };

const rows: [request: string, headers: Record<string, string>, payload: string | undefined, id: string][] = [
  [`GET /scim/v2/${orgId}/Users/x`, as(owner), undefined, 'directory.userNotFound'],
  [`GET /scim/v2/${orgId}/Users`, {}, undefined, 'tokens.tokenMissing'],
  ['GET /admin/v1/orgs', {}, undefined, 'tokens.tokenMissing'],
  ['GET /admin/v1/nothing', as(owner), undefined, 'http.notFound'],
  ['POST /admin/v1/orgs', as(viewer), undefined, 'tokens.permissionMissing'],
  [
    `PATCH /admin/v1/orgs/${orgId}`,
    { ...as(owner), 'content-type': 'application/json' },
    '{"x":1}',
    'http.bodyMalformed',
  ],
  ['POST /oauth/v2/token', form, 'grant_type=x', 'oauth.unsupported_grant_type'],
  ['POST /oauth/v2/token', form, 'grant_type=client_credentials', 'oauth.invalid_client'],
  ['POST /oauth/v2/token', form, 'a=1&a=2', 'oauth.invalid_request'],
  ['POST /oauth/v2/introspect', form, 'token=x', 'oauth.invalid_client'],
  ['POST /oauth/v2/token', form, `a=${'b'.repeat(70_000)}`, 'http.bodyTooLarge'],
  ['GET /oidc/v1/userinfo', {}, undefined, 'oauth.invalid_token'],
  ['GET /oidc/v1/userinfo', { authorization: 'Bearer x' }, undefined, 'oauth.invalid_token'],
  ['GET /oauth/v2/authorize', browser, undefined, 'oauth.invalid_request'],
  ['GET /oauth/v2/nothing', {}, undefined, 'http.notFound'],
  ['GET /oauth/v2/nothing', browser, undefined, 'http.notFound'],
  ['PUT /oauth/v2/token', {}, undefined, 'http.methodNotAllowed'],
  ['GET /login?request=x', browser, undefined, 'login.flowEnded'],
];

t.test('every error has its identifier in a header', async (t) => {
  for (const [request, headers, payload, id] of rows) {
    const [method, url] = request.split(' ') as ['GET', string];
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
    t.ok(answer.statusCode >= 400, `${request} ${answer.statusCode}`);
    t.equal(answer.headers['x-error-id'], id, request);
  }
});

t.test('a success has none, and pages of other origins may read it', async (t) => {
  const found = await app.inject({ url: `/admin/v1/orgs/${orgId}`, headers: as(owner) });
  t.equal(found.headers['x-error-id'], undefined);
  const refused = await app.inject({ url: '/oidc/v1/userinfo', headers: { origin: 'https://spa.example' } });
  t.match(refused.headers['access-control-expose-headers'], /x-error-id/);
});
