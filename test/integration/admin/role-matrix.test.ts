import t from 'tap';
import { documentStylesheetPath } from '#src/http/documents/document-stylesheet.js';
import { iconPath } from '#src/http/pages/asset.routes.js';
import { copyPath } from '#src/http/pages/copy.js';
import { localTimesPath } from '#src/http/pages/moment.js';
import { passkeyPath } from '#src/http/pages/passkey-script.js';
import { stylesheetPath } from '#src/http/pages/stylesheet.js';
import { makeAdministrator } from '../../support/app/administrators.js';
import { type Caller, makeCaller, makeOrganization } from '../../support/app/make.js';
import { makeApplication, makePerson, redeemCode } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import {
  addressOf,
  apiOperations,
  placeholders,
  registeredRoutes,
} from '../../support/hostile/api-operations.js';

/**
 * Every operation of the published document, called by every role: by a service user that has it, and by a person. An operation that is missing in the table fails the
 * test. Requests name objects that do not exist and have empty bodies. A caller with the right therefore gets 2xx, 400
 * or 404, and changes nothing that another row needs. A caller without the right is refused before the service reads
 * anything.
 */

type Outcome = 'allowed' | 401 | 403 | 'no such organization' | 'no scope';

const columns = [
  'IAM_OWNER',
  'ORG_OWNER',
  'ORG_USER_MANAGER',
  'ORG_USER_VIEWER',
  'IMPERSONATOR',
  'no role',
  'nobody',
  'a person without the scope',
] as const;

type Column = (typeof columns)[number];

const yes = 'allowed';
const away = 'no such organization';
const scope = 'no scope';

/** The answer of each kind of operation to each column. */
const kinds = {
  public: [yes, yes, yes, yes, yes, yes, yes, yes],
  caller: [yes, yes, yes, yes, yes, yes, 401, scope],
  'anyone of the organization': [yes, yes, yes, yes, yes, away, 401, scope],
  'user.read': [yes, yes, yes, yes, 403, away, 401, scope],
  'user.manage': [yes, yes, yes, 403, 403, away, 401, scope],
  organization: [yes, yes, 403, 403, 403, away, 401, scope],
  'any organization': [yes, yes, 403, 403, 403, 403, 401, scope],
  instance: [yes, 403, 403, 403, 403, 403, 401, scope],
  'instance, in an organization': [yes, 403, 403, 403, 403, away, 401, scope],
} satisfies Record<string, readonly Outcome[]>;

type Kind = keyof typeof kinds;

/** The kind of each operation. Those of OAuth authenticate clients instead of callers. */
const operationsOf: Record<Kind, string> = {
  public: `
    isAlive isReady readApiDescription readPlainApiDescription discovery keys authorize authorizePost
    endSession endSessionPost
    scimServiceProviderConfig scimListSchemas scimReadSchema scimListResourceTypes scimReadResourceType`,
  caller: 'getCaller listJobs getJob cancelJob listJobErrors listJobCreations listJobDifferences',
  'anyone of the organization': 'scimBulk',
  'user.read': `
    scimListUsers scimSearchUsers scimReadUser scimListGroups scimSearchGroups scimReadGroup scimSearchAll scimPollEvents
    listUserSummaries listGroupSummaries listGroupMembers listSessions listRememberedBrowsers listConsents listPasskeys getSignInState listIdentities listConnectionStates`,
  'user.manage': `
    scimCreateUser scimReplaceUser scimPatchUser scimDeleteUser
    scimCreateGroup scimReplaceGroup scimPatchGroup scimDeleteGroup addOneTimeLink
    addOneTimeLinks actOnUsers requirePasswordChange unlockUser removeTotp removePasskey endSessions endUserSession forgetRememberedBrowser revokeConsent removeIdentity`,
  organization: `
    getOrganization changeOrganization getMigrationHook putMigrationHook removeMigrationHook testMigrationHook
    getPasswordPepper putPasswordPepper removePasswordPepper
    getSignInPolicy putSignInPolicy trySignInPolicy
    addConnection listConnections getConnection changeConnection removeConnection getConnectionHealth testConnection
    beginSignInTest getSignInTest addSetupLink listSetupLinks endSetupLink linkWaitingIdentities previewConnection
    listDomains getDomain addDomain changeDomain removeDomain getDomainProof beginDomainProof checkDomainProof
    putLogo removeLogo
    listExtensionSchemas getExtensionSchema putExtensionSchema removeExtensionSchema
    addProject listProjects getProject changeProject removeProject
    addProjectRole listProjectRoles getProjectRole changeProjectRole removeProjectRole
    addProjectGrant listProjectGrants getProjectGrant changeProjectGrant removeProjectGrant
    addProjectGroupGrant listProjectGroupGrants getProjectGroupGrant changeProjectGroupGrant removeProjectGroupGrant
    addProjectMember listProjectMembers getProjectMember changeProjectMember removeProjectMember
    listUserMetadata getUserMetadata setUserMetadata removeUserMetadata
    addServiceUser listServiceUsers getServiceUser changeServiceUser removeServiceUser
    addClientSecret listClientSecrets removeClientSecret
    addFederatedCredential listFederatedCredentials removeFederatedCredential
    addPersonalAccessToken listPersonalAccessTokens removePersonalAccessToken
    addServiceUserKey listServiceUserKeys removeServiceUserKey
    listApplicationGrants getApplicationGrant addApplicationGrant removeApplicationGrant
    addApplication listApplications getApplication changeApplication removeApplication
    addApplicationSecret listApplicationSecrets removeApplicationSecret
    addApplicationKey listApplicationKeys removeApplicationKey
    importIntoOrganization exportOrganization verifyOrganization testSignIn
    addOrganizationMembership listOrganizationMemberships getOrganizationMembership removeOrganizationMembership
    getGroupRoles setGroupRoles listProvisioningLog`,
  'any organization': 'listOrganizations searchEvents listExpiring',
  'instance, in an organization':
    'approveApplication removeApplicationApproval allowAdministration removeAdministration removeOrganization',
  instance: `
    import verify samplePasswords export exportPasskeys getExport addOrganization
    addInstanceMembership listInstanceMemberships getInstanceMembership removeInstanceMembership
    getService getFeatures changeFeatures listSigningKeys rotateSigningKeys removeSigningKey searchLoginNames`,
};

/** Operations that clients or bearers of a person's token call. Tests of OpenID Connect check their rights. */
const ofClients = ['token', 'introspect', 'revoke', 'userinfo', 'postUserinfo'];

const kindOf = new Map(
  Object.entries(operationsOf).flatMap(([kind, ids]) =>
    ids
      .trim()
      .split(/\s+/)
      .map((id) => [id, kind as Kind] as const),
  ),
);

/** Routes that are served but not published: pages for people with their assets, and the document itself. */
const ofPages = `
  GET_/login POST_/login POST_/login/name GET_/login/code POST_/login/code GET_/login/select POST_/login/select
  GET_/login/consent POST_/login/consent GET_/login/enrol-passkey POST_/login/enrol-passkey
  GET_/login/link POST_/login/link GET_/login/link/passkey POST_/login/link/passkey GET_/login/link/none POST_/login/link/none
  GET_/login/link/confirm POST_/login/link/confirm GET_/account/identities GET_/account/identities/link POST_/account/identities/link
  GET_/account/identities/unlink POST_/account/identities/unlink
  GET_/login/connections/:/:/start POST_/login/connections/:/:/start POST_/login/connections/:/:/logout
  POST_/login/connections/:/: GET_/login/connections/:/:/callback POST_/login/connections/:/:/callback
  GET_/login/connection-tests/:
  POST_/login/connections/:/:/saml/acs GET_/login/connections/:/:/saml/metadata
  GET_/login/connections/:/:/saml/logout POST_/login/connections/:/:/saml/logout GET_/login/connections/:/:/signed-out
  GET_/setup/open POST_/setup/open GET_/setup POST_/setup/domain POST_/setup/domain/check POST_/setup/connection
  POST_/setup/saml POST_/setup/provisioning POST_/setup/test POST_/setup/switch-on
  GET_/login/register POST_/login/register GET_/login/forgot POST_/login/forgot
  GET_/login/mail-code POST_/login/mail-code POST_/login/mail-code/send GET_/login/faster POST_/login/faster
  GET_/login/mail-link POST_/login/mail-link GET_/login/mail-link/open POST_/login/mail-link/open
  GET_/login/verify-email POST_/login/verify-email POST_/login/verify-email/code
  GET_/login/password POST_/login/password GET_/login/new-password POST_/login/new-password
  GET_/.well-known/change-password GET_/account GET_/account/profile POST_/account/profile GET_/account/password POST_/account/password
  GET_/account/sessions/end POST_/account/sessions/end
  GET_/account/browsers/forget POST_/account/browsers/forget
  GET_/account/consents/remove POST_/account/consents/remove
  GET_/account/email POST_/account/email GET_/account/email/confirm POST_/account/email/confirm
  GET_/account/totp POST_/account/totp GET_/account/totp/remove POST_/account/totp/remove
  GET_/account/recovery-codes GET_/account/recovery-codes/new POST_/account/recovery-codes/new
  GET_/login/enrol POST_/login/enrol GET_/login/passkey POST_/login/passkey GET_/login/second-passkey POST_/login/second-passkey
  GET_/account/passkeys POST_/account/passkeys GET_/account/passkeys/new GET_/account/passkeys/edit POST_/account/passkeys/edit
  GET_/account/passkeys/remove POST_/account/passkeys/remove
  GET_/account/confirm POST_/account/confirm GET_/account/confirm/passkey POST_/account/confirm/passkey
  GET_/.well-known/webauthn
  GET_/oauth/v2/authorize/callback GET_/oidc/v1/end_session/confirm POST_/oidc/v1/end_session/confirm
  GET_/operations/jobs GET_/docs/api GET_/docs/api/: GET_/docs/api/schemas GET_/docs/api/schemas/:
  GET_/login/logos/:/:.webp
  GET_/docs/guides GET_/docs/guides/: GET_/docs/: GET_/docs/mappings/:`
  .trim()
  .split(/\s+/)
  .map((route) => route.replace('_', ' '))
  .concat(
    `GET ${stylesheetPath}`,
    `GET ${iconPath}`,
    `GET ${documentStylesheetPath}`,
    `GET ${localTimesPath}`,
    `GET ${copyPath}`,
    `GET ${passkeyPath}`,
  );

// Links by mail are served where there is a mail server; none is sent here.
const { app, container, call } = await buildTestApp(t, { smtpUrl: 'smtp://127.0.0.1:9' });
const organization = await makeOrganization(container);
const { id: orgId } = organization;
const person = await makePerson(container, organization);
const client = await makeApplication(container, orgId);
const { body: tokens } = await redeemCode({ container, call }, { client, person });

const callers: Record<Column, Pick<Caller, 'token'> | undefined> = {
  IAM_OWNER: await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']),
  ORG_OWNER: await makeCaller(container, orgId, ['ORG_OWNER']),
  ORG_USER_MANAGER: await makeCaller(container, orgId, ['ORG_USER_MANAGER']),
  ORG_USER_VIEWER: await makeCaller(container, orgId, ['ORG_USER_VIEWER']),
  IMPERSONATOR: await makeCaller(container, orgId, ['IMPERSONATOR']),
  'no role': await makeCaller(container, orgId),
  nobody: undefined,
  'a person without the scope': { token: tokens.access_token },
};

/** People with the same roles, who have just signed in. */
const people: Partial<Record<Column, Pick<Caller, 'token'>>> = {
  IAM_OWNER: await makeAdministrator({ container, call }, await makeOrganization(container), {
    roles: ['IAM_OWNER'],
  }),
};
for (const role of ['ORG_OWNER', 'ORG_USER_MANAGER', 'ORG_USER_VIEWER', 'IMPERSONATOR'] as const)
  people[role] = await makeAdministrator({ container, call }, organization, { roles: [role] });
people['no role'] = await makeAdministrator({ container, call }, organization);

const permissionMissing = 'tokens.permissionMissing';
const organizationNotFound = 'directory.organizationNotFound';

const operations = await apiOperations(app);

t.test('the table names every operation, and no other', async (t) => {
  const published = operations.map(({ id }) => id).filter((id) => !ofClients.includes(id));
  t.same(
    published.filter((id) => !kindOf.has(id)),
    [],
    'say in the table who may call these',
  );
  t.same(
    [...kindOf.keys()].filter((id) => !published.includes(id)),
    [],
    'these are no more',
  );
});

t.test('every route is in the document, or is a page', async (t) => {
  const published = operations.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, ':')}`);
  const served = registeredRoutes(app);
  // test/integration/console/every-page.test.ts calls every page of the console.
  const others = served.filter(
    (route) => !published.includes(route) && !/ \/(console.*|favicon\.ico)?$/.test(route),
  );
  const refused = others.filter((route) => / \/scim\//.test(route));
  t.same(
    others.filter((route) => !refused.includes(route)).sort(),
    [...ofPages].sort(),
    'publish a new route, or name it as a page',
  );
  t.same(
    published.filter((route) => !served.includes(route)),
    [],
    'what is published is served',
  );
  t.ok(refused.length > 10);
  for (const route of refused) {
    const [method, path = ''] = route.split(' ');
    const answer = await app.inject({
      method: method as 'GET',
      url: path.replace(':', orgId).replaceAll(':', 'x'),
      headers: { authorization: `Bearer ${callers.ORG_OWNER?.token}` },
    });
    const expected = path.endsWith('/Me') ? 501 : 405;
    t.equal(answer.statusCode, expected, `${route} only says that it is not for this`);
  }
});

for (const operation of operations) {
  const kind = kindOf.get(operation.id);
  if (kind === undefined) continue;
  t.test(`${operation.id} (${kind})`, async (t) => {
    const unknown = placeholders(operation).map((name) => [name, `unknown-${name}`]);
    const address = addressOf(operation, { ...Object.fromEntries(unknown), orgId });
    const outcomesOf = async (as: Pick<Caller, 'token'> | undefined) => {
      const answer = await app.inject({
        method: operation.method as 'GET',
        url: address,
        headers: { ...(as && { authorization: `Bearer ${as.token}` }) },
        ...(operation.body && { payload: {} }),
      });
      return outcomeOf(answer.statusCode, answer.payload);
    };
    const outcomes: Record<string, unknown> = {};
    const expected: Record<string, Outcome | undefined> = {};
    for (const [at, column] of columns.entries()) {
      expected[column] = kinds[kind][at];
      outcomes[column] = await outcomesOf(callers[column]);
      const person = people[column];
      if (person === undefined) continue;
      expected[`${column}, a person`] = kinds[kind][at];
      outcomes[`${column}, a person`] = await outcomesOf(person);
    }
    t.same(outcomes, expected);
  });
}

function outcomeOf(status: number, text: string): Outcome | string {
  if (status === 401) return 401;
  if (status === 403 && text.includes('tokens.adminScopeMissing')) return 'no scope';
  if (status === 403) return text.includes(permissionMissing) ? 403 : `403 but ${text}`;
  if (status === 404 && text.includes(organizationNotFound)) return 'no such organization';
  return status < 500 ? 'allowed' : `${status} ${text}`;
}
