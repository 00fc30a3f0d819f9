import t from 'tap';
import { putMigrationHook } from '#src/authentication/migration-hook/put-migration-hook.js';
import { putPasswordPepper } from '#src/authentication/password-pepper/index.js';
import { giveConsent } from '#src/clients/consents/give-consent.js';
import {
  addApplicationGrant,
  removeApplicationGrant,
} from '#src/clients/grants/change-application-grants.js';
import { addPersonalAccessToken } from '#src/clients/service-users/add-personal-access-token.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { linkIdentity } from '#src/connections/identities/link-identity.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { newId } from '#src/platform/ids.js';
import { until } from '../../../dev/until.js';
import { makeFullOrganization } from '../../support/app/full-organization.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { basic, grantOf, makeApplication, postForm, redeemCode } from '../../support/app/oauth-client.js';
import { openScim } from '../../support/app/scim-app.js';
import {
  type ApiOperation,
  addressOf,
  apiOperations,
  placeholders,
} from '../../support/hostile/api-operations.js';
import { enrolPasskey } from '../../support/passkeys/enrol.js';
import { badgeUrn } from '../../support/scim/extension-schema.js';
import { newUser, patchOp, urn } from '../../support/scim/scim-client.js';
import { type ReadOrWrite, readsAndWrites, watchCommands } from '../../support/stores/mongo-commands.js';

/**
 * The owner of one organization must not reach another one by any operation of the published document. Each operation
 * is called with the other organization in the path, and with the own organization and objects of the other. The rows
 * are made from the document. An operation with parameters or a body that this test cannot fill in fails.
 */

const opened = await openScim(t, { workers: true });
const { app, container, call } = opened;
const acme = await makeFullOrganization(container);
const foe = await makeFullOrganization(container);
const hookUrl = 'https://127.0.0.1:9/';
for (const { orgId } of [acme, foe])
  await putMigrationHook(container, { orgId, url: hookUrl, editor: testEditor });
for (const { orgId } of [acme, foe])
  await putPasswordPepper(container, { orgId, pepper: `of ${orgId}`, editor: testEditor });
const owner = await makeCaller(container, acme.orgId, ['ORG_OWNER']);
const intruder = await makeCaller(container, foe.orgId, ['ORG_OWNER']);
// Without one no service user can be removed.
await makeCaller(container, foe.orgId, ['IAM_OWNER']);

const orgs = `/admin/v1/orgs/${acme.orgId}`;
const idOf = async (request: string, body?: object) => {
  const answer = await call(request, { as: owner, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const machine = await addServiceUser(container, {
  orgId: acme.orgId,
  userName: 'acme-target',
  editor: testEditor,
});
const { stored: personalAccessToken } = await addPersonalAccessToken(container, {
  orgId: acme.orgId,
  userId: machine.id,
  editor: testEditor,
});
const service = `${orgs}/service-users/${machine.id}`;
const { id: secretId } = await idOf(`POST ${service}/secrets`, {});
const { kid } = await idOf(`POST ${service}/keys`, {});
const outside = { issuer: 'https://issuer.example', subject: 'theirs' };
// There is no such issuer.
Object.assign(container.issuerKeys, { requireUsable: async () => undefined });
const { id: credentialId } = await idOf(`POST ${service}/federated-credentials`, outside);
const provider = { issuer: 'https://issuer.example', clientId: 'muster' };
// There is no such provider.
Object.assign(container.providers, { read: async () => ({ jwks_uri: provider.issuer }) });
Object.assign(container.providerKeys, { requireUsable: async () => undefined });
const { id: connectionId } = await idOf(`POST ${orgs}/connections`, { name: 'Acme', provider });
const { id: testId } = await idOf(`POST ${orgs}/connections/${connectionId}/sign-in-tests`, {});
const { id: setupLinkId } = await idOf(`POST ${orgs}/setup-links`, { steps: ['connection'] });
const application = `${orgs}/applications/${acme.web.id}`;
const { id: applicationSecretId } = (await idOf(`GET ${application}/secrets`)).items[0];
const { kid: applicationKid } = (await idOf(`GET ${orgs}/applications/${acme.api.id}/keys`)).items[0];
const membershipId = (await idOf(`GET ${orgs}/memberships`)).items[0].id;
const { people, project } = acme;
await linkIdentity(container, {
  ...{ orgId: acme.orgId, connectionId, subject: 'theirs', userId: people.full.id },
  ...{ rule: 'person', editor: testEditor },
});
const { id: bulkTarget } = await idOf(
  `POST /scim/v2/${acme.orgId}/Users`,
  newUser({ userName: 'bulk-target' }),
);
const { id: groupTarget } = await idOf(`POST /scim/v2/${acme.orgId}/Groups`, {
  schemas: [urn.group],
  displayName: 'Target',
  members: [{ value: people.full.id }],
});
await container.sessions.signIn('agent', {
  userId: people.full.id,
  orgId: acme.orgId,
  userName: people.full.userName,
  displayName: 'Anna Lind',
  proofs: [{ kind: 'password' }],
});
const passkeyId = (await enrolPasskey(container, people.full)).id;
const browserId = newId();
await container.rememberedBrowsers.insert(
  {
    ...{
      id: browserId,
      orgId: acme.orgId,
      userId: people.full.id,
      hash: 'h',
      by: 'code',
      credentialsStamp: '',
    },
    ...{ proved: container.clock.now(), used: container.clock.now(), expires: new Date('2090-01-01') },
  },
  [],
);
const sessionId = (await idOf(`GET ${orgs}/users/${people.full.id}/sessions`)).items[0].id;
const jobId = newId();
const madeJob = {
  id: jobId,
  kind: 'scim-bulk' as const,
  orgId: acme.orgId,
  requestedBy: owner.id,
  total: 3,
  created: container.clock.now(),
  body: Buffer.from('{}'),
};
await container.jobs.insert(madeJob);
await container.jobs.end(jobId, 'completed');

const client = {
  id: acme.web.id,
  application: acme.web,
  secret: '',
  credentials: basic(acme.web.id, acme.secrets[2] ?? ''),
};
const { body: tokens } = await redeemCode(
  { container, call },
  { client, person: people.plain, grant: { scope: 'openid profile offline_access' } },
);

// An application of a third organization, which ours lets in, and to which one of its people consented.
const third = await makeOrganization(container);
const guest = await makeApplication(container, third.id, { orgOnly: false });
const granted = { orgId: acme.orgId, clientId: guest.id, editor: testEditor };
await addApplicationGrant(container, granted);
await giveConsent(container, {
  user: people.full,
  clientId: guest.id,
  scopes: ['openid'],
  editor: testEditor,
});

type Owner = Pick<typeof acme, 'machine' | 'people' | 'project' | 'web' | 'api'>;

/**
 * The parameters of an address for objects of this organization: its project, or an object of the kind in the address.
 */
function thingOf({ people, project, ...owner }: Owner, path: string): Record<string, string> {
  const isApi = path.includes('/applications/') && path.includes('/keys');
  const named: [string, string][] = [
    ['/service-users/', owner.machine.id],
    ['/applications/', isApi ? owner.api.id : owner.web.id],
    ['/users/', people.full.id],
    ['/Users/', people.plain.id],
    ['/Groups/', groupTarget],
    ['/jobs/', jobId],
    ['/Schemas/', urn.user],
    ['/ResourceTypes/', 'User'],
  ];
  const id = named.find(([part]) => path.includes(part))?.[1];
  return { ...(id !== undefined && { id }), projectId: project.id };
}

/** Ours by the name of a parameter. */
function belongings(path: string): Record<string, string> {
  const isService = path.includes('/service-users/');
  return {
    ...thingOf({ ...acme, machine }, path),
    roleKey: 'reader',
    userId: path.includes('/members') ? acme.machine.id : people.full.id,
    key: 'a',
    domainName: `b.${acme.orgId}.example`,
    schemaId: badgeUrn,
    secretId: isService ? secretId : applicationSecretId,
    kid: isService ? kid : applicationKid,
    credentialId,
    connectionId,
    testId,
    setupLinkId,
    tokenId: personalAccessToken.id,
    membershipId,
    sessionId,
    passkeyId,
    browserId,
    clientId: guest.id,
    groupId: path.includes('/group-grants') ? acme.group.id : groupTarget,
  };
}

const replacement = newUser({ userName: 'taken-over' });

/** A body that is right, where `{}` is none. */
const bodies: Record<string, object> = {
  putMigrationHook: { url: `${hookUrl}other` },
  testMigrationHook: { loginName: 'ada', password: 'Correct-Horse-7' },
  putPasswordPepper: { pepper: 'of an intruder' },
  putSignInPolicy: { identifierFirst: true },
  trySignInPolicy: {},
  scimCreateUser: newUser({ userName: 'intruder' }),
  scimSearchUsers: { schemas: [urn.searchRequest] },
  scimSearchGroups: { schemas: [urn.searchRequest] },
  scimSearchAll: { schemas: [urn.searchRequest] },
  scimCreateGroup: { schemas: [urn.group], displayName: 'Intruder' },
  scimReplaceGroup: { schemas: [urn.group], displayName: 'Taken over' },
  scimPatchGroup: patchOp({ op: 'replace', path: 'displayName', value: 'Renamed' }),
  scimReplaceUser: replacement,
  scimPatchUser: patchOp({ op: 'replace', path: 'active', value: false }),
  scimBulk: {
    schemas: [urn.bulkRequest],
    Operations: [
      { method: 'PATCH', path: `/Users/${bulkTarget}`, data: patchOp({ op: 'remove', path: 'title' }) },
      { method: 'PUT', path: `/Users/${bulkTarget}`, data: replacement },
      { method: 'DELETE', path: `/Users/${bulkTarget}` },
      { method: 'PATCH', path: `/Groups/${groupTarget}`, data: patchOp({ op: 'remove', path: 'members' }) },
      {
        method: 'PUT',
        path: `/Groups/${groupTarget}`,
        data: { schemas: [urn.group], displayName: 'Theirs' },
      },
    ],
  },
  changeOrganization: { name: 'Taken over' },
  // One pixel.
  putLogo: {
    picture:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  },
  // Of what its job does, each change is recorded.
  actOnUsers: { action: 'deactivate', search: {}, dryRun: true },
  addDomain: { domainName: 'new.example' },
  changeDomain: { isPrimary: true },
  putExtensionSchema: { name: 'Taken over', attributes: [{ name: 'a', type: 'string' }] },
  addProject: { name: 'Intruder' },
  changeProject: { name: 'Taken over' },
  addProjectRole: { key: 'intruder' },
  changeProjectRole: { displayName: 'Taken over' },
  addProjectGrant: { userId: people.registered.id, roles: ['reader'] },
  changeProjectGrant: { roles: ['reader'] },
  addProjectGroupGrant: { groupId: groupTarget, roles: ['reader'] },
  changeProjectGroupGrant: { roles: ['reader'] },
  addProjectMember: { userId: people.registered.id, roles: ['PROJECT_OWNER'] },
  changeProjectMember: { roles: ['PROJECT_OWNER_VIEWER'] },
  setUserMetadata: { value: 'AAAA' },
  addServiceUser: { userName: 'intruder' },
  changeServiceUser: { name: 'Taken over' },
  addFederatedCredential: { ...outside, subject: 'intruder' },
  addConnection: { name: 'Intruder', provider },
  addSetupLink: { steps: ['connection'] },
  changeConnection: { name: 'Taken over' },
  linkWaitingIdentities: { provider: 'google' },
  previewConnection: { claims: '{"sub":"intruder"}' },
  addApplication: { name: 'Intruder', type: 'web', redirectUris: ['https://intruder.example/'] },
  changeApplication: { redirectUris: ['https://intruder.example/'] },
  setGroupRoles: { roles: ['ORG_USER_VIEWER'] },
  addOrganizationMembership: { userId: people.registered.id, role: 'ORG_OWNER' },
  addOrganization: { name: 'Another' },
  addInstanceMembership: { userId: intruder.id, role: 'IAM_OWNER' },
  changeFeatures: { tokenExchange: true },
  searchLoginNames: { loginName: people.full.userName },
  rotateSigningKeys: { force: true },
  import: { timeout: '5m', dataOrgs: { orgs: [{ orgId: acme.orgId, humanUsers: [] }] } },
  importIntoOrganization: { timeout: '5m', dataOrgs: { orgs: [{ orgId: acme.orgId, humanUsers: [] }] } },
  verifyOrganization: { timeout: '5m', dataOrgs: { orgs: [{ orgId: acme.orgId, humanUsers: [] }] } },
  testSignIn: { code: 'unknown', codeVerifier: 'a'.repeat(43), redirectUri: 'https://shop.example/' },
  verify: { timeout: '5m', dataOrgs: { orgs: [{ orgId: acme.orgId, humanUsers: [] }] } },
  samplePasswords: { samples: [{ loginName: people.full.userName, password: 'Correct-Horse-7' }] },
  export: { orgIds: [acme.orgId], withPasswords: true, responseOutput: true },
  exportPasskeys: { orgIds: [acme.orgId], responseOutput: true },
  exportOrganization: { responseOutput: true },
};

/** Operations without an organization in the path, with the status that the owner of another organization gets. */
const withoutOrganization: Record<string, number> = {
  getCaller: 200,
  listOrganizations: 200,
  listJobs: 200,
  searchEvents: 200,
  listExpiring: 200,
  searchLoginNames: 403,
  getJob: 404,
  cancelJob: 404,
  listJobErrors: 404,
  listJobCreations: 404,
  listJobDifferences: 404,
  import: 403,
  verify: 403,
  samplePasswords: 403,
  export: 403,
  exportPasskeys: 403,
  getExport: 403,
  addOrganization: 403,
  addInstanceMembership: 403,
  listInstanceMemberships: 403,
  getInstanceMembership: 403,
  removeInstanceMembership: 403,
  getService: 403,
  getFeatures: 403,
  changeFeatures: 403,
  listSigningKeys: 403,
  rotateSigningKeys: 403,
  removeSigningKey: 403,
};

/** Operations in an organization that are for owners of the instance. */
const ofInstance = [
  'approveApplication',
  'removeApplicationApproval',
  'allowAdministration',
  'removeAdministration',
  'removeOrganization',
];

/** POSTs that only ask. */
const searches = [
  'scimSearchUsers',
  'scimSearchGroups',
  'scimSearchAll',
  'scimPollEvents',
  'actOnUsers',
  'searchEvents',
  'searchLoginNames',
  'testMigrationHook',
  'trySignInPolicy',
  'testConnection',
  'beginSignInTest',
  'previewConnection',
  // Nothing waits, and no record is published.
  'linkWaitingIdentities',
  'beginDomainProof',
  'checkDomainProof',
  'testSignIn',
];

const isWrite = ({ id, method }: ApiOperation) => method !== 'GET' && !searches.includes(id);

/** Operations that know no organizations, and those of OAuth, which get tests of their own below. */
const ofNobody = `
  isAlive isReady readApiDescription readPlainApiDescription discovery keys authorize authorizePost
  endSession endSessionPost
  token introspect revoke userinfo postUserinfo`
  .trim()
  .split(/\s+/);

/** Parameters whose values exist once; the others name things that both organizations have. */
const identifiers = ['id', 'userId', 'projectId', 'membershipId', 'groupId'];

/** Parameters that name a part of the preceding object by a unique name. */
const parts = [
  'secretId',
  'kid',
  'credentialId',
  'connectionId',
  'testId',
  'setupLinkId',
  'tokenId',
  'sessionId',
  'passkeyId',
  'browserId',
];

/** Ends of what is not there, which are harmless. */
const harmless = ['endUserSession', 'forgetRememberedBrowser'];

/** Descriptions of the protocol, the same for every organization and open to everybody (RFC 7644 section 4). */
const isDescription = ({ id }: ApiOperation) =>
  ['scimServiceProviderConfig', 'scimListSchemas', 'scimReadSchema'].includes(id) ||
  id.endsWith('ResourceTypes') ||
  id.endsWith('ResourceType');

/** Texts of ours that no answer to them may hold. */
const ours = [
  acme.orgId,
  ...Object.values(people).flatMap(({ id, userName }) => [id, `"${userName}"`]),
  ...[machine.id, acme.machine.id, acme.web.id, acme.api.id, project.id, owner.id, bulkTarget, groupTarget],
  ...[acme.hashes.password, acme.hashes.secretHash, acme.totp, ...acme.secrets],
];

/**
 * All stored documents that mention us, in order. Documents of failed requests in their own organization are left out.
 */
async function stored(): Promise<string[]> {
  const { db } = container.mongo;
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const found: string[] = [];
  for (const { name } of collections) {
    // What a stranger's own file says, until its report expires.
    if (name === 'importOrganizations' || name === 'importResults') continue;
    for await (const document of db.collection(name).find()) {
      const text = `${name} ${JSON.stringify(document)}`;
      const isTheirs = text.includes(foe.orgId) && !text.includes(acme.orgId);
      if (!isTheirs && ours.some((mark) => text.includes(mark))) found.push(text);
    }
  }
  return found.sort();
}

const send = (operation: ApiOperation, address: string, as: { token: string }) =>
  app.inject({
    method: operation.method as 'GET',
    url: address,
    headers: { authorization: `Bearer ${as.token}` },
    ...(operation.body && { payload: bodies[operation.id] ?? {} }),
  });

/** The texts of ours that an answer contains and its request does not. */
function told(answer: string, request: string): string[] {
  return ours.filter((mark) => answer.includes(mark) && !request.includes(mark));
}

/** Collections whose documents belong to organizations. */
const ofOrganizations = `
  users serviceUsers applications applicationGrants consents projects projectRoles userGrants groupGrants projectMembers userMetadata personalAccessTokens`
  .trim()
  .split(/\s+/);

/** Whether a query asks for nothing but whose something is. */
const findsOwner = ({ projection }: ReadOrWrite) => Object.keys(projection ?? {}).join() === 'orgId';

/**
 * Reads of objects by an identifier that is unique over all organizations. The object itself names its organization.
 */
const byIdentifier = ['serviceUsers', 'projects', 'applications', 'consents', 'applicationGrants'].map(
  (name) => `find ${name} by _id`,
);

/** The owners of an organization, and of the instance, may be people of any organization. One of them must be able to sign in. */
const ofOwners = 'find users by _id,active';

/** An application that its organization removes loses what others gave it. The keys begin with the application. */
const ofRemovedApplication = 'delete applicationGrants by _id';

/**
 * Whether a query finds the token of the caller by its identifier, to see whether the caller may ask. It is asked again
 * when the cached token is a minute old.
 */
const findsToken = ({ name, collection, where }: ReadOrWrite, { token }: { token: string }) =>
  name === 'find' && collection === 'personalAccessTokens' && token.includes(String(where['_id']));

/** The organizations of the events that an editor has caused. */
async function eventsOf(editorId: string): Promise<string[]> {
  const events = container.mongo.db.collection('events').find({ 'editor.userId': editorId });
  return (await events.sort({ _id: 1 }).toArray()).map((event) => event['aggregate'].resourceOwner);
}

const operations = await apiOperations(app);
const inOrganization = operations.filter((operation) => placeholders(operation).includes('orgId'));
const others = operations.filter(
  (operation) => !inOrganization.includes(operation) && !ofNobody.includes(operation.id),
);
// What the set-up above used is written in the background.
await container.secretUses.flush();
await container.provisioningLog.flush();
const before = await stored();

t.test('every operation is known', async (t) => {
  t.ok(before.length > 20);
  t.same(
    others.map(({ id }) => id).filter((id) => withoutOrganization[id] === undefined),
    [],
    'say what these answer to the owner of another organization',
  );
  const demanding = operations.filter(
    ({ id, body }) => !ofNobody.includes(id) && (body?.required ?? []).length > 0,
  );
  t.same(
    demanding.map(({ id }) => id).filter((id) => bodies[id] === undefined),
    [],
    'say what a right body of these is',
  );
});

for (const operation of inOrganization) {
  t.test(operation.id, async (t) => {
    const values = belongings(operation.path);
    const sent = JSON.stringify(bodies[operation.id] ?? {});
    const theirs = addressOf(operation, { ...values, orgId: acme.orgId });
    const away = await send(operation, theirs, intruder);
    if (isDescription(operation)) {
      t.equal(away.statusCode, 200);
      return t.same(told(away.payload, theirs), []);
    }
    t.equal(away.statusCode, 404, theirs, { answer: away.payload });
    t.match(away.payload, 'organizationNotFound');
    t.same(told(away.payload, theirs), [], 'and says nothing of what is there');

    const here = addressOf(operation, { ...values, orgId: foe.orgId });
    const mixed = await send(operation, here, intruder);
    // The log of what they sent has our identifiers, because they sent them above.
    if (operation.id !== 'listProvisioningLog')
      t.same(told(mixed.payload, here + sent), [], here, { answer: mixed.payload });
    if (operation.id === 'scimBulk') {
      t.same(
        mixed.json().Operations.map((one: { status: string }) => one.status),
        Array(5).fill('404'),
      );
    } else if (placeholders(operation).some((name) => identifiers.includes(name))) {
      const status = ofInstance.includes(operation.id) ? 403 : 404;
      t.equal(mixed.statusCode, status, here, { answer: mixed.payload });
    }

    if (placeholders(operation).some((name) => parts.includes(name))) {
      const inTheirs = addressOf(operation, { ...values, ...thingOf(foe, operation.path), orgId: foe.orgId });
      const answer = await send(operation, inTheirs, intruder);
      t.equal(answer.statusCode, harmless.includes(operation.id) ? 204 : 404, inTheirs);
    }
  });
}

for (const operation of others) {
  t.test(operation.id, async (t) => {
    const address = addressOf(operation, { ...belongings(operation.path) });
    const answer = await send(operation, address, intruder);
    t.equal(answer.statusCode, withoutOrganization[operation.id], address, { answer: answer.payload });
    t.same(told(answer.payload, address + JSON.stringify(bodies[operation.id] ?? {})), []);
  });
}

t.test('their objects cannot refer to our objects', async (t) => {
  const theirs = `/admin/v1/orgs/${foe.orgId}`;
  const requests: [string, object][] = [
    [`POST ${theirs}/projects`, { id: project.id, name: 'Twin' }],
    [`POST ${theirs}/projects/${foe.project.id}/grants`, { userId: people.plain.id, roles: ['reader'] }],
    [`POST ${theirs}/projects/${foe.project.id}/group-grants`, { groupId: groupTarget, roles: ['reader'] }],
    [`POST ${theirs}/projects/${foe.project.id}/members`, { userId: machine.id, roles: ['PROJECT_OWNER'] }],
    [`POST ${theirs}/memberships`, { userId: machine.id, role: 'ORG_OWNER' }],
    [`POST ${theirs}/memberships`, { userId: people.plain.id, role: 'ORG_OWNER' }],
    [`POST ${theirs}/applications`, { ...bodies['addApplication'], projectId: project.id }],
    [`PATCH ${theirs}/applications/${foe.web.id}`, { projectId: project.id }],
    [`POST ${theirs}/domains`, { domainName: `b.${acme.orgId}.example`, isVerified: true }],
    ['POST /admin/v1/events/_search', { resourceOwner: acme.orgId }],
  ];
  for (const [request, body] of requests) {
    const answer = await call(request, { as: intruder, body });
    t.ok([400, 403, 404, 409].includes(answer.status), `${request}: ${answer.status}`);
    t.same(told(JSON.stringify(answer.body), request + JSON.stringify(body)), []);
  }
  for (const body of [{ aggregateId: people.plain.id }, { editorUserId: owner.id }]) {
    const { status, body: found } = await call('POST /admin/v1/events/_search', { as: intruder, body });
    t.match({ status, found }, { status: 200, found: { events: [] } });
  }
});

t.test('their counts do not include our objects', async (t) => {
  const users = `GET /scim/v2/${foe.orgId}/Users`;
  const { Resources } = (await call(users, { as: intruder })).body;
  t.ok(Resources.length >= Object.keys(foe.people).length);
  for (const filter of ['', 'userName pr', 'not (title eq "nobody")']) {
    const query = new URLSearchParams({ count: '0', ...(filter && { filter }) });
    const { body } = await call(`${users}?${query}`, { as: intruder });
    t.equal(body.totalResults, Resources.length, filter);
  }
});

t.test('their client can do nothing with our tokens', async (t) => {
  const stranger = basic(foe.web.id, foe.secrets[2] ?? '');
  const post = (path: string, form: Record<string, string>) =>
    postForm(call, `/oauth/v2/${path}`, { form, as: stranger });
  t.same((await post('introspect', { token: tokens.access_token })).body, { active: false });
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    t.match(await post('revoke', { token }), { body: { error: 'invalid_client' } });
  }
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
  t.match(await post('token', refresh), { status: 400, body: { error: 'invalid_grant' } });
  const redirectUri = 'https://shop.example/callback';
  const code = await container.codes.issue(grantOf(client, people.plain, { redirectUri }));
  const redeem = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  t.match(await post('token', redeem), { status: 400, body: { error: 'invalid_grant' } });
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token: tokens.access_token } })).status, 200);
});

t.test('nothing of ours has changed', async (t) => {
  t.same(await stored(), before);
  t.ok(await container.sessions.find(people.full.id, sessionId), 'and who is signed in remains so');
});

// An object in use answers 409 to a caller that may remove it.
t.test('all of that was there: its owner reaches it by the same requests', async (t) => {
  const order = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
  const rows = inOrganization
    .filter((operation) => !isDescription(operation) && !ofInstance.includes(operation.id))
    .sort((a, b) => order.indexOf(a.method) - order.indexOf(b.method) || b.path.length - a.path.length);
  const watched = watchCommands();
  t.teardown(() => watched.stop());
  const inUse: ApiOperation[] = [];
  const domainName = `b.${acme.orgId}.example`;
  const leaveVerified = async (isVerified: boolean) => {
    const change = isVerified
      ? { domains: [`a.${acme.orgId}.example`, domainName], unverifiedDomains: [] }
      : { domains: [], unverifiedDomains: [domainName] };
    await changeOrganization(container, { orgId: acme.orgId, change, editor: testEditor });
  };
  /** Has a domain whose proof has begun. Nobody answers for its record. */
  const leaveUnproved = async () => {
    await leaveVerified(false);
    const proof = { orgId: acme.orgId, domainName, token: 'token', created: container.clock.now() };
    await container.mongo.transactionOf(acme.orgId, (transaction) =>
      container.domainProofs.begin(acme.orgId, proof, transaction),
    );
  };
  const sendAsOwner = async (operation: ApiOperation) => {
    const address = addressOf(operation, { ...belongings(operation.path), orgId: acme.orgId });
    // What is granted already is not granted again.
    if (operation.id === 'addApplicationGrant') await removeApplicationGrant(container, granted);
    if (operation.id.endsWith('DomainProof')) await leaveUnproved();
    // Only a verified domain becomes the primary one, and only one that is not.
    if (operation.id === 'changeDomain') await leaveVerified(true);
    const known = (await eventsOf(owner.id)).length;
    const answer = await send(operation, address, owner);
    if (answer.statusCode === 409) return void inUse.push(operation);
    if (operation.id === 'testSignIn') return void t.equal(answer.statusCode, 400, 'nobody has the code');
    t.ok(answer.statusCode < 300, `${operation.id}: ${answer.statusCode}`, { answer: answer.payload });
    if (!isWrite(operation)) return;
    const recorded = (await eventsOf(owner.id)).slice(known);
    t.ok(recorded.length > 0, `${operation.id} is recorded with who did it`);
    t.same(new Set(recorded), new Set([acme.orgId]), `${operation.id}, where the organization finds it`);
  };
  for (const operation of rows) await sendAsOwner(operation);
  // The grant that the row for grants added names the role.
  await idOf(`DELETE ${orgs}/projects/${project.id}/grants/${people.registered.id}`);
  for (const operation of inUse.splice(0)) await sendAsOwner(operation);
  t.same(
    inUse.map(({ id }) => id),
    ['removeProject'],
    'an application belongs to it',
  );
  watched.stop();
  const ofTheirs = watched.commands
    .flatMap(readsAndWrites)
    .filter(({ collection }) => ofOrganizations.includes(collection));
  t.ok(ofTheirs.length > 100);
  t.same(
    ofTheirs
      .filter(
        (query) => query.where['orgId'] !== acme.orgId && !findsOwner(query) && !findsToken(query, owner),
      )
      .map(({ name, collection, where }) => `${name} ${collection} by ${Object.keys(where)}`)
      .filter(
        (query) =>
          ![...byIdentifier, ofOwners, ofRemovedApplication].some((known) => query.startsWith(known)),
      ),
    [],
    'each names the organization, also where something before it has looked already',
  );
});

t.test('what the owner of the instance changes, or takes away, is recorded', async (t) => {
  const operator = await makeCaller(container, acme.orgId, ['IAM_OWNER']);
  const ask = (request: string, more = {}) => call(request, { as: operator, ...more });
  const itemOf = async (path: string, of: Record<string, string>) =>
    (await ask(`GET /admin/v1/${path}`)).body.items.find((item: Record<string, string>) =>
      Object.entries(of).every(([name, value]) => item[name] === value),
    );
  /** The values for the addresses of these operations. They are made or found right before. */
  const named: Record<string, () => Promise<Record<string, string>>> = {
    async removeInstanceMembership() {
      return { membershipId: (await itemOf('memberships', { userId: intruder.id })).id };
    },
    async removeSigningKey() {
      return { kid: (await itemOf('signing-keys', { state: 'retired' })).kid };
    },
    async getExport() {
      const headers = { prefer: 'respond-async' };
      const begun = await ask('POST /admin/v1/export', { body: bodies['export'], headers });
      const id = begun.headers['location']?.split('/').at(-1) ?? '';
      await until(async () => (await ask(`GET /admin/v1/jobs/${id}`)).body.state === 'completed');
      return { id };
    },
    async cancelJob() {
      const id = newId();
      await container.jobs.insert({ ...madeJob, id });
      return { id };
    },
  };
  const rows = [
    ...others.filter((operation) => isWrite(operation) || operation.id === 'getExport'),
    // The removal has a test of its own, because nothing works after it.
    ...inOrganization.filter(({ id }) => ofInstance.includes(id) && id !== 'removeOrganization'),
  ];
  t.ok(rows.length > 8);
  for (const operation of rows) {
    const inThird = { orgId: third.id, id: guest.id };
    const address = addressOf(operation, (await named[operation.id]?.()) ?? inThird);
    const known = (await eventsOf(operator.id)).length;
    const answer = await send(operation, address, operator);
    t.ok(answer.statusCode < 300, `${operation.id}: ${answer.statusCode}`, { answer: answer.payload });
    t.ok((await eventsOf(operator.id)).length > known, `${operation.id} is recorded with who did it`);
  }
});
