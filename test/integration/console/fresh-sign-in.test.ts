import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { totpCode, totpStep } from '#src/accounts/totp.js';
import { storeUpload } from '#src/console/add-many/stored-uploads.js';
import { nameInSentence } from '#src/console/http/confirm-act.js';
import { readConsoleSession } from '#src/console/http/console-session.js';
import { formToken } from '#src/console/http/form.js';
import type { Me } from '#src/console/http/visit.js';
import type { Role } from '#src/directory/index.js';
import { changeOrganization } from '#src/organizations/index.js';
import { newId } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { type ConsoleUser, openConsole } from '../../support/app/console.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { testEditor as editor, makeCaller } from '../../support/app/make.js';
import { makeApplication } from '../../support/app/oauth-client.js';
import { giveTotp, goodPassword, makePerson } from '../../support/app/people.js';
import { recordRoutes } from '../../support/app/route-facts.js';
import { buildTestApp, type TestApp } from '../../support/app/test-app.js';
import { storeConnection } from '../../support/oidc/connected.js';
import { type Seen, visit } from '../../support/oidc/visitor.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';
import { addSamlConnection, createHostileSamlProvider } from '../../support/saml/hostile-saml-provider.js';
import { badgeSchema } from '../../support/scim/extension-schema.js';
import { havingValue } from '../../support/stores/queries.js';

/**
 * Every form of the console, sent by an owner of the instance whose sign-in is old. A form whose act is on the list of
 * `fresh-acts.ts` leads to the sign-in, and changes nothing. The others work.
 */

let opened: TestApp | undefined;
const forms = (
  await recordRoutes(async () => {
    opened = await buildTestApp(t, { workers: true });
  })
).filter(({ route, console }) => console !== undefined && route.startsWith('POST '));
if (opened === undefined) throw new Error('There is no application');
const { app, container, call, clock } = opened;
const full = await makeFullOrganization(container);
const { orgId, people } = full;
// Its policy would offer a second factor at each of the many sign-ins.
await changeOrganization(container, { orgId, change: { signInPolicy: {} }, editor });
const home = await container.caches.organizations.get(orgId);
if (home === undefined) throw new Error('There is no organization');
const root = await makeCaller(container, orgId, ['IAM_OWNER']);
const asleep = await makePerson(container, home, { active: false });
const newcomer = await makePerson(container, home);
const member = await addMembership(container, { userId: newcomer.id, role: 'IMPERSONATOR', orgId, editor });
const instanceRole = await addMembership(container, { userId: newcomer.id, role: 'IAM_OWNER', editor });
const machineSecret = (await container.serviceUsers.find(orgId, full.machine.id))?.secrets[0]?.id ?? '';
const machineKey = (await container.serviceUsers.find(orgId, full.machine.id))?.keys[0]?.kid ?? '';
const [machineToken] = await container.personalAccessTokens.page(orgId, {
  userId: full.machine.id,
  limit: 1,
});
const applicationOf = async (id: string) => container.applications.find(orgId, id);
const webSecret = (await applicationOf(full.web.id))?.secrets[0]?.id ?? '';
const apiKey = (await applicationOf(full.api.id))?.keys[0]?.kid ?? '';
const [{ kid: anyKey } = { kid: '' }] = await container.signingKeys.list();
const powerless =
  (
    await container.groups.page(orgId, {
      sort: { field: '_id', direction: 1 },
      skip: 0,
      limit: 9,
      filter: havingValue('displayName', 'Nobody'),
    })
  ).groups[0]?.id ?? '';

/** The identifier of the job of an export that has ended. */
async function makeExport(withPasswords: boolean): Promise<string> {
  const body = { orgIds: [orgId], responseOutput: true, withPasswords };
  const headers = { prefer: 'respond-async' };
  const begun = await call('POST /admin/v1/export', { as: root, body, headers });
  const id = begun.headers['location']?.split('/').at(-1) ?? '';
  await until(async () => (await call(`GET /admin/v1/jobs/${id}`, { as: root })).body.state === 'completed');
  return id;
}
const [jobId, exportOfHashes] = [await makeExport(false), await makeExport(true)];
const trialId = newId();
await container.jobs.insert({
  ...{ id: trialId, kind: 'policy-trial', orgId, requestedBy: root.id, total: 1 },
  ...{ created: clock.now(), body: Buffer.from('{}') },
});

/** Where a form leads: the person signs in first, or the console does what it asks. */
type Leads = 'to the sign-in' | 'on';

interface Row {
  readonly leads: Leads;
  /** The objects of the path, beside the organization. */
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** The form is a multipart body with a file. */
  readonly file?: string;
}

const row =
  (leads: Leads) =>
  (params: Row['params'] = {}, fields: Row['fields'] = {}): Row => ({ leads, params, fields });
const signsIn = row('to the sign-in');
const goesOn = row('on');
const confirmed = (name: string) => ({ confirmed: name });

const org = '/console/orgs/:orgId';
const applications = `${org}/applications`;
const serviceUsers = `${org}/service-users`;
const settings = `${org}/settings`;
const connections = `${org}/connections`;
const connection = { connectionId: (await storeConnection(container, orgId, {})).id };
const samlProvider = createHostileSamlProvider(() => clock.now());
const metadata = samlProvider.metadata();
const saml = {
  connectionId: (await addSamlConnection({ call }, { orgId, owner: root }, samlProvider)).connectionId,
};
const user = `${org}/users/:userId`;
const group = `${org}/groups/:groupId`;
const service = '/console/service';
const one = `${org}/projects/:projectId`;
const project = { projectId: full.project.id };
const lonely = await makeApplication(container, orgId, { type: 'api' });
/** Somebody with roles in the project, for each list. */
const assignments = [
  { kind: 'grants', holderId: people.plain.id, name: people.plain.displayName, role: 'admin' },
  { kind: 'group-grants', holderId: full.group.id, name: full.group.displayName, role: 'admin' },
  { kind: 'members', holderId: full.machine.id, name: full.machine.name, role: 'PROJECT_OWNER_VIEWER' },
];
const [web, api, machine] = [full.web, full.api, full.machine].map(({ id }) => ({ id })) as [
  { id: string },
  { id: string },
  { id: string },
];
const passkey = await enrolPasskey(container, people.full);
const plain = { userId: people.plain.id };
const powerful = { groupId: full.group.id };
const { bare } = people;
/** The name of a file of the owner, once there is one. */
const ofKept = { kept: '' };

/** What each form leads to. A form of which only some need a fresh sign-in has several rows. The last one ends the session. */
const table: Readonly<Record<string, readonly Row[]>> = {
  '/console/migration/export': [
    signsIn({}, { timeout: '5m', all: 'on', withPasswords: 'on', target: 'download' }),
    goesOn({}, { timeout: '5m', all: 'on', target: 'download' }),
  ],
  '/console/migration/import': [{ ...signsIn(), file: '{"orgs":[]}' }],
  '/console/migration/import/address': [signsIn({}, { url: 'https://files.example/a', timeout: '5m' })],
  '/console/migration/import/bucket': [
    signsIn(
      {},
      {
        storage: 'S3',
        bucket: 'b',
        path: 'p',
        accessKeyId: 'a',
        secretAccessKey: 's',
        region: 'eu-west-1',
        timeout: '5m',
      },
    ),
  ],
  // Before the rows that upload another file in its place.
  [`${org}/users/many/:kept/run`]: [signsIn(ofKept, { dryRun: 'on' }), signsIn(ofKept)],
  [`${org}/users/many`]: [{ ...goesOn(), file: 'email\na@b.example' }],
  [`${org}/users/many/cells`]: [goesOn({}, { cells: 'email\na@b.example' })],
  [`${org}/users/many/jobs/:jobId/links`]: [signsIn({ jobId })],
  [`${org}/users/export`]: [goesOn()],
  '/console/migration/jobs/:id/cancel': [goesOn({ id: jobId })],
  [`${applications}/new`]: [signsIn({}, { type: 'web', name: 'New', redirectUris: 'https://new.example/' })],
  [`${applications}/new/api`]: [
    signsIn({}, { name: 'New API', callers: full.web.id, program: 'New program' }),
    signsIn({}, { name: 'New API', projectId: full.project.id }),
  ],
  [`${applications}/new/program`]: [signsIn({}, { name: 'Program' })],
  [`${applications}/:id/connect`]: [signsIn(web, { with: 'express', version: '1' })],
  [`${applications}/:id/project`]: [signsIn({ id: lonely.id })],
  [`${applications}/:id/call`]: [signsIn(web, { api: full.api.id })],
  [`${org}/projects/new`]: [signsIn({}, { name: 'New' })],
  [one]: [signsIn(project, { name: 'Renamed', organizations: 'attacker' })],
  [`${one}/remove`]: [signsIn(project, confirmed(full.project.name))],
  [`${one}/roles`]: [signsIn(project, { role: 'new' })],
  [`${one}/roles/:roleKey`]: [goesOn({ ...project, roleKey: 'reader' }, { displayName: 'Reads' })],
  [`${one}/roles/:roleKey/remove`]: [signsIn({ ...project, roleKey: 'reader' }, confirmed('reader'))],
  ...Object.fromEntries(
    assignments.flatMap(({ kind, holderId, name, role }) => [
      [`${one}/${kind}/new`, [signsIn(project, { holder: name, roles: role })]],
      [`${one}/${kind}/:holderId`, [signsIn({ ...project, holderId }, { roles: role })]],
      [`${one}/${kind}/:holderId/remove`, [signsIn({ ...project, holderId }, confirmed(name))]],
    ]),
  ),
  [`${applications}/:id`]: [
    signsIn(web, {
      type: 'web',
      name: 'Web',
      authMethod: 'client_secret_basic',
      accessTokenType: 'opaque',
      groupsClaim: 'names',
      grantTypes: 'authorization_code',
      responseTypes: 'code',
      redirectUris: 'https://attacker.example/',
    }),
  ],
  [`${applications}/:id/active`]: [signsIn(web, { active: 'true' }), goesOn(web, { active: 'false' })],
  [`${applications}/:id/mark`]: ['administration', 'approval'].flatMap((mark) =>
    ['true', 'false'].map((on) => signsIn(web, { mark, on })),
  ),
  [`${applications}/:id/test`]: [signsIn(web, { act: 'begin', version: '1' })],
  [`${applications}/:id/secrets`]: [signsIn(web)],
  [`${applications}/:id/keys`]: [signsIn(api)],
  [`${applications}/:id/secrets/:credentialId/remove`]: [
    signsIn({ ...web, credentialId: webSecret }, confirmed(full.web.name)),
  ],
  [`${applications}/:id/keys/:credentialId/remove`]: [
    signsIn({ ...api, credentialId: apiKey }, confirmed(full.api.name)),
  ],
  [`${applications}/actions`]: [signsIn({}, { action: 'activateApplications', id: full.web.id })],
  [`${org}/groups/actions`]: [signsIn({}, { action: 'deleteGroups', id: powerless, confirmed: '1' })],
  [`${applications}/:id/remove`]: [signsIn(web, confirmed(full.web.name))],
  [`${org}/groups/new`]: [goesOn({}, { name: 'Another' })],
  [`${group}/rename`]: [
    signsIn(powerful, { name: 'Mine', shownName: full.group.displayName }),
    goesOn({ groupId: powerless }, { name: 'Still nobody', shownName: 'Nobody' }),
  ],
  [`${group}/delete`]: [signsIn(powerful, confirmed(full.group.displayName))],
  [`${group}/roles`]: [signsIn(powerful, { shownRoles: 'ORG_USER_VIEWER', role: 'ORG_OWNER' })],
  [`${group}/members/:userId/add`]: [
    signsIn({ ...powerful, userId: bare.id }),
    goesOn({ groupId: powerless, userId: bare.id }),
  ],
  [`${group}/members/:userId/remove`]: [
    signsIn({ ...powerful, ...plain }),
    goesOn({ groupId: powerless, userId: bare.id }),
  ],
  [`${user}/groups/:groupId/join`]: [
    signsIn({ ...powerful, userId: bare.id }),
    goesOn({ groupId: powerless, userId: bare.id }),
  ],
  [`${user}/groups/:groupId/leave`]: [
    signsIn({ ...powerful, ...plain }),
    goesOn({ groupId: powerless, userId: bare.id }),
  ],
  [`${user}/roles/give`]: [signsIn(plain, { role: 'ORG_OWNER' })],
  [`${user}/roles/give-instance`]: [signsIn(plain, { role: 'IAM_OWNER' })],
  [`${user}/roles/:membershipId/take`]: [
    signsIn({ userId: newcomer.id, membershipId: member.id }, confirmed(newcomer.userName)),
    signsIn(
      { userId: newcomer.id, membershipId: instanceRole.id },
      { scope: 'instance', ...confirmed(newcomer.userName) },
    ),
  ],
  [`${org}/users/new`]: [
    signsIn({}, { userName: 'never-added', credential: 'link' }),
    signsIn({}, { userName: 'never-added', credential: 'mail' }),
    goesOn({}, { userName: 'added-with-old-sign-in', credential: 'password', password: 'Correct-Horse-7' }),
  ],
  [`${user}/edit`]: [
    signsIn(plain, { ofPage: 'yes', userName: people.plain.userName, emails: 'mine@attacker.example' }),
  ],
  [`${user}/reset-password`]: [signsIn(plain)],
  [`${user}/second-factor/remove`]: [signsIn({ userId: people.full.id }, confirmed(people.full.userName))],
  [`${user}/passkeys/:passkeyId/remove`]: [
    signsIn({ userId: people.full.id, passkeyId: passkey.id }, confirmed(people.full.userName)),
  ],
  [`${user}/identities/:connectionId/remove`]: [
    signsIn({ userId: people.full.id, ...connection }, confirmed(people.full.userName)),
  ],
  [`${user}/delete`]: [signsIn(plain, confirmed(people.plain.userName))],
  [`${user}/reactivate`]: [signsIn({ userId: asleep.id })],
  [`${org}/users/actions`]: [signsIn({}, { action: 'deactivate', id: bare.id, expected: '1' })],
  [`${user}/deactivate`]: [goesOn({ userId: bare.id })],
  [`${user}/unlock`]: [signsIn(plain)],
  [`${user}/require-password-change`]: [goesOn(plain)],
  [`${user}/sessions/end`]: [goesOn(plain)],
  [`${user}/sessions/:sessionId/end`]: [goesOn({ ...plain, sessionId: 'none' })],
  [`${user}/browsers/:browserId/forget`]: [goesOn({ ...plain, browserId: 'none' })],
  [`${user}/consents/:clientId/revoke`]: [signsIn({ ...plain, clientId: 'none' })],
  [`${org}/provisioning/connect`]: [
    signsIn({}, { client: 'entra', userName: 'entra', credential: 'secret' }),
  ],
  [`${org}/provisioning/test`]: [goesOn({}, { tokenSecret: 'x' })],
  [`${serviceUsers}/new`]: [signsIn({}, { name: 'New', userName: 'new-machine', role: 'ORG_USER_VIEWER' })],
  [`${serviceUsers}/:id`]: [signsIn(machine, { name: 'Machine', userName: 'other', accessTokenType: 'jwt' })],
  [`${serviceUsers}/:id/active`]: [
    signsIn(machine, { active: 'true' }),
    goesOn(machine, { active: 'false' }),
  ],
  [`${serviceUsers}/:id/secrets`]: [signsIn(machine)],
  [`${serviceUsers}/:id/keys`]: [signsIn(machine)],
  [`${serviceUsers}/:id/tokens`]: [signsIn(machine)],
  [`${serviceUsers}/:id/federated-credentials`]: [
    signsIn(machine, { issuer: 'https://issuer.example', subject: 's', audience: 'a' }),
  ],
  ...Object.fromEntries(
    Object.entries({
      secrets: machineSecret,
      keys: machineKey,
      tokens: machineToken?.id ?? '',
      'federated-credentials': full.trust.id,
    }).map(([kind, credentialId]) => [
      `${serviceUsers}/:id/${kind}/:credentialId/remove`,
      [signsIn({ ...machine, credentialId }, confirmed(full.machine.name))],
    ]),
  ),
  [`${serviceUsers}/:id/remove`]: [signsIn(machine, confirmed(full.machine.name))],
  [`${connections}/new`]: [
    signsIn(
      {},
      { template: 'other', name: 'New', issuer: 'https://issuer.example', clientId: 'c', clientSecret: 's' },
    ),
  ],
  [`${connections}/new-saml`]: [{ ...signsIn({}, { template: 'other', name: 'New' }), file: metadata }],
  [`${connections}/:connectionId/metadata`]: [{ ...signsIn(saml), file: metadata }],
  [`${connections}/:connectionId/mapping`]: [
    signsIn(connection, { version: '1', when: 'first' }),
    goesOn(connection, { act: 'preview', tried: '{"sub":"1"}' }),
  ],
  [`${connections}/:connectionId/change`]: [
    signsIn(connection, { version: '1', name: 'Renamed', clientId: 'c', identifierClaim: 'sub' }),
  ],
  [`${connections}/:connectionId/switch-on`]: [signsIn(connection)],
  [`${connections}/:connectionId/switch-off`]: [signsIn(connection)],
  [`${connections}/:connectionId/test`]: [goesOn(connection)],
  [`${connections}/:connectionId/sign-in-tests`]: [goesOn(connection)],
  [`${connections}/setup`]: [signsIn({}, { steps: 'connection' })],
  [`${connections}/setup/:setupLinkId/end`]: [signsIn({ setupLinkId: 'any' })],
  [`${connections}/:connectionId/remove`]: [signsIn(connection, confirmed('Acme'))],
  [`${settings}/change/:form`]: [
    signsIn({ form: 'signIn' }, { minLength: '8', selfRegistration: 'on' }),
    signsIn({ form: 'notices' }, { notifyChanges: 'on' }),
    goesOn({ form: 'branding' }, { version: 'current', brandColor: '#0a6b4f' }),
    goesOn({ form: 'name' }, { version: 'current', name: 'Renamed' }),
    goesOn({ form: 'scim' }, { version: 'current' }),
    goesOn({ form: 'quotas' }, { version: 'current' }),
  ],
  [`${settings}/sign-in-policy`]: [
    goesOn({}, { firstFactors: 'password', secondFactors: 'totp' }),
    signsIn({}, { firstFactors: 'password', secondFactors: 'totp', act: 'save', version: 'current' }),
  ],
  [`${settings}/sign-in-policy/trials/:jobId/cancel`]: [goesOn({ jobId: trialId })],
  // No picture: it is refused without a sign-in.
  [`${settings}/logo`]: [{ ...goesOn(), file: 'no picture' }],
  [`${settings}/logo/remove`]: [goesOn()],
  [`${settings}/domains`]: [signsIn({}, { domainName: 'attacker.example', isVerified: 'on' })],
  [`${settings}/domains/:domainName/change`]: [
    signsIn({ domainName: `c.${orgId}.example` }, { change: 'verify' }),
  ],
  [`${settings}/domains/:domainName/proof`]: [goesOn({ domainName: `c.${orgId}.example` })],
  [`${settings}/domains/:domainName/proof/check`]: [signsIn({ domainName: `c.${orgId}.example` })],
  [`${settings}/domains/:domainName/remove`]: [
    signsIn({ domainName: `c.${orgId}.example` }, confirmed(`c.${orgId}.example`)),
  ],
  [`${settings}/members`]: [signsIn({}, { userName: people.plain.userName, role: 'ORG_OWNER' })],
  [`${settings}/members/:membershipId/remove`]: [
    signsIn({ membershipId: member.id }, confirmed(newcomer.userName)),
  ],
  [`${settings}/schemas/edit`]: [
    signsIn({}, { id: 'urn:example:scim:desk:2.0:User', name: 'Desk', attribute: 'number', type: 'string' }),
  ],
  [`${settings}/schemas/attribute`]: [signsIn({}, { id: badgeSchema.id, attribute: 'desk', type: 'string' })],
  [`${settings}/schemas/attribute/remove`]: [
    signsIn({}, { id: badgeSchema.id, name: 'level', ...confirmed('level') }),
  ],
  [`${settings}/schemas/remove`]: [signsIn({}, { id: badgeSchema.id, ...confirmed(badgeSchema.name) })],
  [`${settings}/migration`]: [signsIn({}, { url: 'https://people.example/', timeoutMilliseconds: '2000' })],
  [`${settings}/migration/test`]: [signsIn({}, { loginName: 'x', password: 'y' })],
  [`${settings}/migration/remove`]: [signsIn()],
  [`${settings}/migration/pepper`]: [signsIn({}, { pepper: 'x' })],
  [`${settings}/migration/pepper/remove`]: [signsIn()],
  [`${settings}/grants`]: [signsIn({}, { clientId: full.web.id })],
  [`${settings}/grants/:clientId/remove`]: [signsIn({ clientId: full.web.id })],
  '/console/orgs/new': [
    signsIn(
      {},
      {
        id: 'new-organization',
        name: 'New',
        userName: 'o',
        email: 'o@new.example',
        givenName: 'O',
        familyName: 'W',
      },
    ),
  ],
  [`${org}/remove`]: [signsIn({}, confirmed('Renamed'))],
  [`${service}/features`]: [signsIn({}, { tokenExchange: 'on' })],
  [`${service}/keys/rotate`]: [signsIn()],
  [`${service}/keys/:kid/remove`]: [signsIn({ kid: anyKey }, confirmed(anyKey))],
  [`${service}/roles`]: [signsIn({}, { userId: newcomer.id })],
  [`${service}/roles/:id/remove`]: [signsIn({ id: instanceRole.id }, confirmed(newcomer.id))],
  '/console/sign-out': [goesOn()],
};

const owner = await openConsole({ app, container }, home, { roles: ['IAM_OWNER'] });

/** The name of a file that the owner has uploaded to "Add many". */
async function makeKept(): Promise<string> {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const session = readConsoleSession(container, { headers: { cookie } } as never);
  if (session === undefined) throw new Error('The owner is not signed in');
  const visit = { session, me: { userId: owner.person.id } as Me };
  return storeUpload(
    container,
    { visit, orgId },
    { kind: 'table', text: Buffer.from('email\na@kept.example') },
  );
}
ofKept.kept = await makeKept();

clock.advance(container.config.freshSignInSeconds + 60);

/** The token that a page would have for a form. The session's secret is in the sealed cookie. */
function csrfFor({ cookies }: ConsoleUser, address: string): string {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const session = readConsoleSession(container, { headers: { cookie } } as never);
  if (session === undefined) throw new Error('The person is not signed in');
  return formToken(session, address);
}

async function send(route: string, { params, fields, file }: Row): Promise<Seen> {
  const values: Readonly<Record<string, string>> = { orgId, ...params };
  const address = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const csrf = csrfFor(owner, address);
  if (fields['ofPage'] !== undefined) return owner.fill(await owner.get(address), fields, address);
  const { version } = (await call(`GET /admin/v1/orgs/${orgId}`, { as: root })).body;
  if (file === undefined) {
    const given = fields['version'] === 'current' ? { version: String(version) } : {};
    return owner.post(address, { csrf, ...fields, ...given });
  }
  const boundary = 'x-boundary';
  const part = (disposition: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
  const given = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, value));
  const answer = await app.inject({
    method: 'POST',
    url: address,
    remoteAddress: '192.0.2.1',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      origin: new URL(container.config.baseUrl).origin,
      cookie: [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    payload: `${part('name="csrf"', csrf)}${part('name="timeout"', '5m')}${given.join('')}${part('name="file"; filename="a.json"', file)}--${boundary}--\r\n`,
  });
  const headers = answer.headers as Record<string, string>;
  const location = headers['location']?.replace(container.config.baseUrl, '');
  return { status: answer.statusCode, headers, text: answer.payload, location, url: address };
}

/** The number of changes that the owner made. A worker ends the export of another row at any time. */
async function countChanges(): Promise<number> {
  const body = { editorUserId: owner.person.id, limit: 1_000 };
  const { events } = (await call('POST /admin/v1/events/_search', { as: root, body })).body;
  return events.filter(({ type }: { type: string }) => type !== 'export.completed').length;
}

t.test('the table has every form, and no other', async (t) => {
  const known = forms.map(({ route }) => route.slice('POST '.length));
  t.same(
    known.filter((route) => table[route] === undefined),
    [],
    'say what these lead to',
  );
  t.same(
    Object.keys(table).filter((route) => !known.includes(route)),
    [],
    'these are no more',
  );
});

t.test('the download of an export with hashes', async (t) => {
  const path = (id: string) => `/console/migration/jobs/${id}/result`;
  const asked = await owner.get(path(exportOfHashes));
  t.match(asked.location, /oauth\/v2\/authorize.*prompt=login/);
  t.equal((await owner.get(path(jobId))).status, 200, 'without hashes');
});

for (const [route, rows] of Object.entries(table))
  for (const one of rows)
    t.test(`${route} leads ${one.leads} ${JSON.stringify(one.fields)}`, async (t) => {
      const before = await countChanges();
      const seen = await send(route, one);
      const asks = seen.location?.startsWith('/oauth/v2/authorize') && /prompt=login/.test(seen.location);
      if (one.leads === 'on') {
        t.notOk(asks, 'nobody asks for a sign-in');
        t.ok(seen.status < 400, `${seen.status} ${seen.text.slice(0, 2_000)}`);
        return;
      }
      t.ok(asks, `${seen.status} ${seen.location} ${seen.text.slice(0, 2_000)}`);
      t.equal(await countChanges(), before, 'nothing changed');
    });

t.test('the administrator signs in, and goes on', async (t) => {
  const again = await openConsole({ app, container }, home, { roles: ['ORG_OWNER'] });
  const path = `/console/orgs/${orgId}/groups/${full.group.id}`;
  const page = await again.get(`${path}?user=${encodeURIComponent(newcomer.userName)}`);
  const add = `${path}/members/${newcomer.id}/add`;
  clock.advance(container.config.freshSignInSeconds + 60);
  const asked = await again.fill(page, {}, add);
  t.match(asked.location, /oauth\/v2\/authorize.*prompt=login/);
  t.equal((await container.groupMembers.among(orgId, full.group.id, [newcomer.id])).size, 0);
  const shown = await again.signIn(asked);
  t.equal(shown.status, 200, 'the person comes back to the console');
  const afterwards = await again.get(`${path}?user=${encodeURIComponent(newcomer.userName)}`);
  const done = await again.follow(await again.fill(afterwards, {}, add));
  t.match(done.text, newcomer.displayName);
  t.equal((await container.groupMembers.among(orgId, full.group.id, [newcomer.id])).size, 1);
});

/** A person of the organization whose sign-in at the console is old. */
const withOldSignIn = async (
  language = 'en',
  roles: readonly Role[] = ['ORG_OWNER'],
): Promise<ConsoleUser> => {
  const person = await openConsole({ app, container }, home, {
    roles,
    profile: { preferredLanguage: language },
  });
  clock.advance(container.config.freshSignInSeconds + 60);
  return person;
};

const rolesOf = (userId: string) => `/console/orgs/${orgId}/users/${userId}/roles`;
const roleCount = async (userId: string) =>
  (await container.memberships.page(orgId, { limit: 1_000 })).filter((held) => held.userId === userId).length;
const described = (text: string) => /<p class="soft">(?:<strong>)?(.*?)(?:<\/strong>)?<\/p>/.exec(text)?.[1];

t.test(
  'the sign-in says whom the person is about to give which role, and asks for the password alone',
  async (t) => {
    const sentences = {
      en: ['Confirm that it is you', 'You are about to give NAME the role “User manager”.'],
      de: [
        'Bestätigen Sie, dass Sie es sind',
        'Sie sind dabei, NAME die Rolle „Benutzerverwalter“ zu geben.',
      ],
      fr: ['Confirmez que c&#39;est bien vous', 'Vous allez donner à NAME le rôle « '],
      es: ['Confirme que es usted', 'Está a punto de dar a NAME el rol «'],
      it: ['Confermi che è lei', 'Sta per dare a NAME il ruolo «'],
    };
    for (const [language, [title = '', sentence = '']] of Object.entries(sentences)) {
      const admin = await withOldSignIn(language);
      const subject = await makePerson(container, home);
      const path = rolesOf(subject.id);
      const page = await admin.get(path);
      t.equal(page.status, 200, 'a page that only shows asks for nothing');
      const asked = await admin.follow(await admin.fill(page, { role: 'ORG_USER_MANAGER' }, `${path}/give`));
      t.match(asked.url, /^\/login\?/);
      t.match(asked.text, `<h1>${title}</h1>`);
      t.match(described(asked.text), sentence.replace('NAME', subject.displayName), language);
      t.match(
        asked.text,
        new RegExp(`<input id="loginName"[^>]* value="${admin.person.userName}"[^>]* readonly`),
      );
      const back = await admin.follow(await admin.fill(asked, { password: goodPassword }));
      t.equal(back.url, path, 'the person is where it was');
      t.match(back.text, /<option value="ORG_USER_MANAGER" selected>/, 'the role is still chosen');
      t.equal(await roleCount(subject.id), 0, 'and was not given');
      await admin.fill(back, { role: 'ORG_USER_MANAGER' }, `${path}/give`);
      t.equal(await roleCount(subject.id), 1);
    }
  },
);

t.test('a page whose form needs it asks before it is shown, and says what it is for', async (t) => {
  const admin = await withOldSignIn();
  const plainPath = `/console/orgs/${orgId}/users/${people.plain.id}`;
  const { displayName } = people.plain;
  const pages = {
    [`/console/orgs/${orgId}/users/new`]: '“Add a user” (',
    [`${plainPath}/reset-password`]: `“Reset the password” (${displayName} · `,
    [`${plainPath}/delete`]: `“Delete: ${displayName}” (`,
    [`/console/orgs/${orgId}/settings/members/${member.id}/remove`]: `take the role “May act as another user” from ${newcomer.displayName}`,
    [`/console/orgs/${orgId}/users/actions?action=deactivate&id=${bare.id}`]: 'is you',
    [`/console/orgs/${orgId}/groups/actions?action=deleteGroups&id=${powerless}`]: 'is you',
    [`/console/orgs/${orgId}/applications/actions?action=activateApplications&id=${full.web.id}`]: 'is you',
  };
  for (const [path, sentence] of Object.entries(pages)) {
    const asked = await admin.follow(await admin.get(path));
    t.match(asked.url, /^\/login\?/, path);
    t.match(asked.text, sentence);
  }
  const [path = ''] = Object.keys(pages);
  const back = await admin.signIn(await admin.get(path));
  t.match(back, { url: path, status: 200 });
  t.equal((await admin.get(`${plainPath}/delete`)).status, 200, 'one proof serves what follows');
  const viewer = await withOldSignIn('en', ['ORG_USER_VIEWER']);
  t.equal((await viewer.get(path)).status, 403, 'nobody is asked for a page out of reach');
});

t.test('a user is added with the link or not at all, and what was typed comes back', async (t) => {
  const admin = await openConsole({ app, container }, home, { roles: ['ORG_USER_MANAGER'] });
  const path = `/console/orgs/${orgId}/users/new`;
  const page = await admin.get(path);
  clock.advance(container.config.freshSignInSeconds + 60);
  const typed = { userName: 'half-done', givenName: 'Half', credential: 'link', password: 'Typed-Secret-9' };
  const asked = await admin.follow(await admin.fill(page, typed, path));
  t.match(described(asked.text), 'You are about to do this: “Add a user”');
  const found = await call(`GET /scim/v2/${orgId}/Users?filter=userName%20eq%20%22half-done%22`, {
    as: root,
  });
  t.match(found, { status: 200, body: { totalResults: 0 } }, 'nobody was added');
  const back = await admin.signIn(asked);
  t.equal(back.url, path);
  for (const value of ['half-done', 'Half']) t.match(back.text, `value="${value}"`);
  t.match(back.text, /value="link" checked/);
  t.notMatch(back.text, 'Typed-Secret-9');
  const added = await admin.fill(back, typed, path);
  t.match(added.text, 'class="secret', 'the link');
});

t.test('nobody else signs in at that page, and no form names another person', async (t) => {
  const admin = await withOldSignIn();
  const password = 'Other-Password-1';
  const other = await makePerson(container, home, { password });
  const path = rolesOf(other.id);
  const ask = async () =>
    admin.follow(await admin.fill(await admin.get(path), { role: 'ORG_OWNER' }, `${path}/give`));
  const asked = await ask();
  const forged = await admin.fill(asked, { loginName: other.userName, password });
  t.match(forged, { status: 400, text: 'Wrong password.' });
  t.notMatch(forged.text, other.userName);
  t.match(described(forged.text), 'You are about to give');
  const sessions = await call(`GET /admin/v1/orgs/${orgId}/users/${other.id}/sessions`, { as: root });
  t.match(sessions, { status: 200, body: { items: [] } });
  const right = await admin.follow(
    await admin.fill(forged, { loginName: other.userName, password: goodPassword }),
  );
  t.equal(right.url, path, 'the password of the person itself counts, whatever name the form has');

  // The session ends meanwhile: another person may then type a name and a password, and the console takes no such sign-in.
  clock.advance(container.config.freshSignInSeconds + 60);
  const again = await ask();
  await container.sessions.endAllOf(admin.person.id);
  const shown = await admin.get(again.url);
  t.notMatch(shown.text, 'readonly', 'nobody is signed in');
  const theirs = await admin.follow(await admin.fill(shown, { loginName: other.userName, password }));
  t.equal(theirs.status, 403);
  t.notMatch(theirs.text, 'value="ORG_OWNER" selected');
  t.equal(await roleCount(other.id), 0);
});

t.test('no link and no other request puts the words into a sign-in', async (t) => {
  const admin = await withOldSignIn();
  const path = rolesOf(newcomer.id);
  const asked = await admin.fill(await admin.get(path), { role: 'ORG_OWNER' }, `${path}/give`);
  const address = asked.location ?? '';
  const stranger = visit(app, container);
  const elsewhere = await stranger.follow(await stranger.get(address));
  t.notMatch(elsewhere.text, 'You are about to', 'another browser has only the link');
  t.notMatch(elsewhere.text, 'readonly');
  // The same browser, and a request of somebody else for the same person.
  const others = new URL(address, container.config.baseUrl);
  others.searchParams.set('state', 'of-an-attacker');
  const mixed = await admin.follow(await admin.get(`${others.pathname}${others.search}`));
  t.match(mixed.text, 'readonly');
  t.notMatch(mixed.text, 'You are about to');
  // A cookie of another kind, one that was changed, and an old one.
  const name = [...admin.cookies.keys()].find((one) => one.endsWith('muster-confirmation')) ?? '';
  const kept = admin.cookies.get(name) ?? '';
  const show = async (value: string) => {
    admin.cookies.set(name, value);
    return (await admin.follow(await admin.get(address))).text;
  };
  t.match(await show(kept), 'You are about to');
  const session = [...admin.cookies].find(([one]) => one.endsWith('muster-console'))?.[1] ?? '';
  for (const value of [session, `${kept.slice(0, -4)}AAAA`, 'x'.repeat(4_000), '%00', ''])
    t.notMatch(await show(value), 'You are about to', value.slice(0, 12));
  clock.advance(901);
  t.notMatch(await show(kept), 'You are about to', 'it ends');
});

t.test('names in the sentence are text, short, and of one line', async (t) => {
  const admin = await withOldSignIn();
  const name = `<img src=x onerror=alert(1)>${'Call the help desk now. '.repeat(6)}`;
  const subject = await makePerson(container, home, { displayName: name.trim() });
  const path = rolesOf(subject.id);
  const asked = await admin.follow(
    await admin.fill(await admin.get(path), { role: 'ORG_OWNER' }, `${path}/give`),
  );
  t.notMatch(asked.text, '<img src=x');
  const sentence = described(asked.text) ?? '';
  t.match(sentence, '&lt;img src=x');
  t.match(sentence, /… the role “Owner of the organization”\.$/);
  t.ok(sentence.length < 300, sentence);
  t.equal(nameInSentence('a\u202eb\r\nc\u2028d\u0000e\u200bf'), 'a b c d e f');
});

t.test('the second factor is asked for too, for the same act', async (t) => {
  const admin = await openConsole({ app, container }, home, { roles: ['ORG_OWNER'] });
  const secret = await giveTotp(container, admin.person);
  const code = () => ({ code: totpCode(secret, totpStep(clock.now())) });
  await container.sessions.endAllOf(admin.person.id);
  await admin.follow(await admin.fill(await admin.signIn(await admin.get('/console')), code()));
  clock.advance(container.config.freshSignInSeconds + 60);
  const path = rolesOf(newcomer.id);
  const asked = await admin.fill(await admin.get(path), { role: 'ORG_OWNER' }, `${path}/give`);
  const second = await admin.signIn(asked);
  t.match(second.url, '/login/code');
  t.match(described(second.text), /^You are about to give .* Enter the 6-digit code/);
  t.match(await admin.follow(await admin.get(path)), { status: 200 }, 'the page itself needs no proof');
  const back = await admin.follow(await admin.fill(second, code()));
  t.equal(back.url, path);
});

t.test('a person who cancels is where it was, and nothing happened', async (t) => {
  const admin = await withOldSignIn();
  const path = rolesOf(newcomer.id);
  const before = await roleCount(newcomer.id);
  const asked = await admin.follow(
    await admin.fill(await admin.get(path), { role: 'ORG_OWNER' }, `${path}/give`),
  );
  const cancel =
    /<a href="([^"]*denied=true[^"]*)">Cancel<\/a>/.exec(asked.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const back = await admin.follow(await admin.get(cancel));
  t.match(back, { url: path, status: 200 });
  t.equal(await roleCount(newcomer.id), before);
  const page = await admin.follow(await admin.get(`/console/orgs/${orgId}/users/new`));
  const leave = /<a href="([^"]*denied=true[^"]*)">/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  t.equal((await admin.follow(await admin.get(leave))).url, `/console/orgs/${orgId}/users`);
});
