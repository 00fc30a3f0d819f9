import fc, { type Arbitrary } from 'fast-check';
import type { InjectOptions } from 'fastify';
import t from 'tap';
import { iconPath } from '#src/http/pages/asset.routes.js';
import { stylesheetPath } from '#src/http/pages/stylesheet.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { goodPassword, makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import {
  type ApiOperation,
  addressOf,
  apiOperations,
  placeholders,
  registeredRoutes,
} from '../../support/hostile/api-operations.js';
import { damagedBody } from '../../support/hostile/damaged.js';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { damagedTextOf, fieldsOf, valuesOf } from '../../support/hostile/schema-arbitrary.js';
import { humanUser, importOf } from '../../support/migration/imports.js';
import { formsOf, visit } from '../../support/oidc/visitor.js';
import { badgeUrn } from '../../support/scim/extension-schema.js';

/**
 * Valid and odd bodies, queries, forms and headers at every served route. For routes of the published document, they
 * are made from its schemas. The answer must not be a fault of the service, and must have the form of its room. Workers
 * run, so that imports and exports complete. SCIM bodies have their own schema and their own test (scim-fuzz).
 */

const settings = fuzzing(4);
t.comment(`FUZZ_SEED=${settings.seed}`);

const storage = await startStorageServer(t, ['bucket']);
const { app, container, call } = await buildTestApp(t, {
  workers: true,
  loginFailureMilliseconds: 0,
  smtpUrl: 'smtp://127.0.0.1:9',
  storageEmulatorHost: storage.endpoint,
});
const full = await makeFullOrganization(container);
const owner = await makeCaller(container, full.orgId, ['IAM_OWNER']);
const client = await makeApplication(container, full.orgId, { orgOnly: false });
const guest = await makeApplication(container, (await makeOrganization(container)).id, { orgOnly: false });

const begun = await call('POST /admin/v1/export', {
  as: owner,
  body: { orgIds: [full.orgId], responseOutput: true },
  headers: { prefer: 'respond-async' },
});
const jobId = begun.headers['location']?.split('/').at(-1) ?? '';

/** Existing objects, by the name of a parameter. */
function idsOf(path: string): Record<string, string> {
  const named: [string, string][] = [
    ['/jobs/', jobId],
    ['/applications/', full.web.id],
    ['/service-users/', full.machine.id],
  ];
  return {
    orgId: full.orgId,
    clientId: guest.id,
    projectId: full.project.id,
    userId: full.people.plain.id,
    groupId: full.group.id,
    id: named.find(([part]) => path.includes(part))?.[1] ?? full.people.full.id,
    roleKey: 'reader',
    key: 'a',
    domainName: `b.${full.orgId}.example`,
    schemaId: badgeUrn,
  };
}

/** Errors of 503 and 504 that a request asks for: by its own timeout, and by naming a bucket that answers no. */
const askedFor = ['export.timedOut', 'bucket.transferFailed'];

type Room = 'scim' | 'oauth' | 'pages' | 'problems' | 'logout';

/** The fault of an answer. Undefined if there is none. */
function faultOf(
  room: Room,
  status: number,
  { type, text }: { type: string; text: string },
): string | undefined {
  if (status >= 500 && !askedFor.some((id) => text.includes(`"id":"${id}"`))) return 'a fault';
  if (status < 400) return undefined;
  const isRight: Record<Room, () => boolean> = {
    scim: () => type.startsWith('application/scim+json') && JSON.parse(text).status === String(status),
    oauth: () => typeof JSON.parse(text).error === 'string',
    pages: () => type.startsWith('text/html') && text.includes('</html>'),
    // A request whose form cannot be read gets the page of every other form.
    logout: () => type.startsWith('text/html') || typeof JSON.parse(text).error === 'string',
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

/** Sends the generated request. A failure shows the request and the answer. */
async function isAnswered(room: Room, requests: Arbitrary<InjectOptions>, times = 1): Promise<void> {
  const property = fc.asyncProperty(requests, async (request) => {
    const { statusCode, headers, payload } = await app.inject(request);
    const type = String(headers['content-type'] ?? '');
    const statusClass = Math.floor(statusCode / 100);
    seen[statusClass] = (seen[statusClass] ?? 0) + 1;
    const fault = faultOf(room, statusCode, { type, text: payload });
    if (fault !== undefined) throw new Error(`${fault}: ${statusCode} ${type} ${payload.slice(0, 300)}`);
  });
  await fc.assert(property, { ...settings, numRuns: settings.numRuns * times });
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
  const ids = idsOf(operation.path);
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

const isForm = (path: string) => /^\/(oauth|oidc)\//.test(path);

const documented = (await apiOperations(app)).filter(({ path }) => !isForm(path));

for (const operation of documented) {
  t.test(operation.id, () => isAnswered(roomOf(operation), requestsOf(operation)));
}

const gcs = { bucket: 'bucket', path: 'there.json', serviceaccountJson: encodeServiceAccount() };
storage.put('bucket/there.json', JSON.stringify({ orgs: [] }));
const users = [
  humanUser('right', { otpCode: 'JBSWY3DPEHPK3PXP' }),
  humanUser('other', { phone: { phone: '1' } }),
];

/** Bodies that are right, which get past the queue, and are damaged then. */
const moves: Record<string, readonly object[]> = {
  import: [
    importOf(full.orgId, users),
    importOf(full.orgId, users, { dryRun: true }),
    { timeout: '5m', dataOrgsGcs: gcs },
    { timeout: '5m', dataOrgsv1Gcs: gcs },
  ],
  export: [
    { orgIds: [full.orgId], withPasswords: true, withOtp: true, timeout: '5m', responseOutput: true },
    { orgIds: [full.orgId], timeout: '5m', gcsOutput: gcs },
  ],
};

for (const [name, bodies] of Object.entries(moves)) {
  for (const [index, body] of bodies.entries()) {
    t.test(`damaged ${name} ${index}`, async (t) => {
      const send = (payload: string): InjectOptions => ({
        method: 'POST',
        url: `/admin/v1/${name}`,
        headers: json,
        payload,
      });
      await isAnswered('problems', damagedBody(body).map(send));
      const { statusCode, payload } = await app.inject(send(JSON.stringify(body)));
      t.equal(statusCode, 200, 'undamaged it is done', { payload });
    });
  }
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
/** Of every form and every page. */
const fields = `
  token token_type_hint access_token redirect_uri response_type scope state nonce prompt max_age login_hint
  id_token_hint ui_locales response_mode code_challenge code_challenge_method request request_uri
  client_id client_secret client_assertion client_assertion_type post_logout_redirect_uri logout_hint
  csrf session loginName password newPassword repeated code userName givenName familyName email
  language answer decision clientId sent error ended organization after`
  .trim()
  .split(/\s+/);

interface Form {
  readonly headers?: Record<string, string>;
  /** Fields that are as they must be. */
  readonly fixed?: Record<string, string>;
}

function forms(url: string, names: readonly string[], form: Form = {}): Arbitrary<InjectOptions> {
  return fc
    .tuple(fieldsOf(names), oddHeaders, fc.constantFrom('', '&code=1&code=2', '&%zz=%', '&a[b]=c'))
    .map(([odd, headers, tail]) => ({
      method: 'POST' as const,
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...form.headers, ...headers },
      payload: `${new URLSearchParams({ ...odd, ...form.fixed })}${tail}`,
    }));
}

function queries(url: string, form: Form): Arbitrary<InjectOptions> {
  return fc
    .tuple(fieldsOf(fields), oddHeaders, fc.constantFrom('', `&client_id=${client.id}`))
    .map(([odd, headers, tail]) => ({
      method: 'GET' as const,
      url: `${url}?${new URLSearchParams(odd)}${tail}`,
      headers: { ...form.headers, ...headers },
    }));
}

const asClient = client.credentials.headers ?? {};

for (const grantType of grantTypes) {
  t.test(`token: ${grantType}`, () => {
    const fixed = { grant_type: grantType };
    const byNobody = forms('/oauth/v2/token', tokenFields, { fixed });
    const byClient = forms('/oauth/v2/token', tokenFields, { fixed, headers: asClient });
    return isAnswered('oauth', fc.oneof(byNobody, byClient), 3);
  });
}

/** A signed-in person. The service accepts the forms of their pages as their own. */
const person = await makePerson(container, await makeHome(container));
const visitor = visit(app, container);
await visitor.fill(await visitor.get('/login'), { loginName: person.userName, password: goodPassword });
t.equal((await visitor.get('/account')).status, 200, 'they are signed in');
const asking = {
  client_id: client.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid profile',
};
const consentPage =
  (await visitor.get(`/oauth/v2/authorize?${new URLSearchParams(asking)}`)).location ?? 'none';
t.match(consentPage, '/login/consent?request=', 'they are asked for consent');

/** The fields that a form of this address has by itself. */
async function hiddenFields(path: string): Promise<Record<string, string>> {
  for (const page of [
    '/login',
    '/login/register',
    '/login/forgot',
    '/account',
    '/account/totp',
    '/account/email',
    consentPage,
  ]) {
    const found = formsOf((await visitor.get(page)).text);
    const form = found.find(({ action }) => new URL(action, container.config.baseUrl).pathname === path);
    if (form !== undefined) return form.hidden;
  }
  return {};
}

const files: readonly string[] = ['/openapi.json', stylesheetPath, iconPath];
const known = documented.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, ':')}`);
const others = registeredRoutes(app).filter((route) => !known.includes(route) && !/ \/scim\//.test(route));

for (const route of others) {
  const [method, path = ''] = route.split(' ');
  if (files.includes(path)) continue;
  t.test(route, async () => {
    const isEndpoint = /^\/(oauth|oidc)\/.*\/(token|introspect|revoke|userinfo|keys)$/.test(path);
    const isLogout = /^\/login\/connections\/.*\/logout$/.test(path);
    const room = isEndpoint ? 'oauth' : isLogout ? 'logout' : 'pages';
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = isEndpoint ? asClient : { cookie };
    if (method === 'GET') return isAnswered(room, fc.oneof(queries(path, {}), queries(path, { headers })), 2);
    const fixed = await hiddenFields(path);
    const requests = fc.oneof(forms(path, fields), forms(path, fields, { headers, fixed }));
    return isAnswered(room, requests, 3);
  });
}

t.test('afterwards the service is sound', async (t) => {
  t.comment(`answers by the first digit of the status: ${seen}`);
  t.ok((seen[2] ?? 0) > 50 && (seen[4] ?? 0) > 200, 'right requests and wrong ones were among them');
  t.ok(others.length > 30, `${others.length} routes of forms and pages`);
  const answer = await app.inject({ url: `/admin/v1/orgs/${full.orgId}`, headers: bearer });
  t.equal(answer.statusCode, 200);
});
