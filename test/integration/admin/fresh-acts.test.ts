import t, { type Test } from 'tap';
import { freshActs, plainActs } from '#src/access/authority/fresh-acts.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import { until } from '../../../dev/until.js';
import { makeAdministrator } from '../../support/app/administrators.js';
import { testEditor as editor, makeCaller, makeOrganization, uniqueName } from '../../support/app/make.js';
import { makeApplication, makePerson } from '../../support/app/oauth-client.js';
import { type Answer, buildTestApp } from '../../support/app/test-app.js';
import {
  type ApiOperation,
  addressOf,
  apiOperations,
  placeholders,
  registeredRoutes,
} from '../../support/hostile/api-operations.js';
import { newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/**
 * The list of acts that need a fresh sign-in, against every operation of the published document. Each operation that is no GET is on the list, or
 * on the list of those that need none. A person who signed in an hour ago, and one who has just signed in, then call each of them.
 * Both own the instance, so that nothing but the sign-in refuses them.
 */

const opened = await buildTestApp(t, { workers: true });
const { app, container, call, clock } = opened;
const organization = await makeOrganization(container);
const orgId = organization.id;
const hourAgo = new Date(clock.now().getTime() - 3_600_000);
const old = await makeAdministrator(opened, organization, { roles: ['IAM_OWNER'], authTime: hourAgo });
const fresh = await makeAdministrator(opened, organization, { roles: ['IAM_OWNER'] });
const program = await makeCaller(container, orgId, ['IAM_OWNER']);
const operations = await apiOperations(app);
const byId = new Map(operations.map((operation) => [operation.id, operation]));

/** Operations by which clients authenticate, or which open pages for a person. No administrator's token reaches them. */
const ofClients = ['introspect', 'revoke', 'authorizePost', 'endSessionPost', 'postUserinfo'];

const isRefused = ({ status, headers }: Answer) =>
  status === 401 &&
  headers['x-error-id'] === 'tokens.signInTooOld' &&
  headers['www-authenticate'] === 'Bearer error="insufficient_user_authentication", max_age="900"';

/** Checks that the operation refuses exactly a person whose sign-in is old. */
async function checkCase(
  t: Test,
  request: string,
  { body, isRefusing }: { body?: unknown; isRefusing: boolean },
): Promise<void> {
  for (const [name, as, expected] of [
    ['an old sign-in', old, isRefusing],
    ['a fresh sign-in', fresh, false],
    ['a service user', program, false],
  ] as const) {
    const answer = await call(request, { as, ...(body !== undefined && { body }) });
    t.equal(isRefused(answer), expected, `${name}: ${request} ${JSON.stringify(body)} ${answer.status}`);
    t.not(answer.status, 403, 'nothing else refuses the caller');
    t.ok(answer.status < 500);
  }
}

/** A request that names objects which do not exist, so that a caller who passes changes nothing. */
function harmless(operation: ApiOperation): [request: string, body: unknown] {
  const unknown = placeholders(operation).map((name) => [name, `unknown-${name}`]);
  const address = addressOf(operation, { ...Object.fromEntries(unknown), orgId });
  return [`${operation.method} ${address}`, operation.body && {}];
}

t.test('every operation that is no GET is on one of the two lists', async (t) => {
  const listed = [...freshActs.map(({ operationId }) => operationId), ...plainActs.keys()];
  t.same([...new Set(listed)], listed, 'each is there once');
  const changing = operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  t.same(
    changing.filter((id) => !listed.includes(id) && !ofClients.includes(id)),
    [],
    'decide in src/access/authority/fresh-acts.ts whether these need a fresh sign-in',
  );
  t.same(
    listed.filter((id) => !byId.has(id)),
    [],
    'these are no more',
  );
  t.same(
    [...plainActs.keys()].filter((id) => byId.get(id)?.method === 'GET'),
    [],
    'a GET needs no entry',
  );
});

t.test('every route that is no page is published, so that the lists name it', async (t) => {
  const published = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, ':')}`);
  const others = registeredRoutes(app).filter(
    (route) => / \/(admin|scim|oauth|oidc)\//.test(route) && !published.includes(route),
  );
  const pages = [
    'GET /oauth/v2/authorize/callback',
    'GET /oidc/v1/end_session/confirm',
    'POST /oidc/v1/end_session/confirm',
  ];
  const refusing = others.filter((route) => !pages.includes(route));
  t.ok(refusing.length > 10);
  for (const route of refusing) {
    const [method = '', path = ''] = route.split(' ');
    const { status } = await call(`${method} ${path.replace(':', orgId).replaceAll(':', 'x')}`, { as: old });
    t.ok([405, 501].includes(status), `${route} only says that it is not for this: ${status}`);
  }
  t.equal((await call('POST /admin/v1/nowhere', { as: old })).status, 404);
});

t.test('the document says what needs a fresh sign-in', async (t) => {
  const { body } = await call('GET /openapi.json');
  const sentence = 'A person must have signed in a short time before';
  const told = new Map<string, string>();
  for (const methods of Object.values(
    body.paths as Record<string, Record<string, { operationId?: string; description?: string }>>,
  ))
    for (const { operationId = '', description = '' } of Object.values(methods))
      if (description.includes(sentence)) told.set(operationId, description);
  t.same([...told.keys()].sort(), freshActs.map(({ operationId }) => operationId).sort());
  for (const act of freshActs)
    t.ok(
      told.get(act.operationId)?.endsWith(`${sentence}${act.if === undefined ? '' : `, if ${act.if}`}.`),
      act.operationId,
    );
});

for (const act of freshActs) {
  const operation = byId.get(act.operationId);
  if (operation === undefined || act.if !== undefined) continue;
  t.test(`${act.operationId} always needs it`, async (t) => {
    const [request, body] = harmless(operation);
    await checkCase(t, request, { body, isRefusing: true });
  });
}

for (const id of plainActs.keys()) {
  const operation = byId.get(id);
  if (operation === undefined) continue;
  t.test(`${id} never needs it`, async (t) => {
    const [request, body] = harmless(operation);
    await checkCase(t, request, { body, isRefusing: false });
  });
}

for (const operation of operations) {
  const { id, method } = operation;
  if (method !== 'GET' || id === 'getExport' || operation.path.startsWith('/o')) continue;
  t.test(`${id} is a GET`, async (t) => {
    const [request] = harmless(operation);
    t.notOk(isRefused(await call(request, { as: old })));
  });
}

const scim = `/scim/v2/${orgId}`;
const admin = `/admin/v1/orgs/${orgId}`;
const replace = (path: string, value: unknown) => patchOp({ op: 'replace', path, value });

async function makeGroup(isPowerful: boolean): Promise<string> {
  const profile = { displayName: uniqueName('Group') };
  const { id } = await addGroup(container, { orgId, profile, members: new Set(), editor });
  if (isPowerful) await changeGroupRoles(container, { orgId, id, roles: ['ORG_USER_VIEWER'], editor });
  return id;
}

async function makeExport(withPasswords: boolean): Promise<string> {
  const body = { orgIds: [orgId], responseOutput: true, withPasswords };
  const headers = { prefer: 'respond-async' };
  const begun = await call('POST /admin/v1/export', { as: program, body, headers });
  const job = new URL(begun.headers['location'] ?? '').pathname;
  await until(async () => (await call(`GET ${job}`, { as: program })).body.state === 'completed');
  return job;
}

const powerful = await makeGroup(true);
const powerless = await makeGroup(false);
const active = await makePerson(container, organization);
const asleep = await makePerson(container, organization, { active: false });
const application = await makeApplication(container, orgId);
const serviceUser = await makeCaller(container, orgId);
const [exportOfHashes, plainExport] = [await makeExport(true), await makeExport(false)];
const bulkOf = (...Operations: readonly object[]) => ({ schemas: [urn.bulkRequest], Operations });
const group = (displayName: string) => ({ schemas: [urn.group], displayName });
const exported = (more: object) => ({ orgIds: [orgId], responseOutput: true, ...more });
const profileOf = (userName: string, more: object) => ({ schemas: [urn.user], userName, ...more });
const mailOf = ({ emails }: { emails: readonly { value: string }[] }) => ({
  emails: [{ value: emails[0]?.value, primary: true }],
});

interface Cases {
  /** Requests in the case of the list. */
  readonly refused: readonly (readonly [string, unknown?])[];
  /** Requests in no such case. */
  readonly plain: readonly (readonly [string, unknown?])[];
}

/** The cases of each operation that needs a fresh sign-in in some of them. */
const cases: Record<string, Cases> = {
  scimReplaceGroup: {
    refused: [[`PUT ${scim}/Groups/${powerful}`, group('Powerful')]],
    plain: [[`PUT ${scim}/Groups/${powerless}`, group('Powerless')]],
  },
  scimPatchGroup: {
    refused: [[`PATCH ${scim}/Groups/${powerful}`, replace('members', [{ value: active.id }])]],
    plain: [[`PATCH ${scim}/Groups/${powerless}`, replace('members', [{ value: active.id }])]],
  },
  scimReplaceUser: {
    refused: [
      [
        `PUT ${scim}/Users/${active.id}`,
        profileOf(active.userName, { ...mailOf(active), password: 'Other-Horse-7' }),
      ],
      [
        `PUT ${scim}/Users/${active.id}`,
        profileOf(active.userName, { emails: [{ value: 'mine@attacker.example' }] }),
      ],
      [`PUT ${scim}/Users/${asleep.id}`, profileOf(asleep.userName, { ...mailOf(asleep), active: true })],
    ],
    plain: [
      [
        `PUT ${scim}/Users/${active.id}`,
        profileOf(active.userName, {
          emails: [{ value: 'mine@attacker.example', primary: true }],
          title: 'Dr.',
        }),
      ],
    ],
  },
  scimPatchUser: {
    refused: [
      [`PATCH ${scim}/Users/${active.id}`, replace('password', 'Another-Horse-7')],
      [`PATCH ${scim}/Users/${active.id}`, replace('emails', [{ value: 'yours@attacker.example' }])],
      [`PATCH ${scim}/Users/${active.id}`, replace('userName', 'another-name')],
    ],
    plain: [
      [`PATCH ${scim}/Users/${active.id}`, replace('title', 'Prof.')],
      [`PATCH ${scim}/Users/${active.id}`, replace('active', false)],
    ],
  },
  scimBulk: {
    refused: ['PUT', 'PATCH', 'DELETE'].map((method) => [
      `POST ${scim}/Bulk`,
      bulkOf(
        { method: 'POST', path: '/Groups', bulkId: 'g', data: group('x') },
        { method, path: '/Users/nobody', data: replace('title', 'x') },
      ),
    ]),
    plain: [
      [
        `POST ${scim}/Bulk`,
        bulkOf({ method: 'POST', path: '/Users', bulkId: 'u', data: newUser({ userName: 'by-bulk' }) }),
      ],
    ],
  },
  changeOrganization: {
    refused: [
      { passwordPolicy: { minLength: 12 } },
      { login: { selfRegistration: true } },
      { login: { notifyChanges: false } },
      { login: { selfRegistration: true, brandColor: '#000000' } },
      { domains: ['attacker.example'] },
    ].map((body) => [`PATCH ${admin}`, body]),
    plain: [
      { name: 'Renamed' },
      { login: { brandColor: '#0a6b4f', logoUrl: '', faviconUrl: '' } },
      { quotas: { users: 50 } },
      { plainScimErrors: false, uniqueExternalId: false },
    ].map((body) => [`PATCH ${admin}`, body]),
  },
  changeApplication: {
    refused: [
      { redirectUris: ['https://attacker.example/'] },
      { active: true },
      { active: false, name: 'x' },
      {},
    ].map((body) => [`PATCH ${admin}/applications/${application.id}`, body]),
    plain: [[`PATCH ${admin}/applications/${application.id}`, { active: false }]],
  },
  changeServiceUser: {
    refused: [
      { active: true },
      { userName: 'other' },
      { accessTokenType: 'jwt' },
      { name: 'x', accessTokenType: 'opaque' },
    ].map((body) => [`PATCH ${admin}/service-users/${serviceUser.id}`, body]),
    plain: [
      { active: false },
      {
        name: 'x',
        description: null,
        ignorePasswords: true,
        ignorePasswordOnCreate: true,
        plainScimErrors: true,
      },
    ].map((body) => [`PATCH ${admin}/service-users/${serviceUser.id}`, body]),
  },
  export: {
    refused: [{ withPasswords: true }, { withOtp: true }].map((more) => [
      'POST /admin/v1/export',
      exported(more),
    ]),
    plain: [['POST /admin/v1/export', exported({ withPasswords: false })]],
  },
  exportOrganization: {
    refused: [{ withPasswords: true }, { withOtp: true }].map((more) => [
      `POST ${admin}/export`,
      exported(more),
    ]),
    plain: [[`POST ${admin}/export`, exported({ withPasswords: false })]],
  },
  getExport: {
    refused: [[`GET ${exportOfHashes}/result`]],
    plain: [[`GET ${plainExport}/result`]],
  },
};

/** Cases that need more than one request. fresh-sign-in-doors.test.ts shows them. */
const elsewhere = ['scimCreateGroup', 'token'];

t.test('every case has requests', async (t) => {
  const withCase = freshActs.flatMap((act) => (act.if === undefined ? [] : [act.operationId]));
  t.same([...Object.keys(cases), ...elsewhere].sort(), withCase.sort());
});

for (const [id, { refused, plain }] of Object.entries(cases))
  t.test(`${id} needs it in its case alone`, async (t) => {
    for (const [request, body] of refused) await checkCase(t, request, { body, isRefusing: true });
    for (const [request, body] of plain) await checkCase(t, request, { body, isRefusing: false });
  });
