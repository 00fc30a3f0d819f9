import fc, { type Arbitrary } from 'fast-check';
import type { InjectOptions } from 'fastify';
import t from 'tap';
import { type ApiOperation, addressOf, apiOperations, placeholders } from '../support/api-operations.js';
import { makeFullOrganization } from '../support/full-organization.js';
import { makeCaller } from '../support/make.js';
import { makeApplication } from '../support/oauth-client.js';
import { damagedTextOf, fieldsOf, valuesOf } from '../support/schema-arbitrary.js';
import { buildTestApp } from '../support/test-app.js';

/**
 * Bodies, queries and headers made of the published schemas, right ones and odd ones: whatever comes, the answer is no
 * 500 and in the form of its room. `FUZZ_SEED` and `FUZZ_ROUNDS` repeat or prolong a run. Bodies of SCIM, whose schema
 * is its own, have a test of their own (scim-fuzz).
 */

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const numRuns = Number(process.env['FUZZ_ROUNDS'] ?? 12);
t.comment(`seed ${seed}`);

const { app, container } = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const full = await makeFullOrganization(container);
const owner = await makeCaller(container, full.orgId, ['IAM_OWNER']);
const client = await makeApplication(container, full.orgId);

const ids: Record<string, string> = {
  orgId: full.orgId,
  projectId: full.project.id,
  userId: full.people.plain.id,
  id: full.machine.id,
  roleKey: 'reader',
  key: 'a',
  domainName: `b.${full.orgId}.example`,
};

type Room = 'scim' | 'oauth' | 'pages' | 'problems';

/** What is wrong with an answer; undefined when nothing is. */
function faultOf(
  room: Room,
  status: number,
  { type, text }: { type: string; text: string },
): string | undefined {
  if (status === 500) return '500';
  // No worker runs here: what waits for one ends at its deadline.
  if (status === 503 || status === 504) return undefined;
  if (status < 400) return undefined;
  const isRight: Record<Room, () => boolean> = {
    scim: () => type.startsWith('application/scim+json') && JSON.parse(text).status === String(status),
    oauth: () => typeof JSON.parse(text).error === 'string',
    pages: () => type.startsWith('text/html') && text.includes('</html>'),
    problems: () =>
      type.startsWith('application/problem+json') &&
      JSON.parse(text).status === status &&
      typeof JSON.parse(text).id === 'string',
  };
  try {
    return isRight[room]() ? undefined : `the form of ${room}`;
  } catch {
    return `no JSON in ${room}`;
  }
}

/** How many answers had a status of each class. */
const seen = [0, 0, 0, 0, 0, 0];

/** Sends what is made, and fails with what was sent and what came back. */
async function never500(room: Room, requests: Arbitrary<InjectOptions>, runs = numRuns): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const { statusCode, headers, payload } = await app.inject(request);
    const type = String(headers['content-type'] ?? '');
    const statusClass = Math.floor(statusCode / 100);
    seen[statusClass] = (seen[statusClass] ?? 0) + 1;
    const fault = faultOf(room, statusCode, { type, text: payload });
    if (fault !== undefined) throw new Error(`${fault}: ${statusCode} ${type} ${payload.slice(0, 300)}`);
  });
  await fc.assert(property, { seed, numRuns: runs, endOnFailure: true });
}

const bearer = { authorization: `Bearer ${owner.token}` };
const json = { ...bearer, 'content-type': 'application/json' };
const oddHeaders = fc.constantFrom<Record<string, string>>(
  ...Array.from({ length: 12 }, () => ({})),
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': ';' },
  { 'content-type': 'multipart/form-data' },
  { accept: ',;q=x' },
  { prefer: 'respond-async;;,=' },
  { range: 'bytes=9-1,a' },
  { 'if-match': '"' },
  { 'accept-language': '*;q=,ß' },
  { authorization: 'Bearer ' },
  { authorization: 'Basic Og==' },
  { 'x-request-id': 'a\tb' },
);

/** Requests of one operation: body, query and identifiers. */
function requestsOf(operation: ApiOperation): Arbitrary<InjectOptions> {
  const query = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const body = operation.body && valuesOf(operation.body);
  const payload =
    body &&
    fc.oneof({ weight: 6, arbitrary: body.map((value) => JSON.stringify(value)) }, damagedTextOf(body));
  const own = Object.fromEntries(placeholders(operation).map((name) => [name, ids[name] ?? 'unknown']));
  const values = fc.oneof(
    { weight: 3, arbitrary: fc.constant(own) },
    fieldsOf(placeholders(operation)).map((odd) => ({ ...own, ...withoutEmpty(odd) })),
  );
  return fc
    .tuple(values, fieldsOf([...query, 'unknown']), payload ?? fc.constant(undefined), oddHeaders)
    .map(([path, fields, text, headers]) => ({
      method: operation.method as 'GET',
      url: `${addressOf(operation, wellFormed(path))}?${new URLSearchParams(fields)}`,
      headers: { ...json, ...headers },
      ...(text !== undefined && { payload: text }),
    }));
}

/** An address has no halves of surrogate pairs, and a parameter of it is not empty. */
function wellFormed(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value.replace(/\p{Cs}/gu, '?')]),
  );
}

function withoutEmpty(values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !['', '.', '..'].includes(value)));
}

const roomOf = ({ path }: ApiOperation): Room =>
  path.startsWith('/scim/')
    ? 'scim'
    : path.startsWith('/admin/') || path.endsWith('z')
      ? 'problems'
      : 'oauth';

// Forms and pages of OpenID Connect are below: their fields are no part of the document.
const documented = (await apiOperations(app)).filter(({ path }) => !/^\/(oauth|oidc)\//.test(path));

for (const operation of documented) {
  t.test(operation.id, () => never500(roomOf(operation), requestsOf(operation)));
}

const grantTypes = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:token-exchange',
];
const tokenFields = `
  code redirect_uri code_verifier refresh_token scope assertion subject_token subject_token_type actor_token
  actor_token_type requested_token_type audience resource client_id client_secret client_assertion
  client_assertion_type`
  .trim()
  .split(/\s+/);
const formType = 'application/x-www-form-urlencoded';

function forms(
  url: string,
  names: readonly string[],
  more: Record<string, string> = {},
): Arbitrary<InjectOptions> {
  return fc
    .tuple(fieldsOf(names), oddHeaders, fc.constantFrom('', '&code=1&code=2', '&%zz=%', '&a[b]=c'))
    .map(([fields, headers, tail]) => ({
      method: 'POST' as const,
      url,
      headers: { 'content-type': formType, ...more, ...headers },
      payload: `${new URLSearchParams(fields)}${tail}`,
    }));
}

for (const grantType of grantTypes) {
  t.test(`token: ${grantType}`, () => {
    const { headers = {} } = client.credentials;
    const url = '/oauth/v2/token';
    const requests = fc.oneof(forms(url, tokenFields), forms(url, tokenFields, headers));
    return never500(
      'oauth',
      requests.map((request) => ({
        ...request,
        payload: `grant_type=${encodeURIComponent(grantType)}&${request.payload}`,
      })),
      numRuns * 3,
    );
  });
}

for (const [url, names] of [
  [
    '/oauth/v2/introspect',
    ['token', 'token_type_hint', 'client_id', 'client_assertion', 'client_assertion_type'],
  ],
  ['/oauth/v2/revoke', ['token', 'token_type_hint', 'client_id', 'client_secret']],
  ['/oidc/v1/userinfo', ['access_token']],
] as const) {
  t.test(url, () =>
    never500(
      'oauth',
      fc.oneof(forms(url, names), forms(url, names, client.credentials.headers)),
      numRuns * 3,
    ),
  );
}

const authorizeFields = `
  redirect_uri response_type scope state nonce prompt max_age login_hint id_token_hint ui_locales response_mode
  code_challenge code_challenge_method request request_uri`
  .trim()
  .split(/\s+/);

for (const [url, names] of [
  ['/oauth/v2/authorize', authorizeFields],
  [
    '/oidc/v1/end_session',
    ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'logout_hint', 'ui_locales'],
  ],
  ['/oauth/v2/authorize/callback', ['request', 'session']],
  ['/login', ['request', 'token', 'session', 'loginName']],
  ['/login/code', ['request', 'token']],
  ['/login/select', ['request', 'session']],
  ['/login/register', ['request']],
  ['/login/password', ['request', 'token']],
  ['/login/new-password', ['request', 'token']],
  ['/account', ['session', 'error']],
  ['/account/totp', ['session']],
  ['/operations/jobs', ['after']],
] as const) {
  t.test(`GET ${url}`, () =>
    never500(
      'pages',
      fc
        .tuple(fieldsOf(names), oddHeaders, fc.constantFrom('', `&client_id=${client.id}`))
        .map(([fields, headers, tail]) => ({
          method: 'GET' as const,
          url: `${url}?${new URLSearchParams(fields)}${tail}`,
          headers,
        })),
      numRuns * 2,
    ),
  );
}

const loginFields = `
  csrf request token session loginName password newPassword repeated code userName givenName familyName email
  language client_id redirect_uri scope response_type`
  .trim()
  .split(/\s+/);

for (const url of `
  /login /login/code /login/select /login/register /login/password /login/new-password /account/profile
  /account/password /account/sessions/end /account/totp /account/totp/remove /oauth/v2/authorize /oidc/v1/end_session`
  .trim()
  .split(/\s+/)) {
  t.test(`POST ${url}`, () => never500('pages', forms(url, loginFields), numRuns * 2));
}

t.test('afterwards the service is sound', async (t) => {
  t.comment(`answers by the first digit of the status: ${seen}`);
  t.ok((seen[2] ?? 0) > 50 && (seen[4] ?? 0) > 200, 'right requests and wrong ones were among them');
  const answer = await app.inject({ url: `/admin/v1/orgs/${full.orgId}`, headers: bearer });
  t.equal(answer.statusCode, 200);
});
