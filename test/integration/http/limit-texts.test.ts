import t from 'tap';
import { errorCatalogue } from '#src/platform/errors.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/** The text of an error of a limit names the limit, with its unit. */

const { app, container, clock } = await buildTestApp(t, {
  importMaxBytes: 1_000,
  rateLimitPerClient: 100,
});
const { id: orgId } = await makeOrganization(container);
const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
const client = await makeApplication(container, orgId);
const scim = `/scim/v2/${orgId}`;
const json = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const many = (count: number) => JSON.stringify(Array(count).fill({}));
const authorize = (more: Record<string, string>) => {
  const usual = { client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' };
  return `GET /oauth/v2/authorize?${new URLSearchParams({ ...usual, ...more })}`;
};

interface Row {
  readonly request: string;
  readonly payload?: string | object;
  readonly headers?: Record<string, string>;
  readonly says: RegExp;
}

const user = (differences: Record<string, unknown>, says: RegExp): Row => ({
  request: `POST ${scim}/Users`,
  payload: newUser(differences),
  says,
});

const rows: Row[] = [
  { request: `GET /${'x'.repeat(8_200)}`, says: /more than 8192 characters/ },
  { request: `GET ${scim}/Users?${'a=1&'.repeat(101)}`, says: /more than 100/ },
  { request: `POST ${scim}/Users`, payload: ' '.repeat(262_145), says: /more than 262144 bytes/ },
  { request: `POST ${scim}/Bulk`, payload: ' '.repeat(1_000_001), says: /more than 1000000 bytes/ },
  { request: `POST ${scim}/Users`, payload: nested(33), says: /deeper than 32 levels/ },
  { request: `POST ${scim}/Users`, payload: many(20_001), says: /more than 20000 members/ },
  { request: `PATCH /admin/v1/orgs/${orgId}`, payload: nested(22), says: /more than 21 levels/ },
  { request: `PATCH /admin/v1/orgs/${orgId}`, payload: many(5_001), says: /more than 5000 members/ },
  { request: 'POST /admin/v1/import', payload: ' '.repeat(1_001), says: /more than 1000 bytes/ },
  { request: `GET ${scim}/Users?filter=${'x'.repeat(1_001)}`, says: /more than 1000 characters/ },
  {
    request: `PATCH ${scim}/Users/x`,
    payload: patchOp({ op: 'add', path: 'x'.repeat(1_001), value: 1 }),
    says: /more than 1000 characters/,
  },
  {
    request: `PATCH ${scim}/Users/x`,
    payload: patchOp(...Array(1_001).fill({ op: 'remove', path: 'title' })),
    says: /at most 1000 operations/,
  },
  {
    request: `POST ${scim}/Bulk`,
    payload: {
      schemas: [urn.bulkRequest],
      Operations: Array(101).fill({ method: 'DELETE', path: '/Users/x' }),
    },
    says: /at most 100 operations/,
  },
  user({ userName: 'u'.repeat(201) }, /more than 200 characters/),
  user({ title: 't'.repeat(501) }, /more than 500 characters/),
  user(
    { emails: Array.from({ length: 101 }, (_, n) => ({ value: `${n}@x.example` })) },
    /more than 100 values/,
  ),
  user({ roles: Array.from({ length: 201 }, (_, n) => ({ value: `${n}` })) }, /more than 200 values/),
  user({ password: `Pa$$w0rd${'x'.repeat(193)}` }, /at most 200 characters/),
  {
    request: `PATCH /admin/v1/orgs/${orgId}`,
    payload: { name: 'n'.repeat(201) },
    says: /more than 200 characters/,
  },
  { request: `PATCH /admin/v1/orgs/${orgId}`, payload: { name: 'n'.repeat(1_001) }, says: /1000 characters/ },
  {
    request: `PATCH /admin/v1/orgs/${orgId}`,
    payload: { login: { logoUrl: `https://x.example/${'x'.repeat(2_000)}` } },
    says: /2000 characters/,
  },
  {
    request: 'POST /oauth/v2/token',
    headers: form,
    payload: `a=${'b'.repeat(65_536)}`,
    says: /more than 65536 bytes/,
  },
  { request: authorize({ state: 's'.repeat(8_193) }), says: /more\+than\+\d+\+characters/ },
  { request: authorize({ nonce: 'n'.repeat(513) }), says: /more\+than\+512\+characters/ },
  { request: authorize({ login_hint: 'l'.repeat(8_193) }), says: /more\+than\+8192\+characters/ },
  {
    request: authorize({ scope: `openid ${Array.from({ length: 101 }, (_, n) => `s${n}`).join(' ')}` }),
    says: /more\+than\+100/,
  },
  { request: authorize({ client_id: 'c'.repeat(301) }), says: /longer than 300 characters/ },
  {
    request: `GET /oidc/v1/end_session?state=${'s'.repeat(8_193)}`,
    says: /more than 8192 characters/,
  },
];

t.test('the text names the limit', async (t) => {
  for (const { request, payload, headers = json, says } of rows) {
    const [method, url] = request.split(' ') as ['GET', string];
    const { 'content-type': _type, ...bare } = headers;
    const sent = payload === undefined ? bare : headers;
    const body = typeof payload === 'object' ? JSON.stringify(payload) : payload;
    const answer = await app.inject({
      method,
      url,
      headers: sent,
      ...(body !== undefined && { payload: body }),
    });
    t.ok(answer.statusCode >= 300, `${request.slice(0, 60)} ${answer.statusCode}`);
    t.match(`${answer.payload} ${answer.headers.location}`, says, request.slice(0, 60));
  }
});

t.test('a limited caller is told what limits it', async (t) => {
  clock.startMinute();
  const ask = () => app.inject({ url: `${scim}/Users/nobody`, headers: json });
  let answer = await ask();
  for (let n = 0; n < 100 && answer.statusCode !== 429; n++) answer = await ask();
  t.equal(answer.json().detail, 'More than 100 requests of this client within a minute');
});

t.test('the general text of a limit, or the text of each of its errors, has a number', async (t) => {
  // The request decides the number, and the detail of each such error has it.
  const inDetail = new Set([
    'directory.quotaExceeded',
    'http.bodyTooLarge',
    'http.rateLimited',
    'import.tooLarge',
    'keys.hashPoolSaturated',
    'keys.keyPairsSaturated',
    'login.tooManyAttempts',
    'operations.tooManyStreams',
    'scim.filterTooCostly',
    'scim.tooManyLists',
    'scim.tooManyOperations',
    'scim.tooManySearches',
    'scim.tooMuchWork',
  ]);
  const isLimit = /too (many|much|large|long|costly)|more than|at most|quota/i;
  const numbers = /\d|two|ten/;
  for (const { id, kind, message } of errorCatalogue) {
    if (!isLimit.test(message) || kind === 'unavailable' || inDetail.has(id)) continue;
    t.match(message, numbers, id);
  }
});
