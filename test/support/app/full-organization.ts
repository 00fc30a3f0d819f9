import { addMembership } from '#src/access/memberships/add-membership.js';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProject } from '#src/access/projects/add-project.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { linksByKey } from '#src/accounts/person-lists/index.js';
import { toBase32 } from '#src/accounts/totp.js';
import { requirePasswordChange } from '#src/authentication/require-password-change.js';
import { renewRecoveryCodes } from '#src/authentication/second-factor/renew-recovery-codes.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { addClientKey } from '#src/clients/change-credentials/client-keys.js';
import { addClientSecret } from '#src/clients/change-credentials/client-secrets.js';
import { newFederatedCredential } from '#src/clients/credentials/federated-credential.js';
import { addPersonalAccessToken } from '#src/clients/service-users/add-personal-access-token.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { writeServiceUser } from '#src/clients/service-users/write-service-user.js';
import { changeOrganization } from '#src/organizations/change-organization.js';
import { withSchema } from '#src/people/extension-schemas/extension-schema-rules.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { changeGroupRoles } from '#src/people/groups/change-group-roles.js';
import { setUserMetadata } from '#src/people/metadata/set-user-metadata.js';
import { newId } from '#src/platform/ids.js';
import type { Rooms } from '#src/rooms.js';
import { storeConnection } from '../oidc/connected.js';
import { badgeSchema } from '../scim/extension-schema.js';
import { testEditor as editor, makeOrganization, uniqueName } from './make.js';
import { giveTotp, makePerson } from './people.js';

/** An organization with at least one of every object that can be exported, and of every object that must not be. */
export async function makeFullOrganization(container: Rooms) {
  const { id: orgId } = await makeOrganization(container);
  const domain = `${orgId}.example`;
  const organization = await changeOrganization(container, {
    orgId,
    change: {
      domains: [domain, `b.${domain}`],
      unverifiedDomains: [`c.${domain}`],
      passwordPolicy: { minLength: 10 },
      login: {
        selfRegistration: true,
        verifyEmail: true,
        notifyNewBrowser: false,
        notifyChanges: false,
        notifyAdministration: false,
        logoUrl: 'https://logo.example/x.png',
        faviconUrl: 'https://logo.example/x.ico',
        brandColor: '#0a6b4f',
      },
      signInPolicy: {
        identifierFirst: true,
        firstFactors: ['password', 'passkey'],
        firstFactorsFrom: '2026-01-01',
        secondFactors: ['totp', 'passkey'],
        demands: [{ of: 'roles', acr: '2', from: '2090-01-01' }],
        breakGlassOwners: ['somebody-of-earlier'],
        rememberedBrowserDays: 30,
        sessionSeconds: 86_400,
        sessionIdleSeconds: 7200,
        refreshTokenSeconds: 604_800,
        refreshTokenIdleSeconds: 86_400,
        freshSignInSeconds: 600,
      },
      plainScimErrors: true,
      uniqueExternalId: true,
      extensionSchemas: withSchema({ schemas: [], lastKey: 0 }, badgeSchema),
    },
    editor,
  });

  const full = await makePerson(container, organization, {
    userName: uniqueName('full'),
    externalId: 'ext-1',
    clientExternalIds: [
      { serviceUserId: 'scim-client', value: 'own-1' },
      { serviceUserId: 'removed-client' },
    ],
    active: false,
    name: {
      givenName: 'Zoë "Z" \\ 😀',
      familyName: 'de\u00a0Vries',
      middleName: 'M',
      honorificPrefix: 'Dr.',
      honorificSuffix: 'III',
      formatted: 'Dr. Zoë de Vries',
    },
    displayName: 'Zoë',
    nickName: 'Z',
    profileUrl: 'https://people.example/zoe',
    website: 'https://zoe.example',
    birthdate: '0000-12-31',
    gender: 'female',
    title: 'Lead',
    employeeNumber: 'E-7',
    costCenter: '4130',
    organization: 'Museums',
    division: 'Art',
    department: 'Tours',
    manager: 'someone-later',
    extensions: {
      u1: 'B-7',
      s2: ['North', 'South'],
      s3: 3,
      a4: 1.5,
      a5: true,
      a6: '2027-01-31T10:00:00.000Z',
    },
    userType: 'Employee',
    preferredLanguage: 'nl',
    locale: 'nl-NL',
    timezone: 'Europe/Amsterdam',
    emails: [
      { value: 'zoe@home.example', type: 'home' },
      { value: 'zoe@work.example', type: 'work', primary: true },
    ],
    phoneNumbers: [
      { value: '+31 20 555', type: 'work', primary: true },
      { value: '+31 6 555', type: 'mobile' },
    ],
    ims: [{ value: 'zoe', type: 'xmpp' }],
    addresses: [{ type: 'work', locality: 'Amsterdam', country: 'NL', primary: true }],
    photos: [{ value: 'https://people.example/zoe.png', type: 'photo' }],
    roles: [{ value: 'r', display: 'R' }],
    entitlements: [{ value: 'e' }],
  });
  const totp = toBase32(await giveTotp(container, full));
  await renewRecoveryCodes(container, { orgId, id: full.id, editor });
  const plain = await makePerson(container, organization, {
    userName: uniqueName('plain'),
    preferredLanguage: 'en',
    password: null,
  });
  const registered = await makePerson(container, organization, {
    userName: uniqueName('registered'),
    emails: [{ value: 'registered@people.example', primary: true, verified: false }],
    phoneNumbers: [{ value: '+4930555', primary: true, verified: true }],
  });
  const bare = await makePerson(container, organization, {
    userName: uniqueName('bare'),
    name: {},
    emails: [],
  });
  await requirePasswordChange(container, { orgId, id: registered.id, editor });
  const password = (await container.accounts.find(orgId, full.id))?.password?.hash ?? '';

  const members = new Set([full.id, plain.id]);
  const group = await addGroup(container, {
    orgId,
    profile: { displayName: 'Team "Ä"', externalId: 'g-1' },
    members,
    editor,
  });
  await changeGroupRoles(container, { orgId, id: group.id, roles: ['ORG_USER_VIEWER'], editor });
  await addGroup(container, { orgId, profile: { displayName: 'Nobody' }, members: new Set(), editor });

  const machine = await addServiceUser(container, {
    orgId,
    userName: uniqueName('machine'),
    description: 'Provisions',
    ignorePasswordOnCreate: true,
    ignorePasswords: true,
    plainScimErrors: true,
    editor,
  });
  const owned = { orgId, userId: machine.id, editor };
  const machineTarget = { kind: 'serviceUser', orgId, id: machine.id, editor } as const;
  const { clientSecret: machineSecret } = await addClientSecret(container, machineTarget);
  const { token } = await addPersonalAccessToken(container, owned);
  const machineKey = await addClientKey(container, machineTarget, {
    expires: new Date(Date.now() + 3_600_000),
  });
  const trust = newFederatedCredential(
    {
      issuer: 'https://issuer.example/',
      subject: 'repo:acme/shop:ref:refs/heads/main',
      audience: 'api://shop',
      label: 'Builds',
    },
    { now: new Date(), thisIssuer: container.config.baseUrl },
  );
  // Written as it is: the issuer is not on the network of a test.
  await writeServiceUser(container, machineTarget, (current) => ({
    next: { ...current, federatedCredentials: [trust] },
    happened: [['user.machine.federatedCredential.added', { credentialId: trust.id }]],
  }));
  const secretHash = (await container.serviceUsers.find(orgId, machine.id))?.secrets[0]?.hash ?? '';

  const project = await addProject(container, { orgId, name: 'Shop', editor });
  await addProject(container, { orgId, name: 'Empty', audienceOrgIds: ['another-org'], editor });
  const target = { orgId, id: project.id, editor };
  await addProjectRole(container, target, { key: 'reader', displayName: 'Reader', group: 'people' });
  await addProjectRole(container, target, { key: 'admin' });
  const web = await addApplication(container, {
    orgId,
    settings: {
      name: 'Web',
      type: 'web',
      projectId: project.id,
      redirectUris: ['https://shop.example/callback'],
      postLogoutRedirectUris: ['https://shop.example/'],
      orgOnly: false,
      strictAuthMethod: true,
      idTokenSignedResponseAlg: 'EdDSA',
    },
    editor,
  });
  const api = await addApplication(container, {
    orgId,
    settings: { name: 'API', type: 'api', projectId: project.id, authMethod: 'private_key_jwt' },
    editor,
  });
  const apiKey = await addClientKey(
    container,
    { kind: 'application', orgId, id: api.application.id, editor },
    { algorithm: 'ES256' },
  );
  const inProject = { orgId, projectId: project.id, editor };
  for (const holderId of [full.id, plain.id]) {
    await addAssignment(container, { ...inProject, kind: 'grant', holderId, roles: ['reader', 'admin'] });
  }
  await addAssignment(container, {
    ...inProject,
    kind: 'groupGrant',
    holderId: group.id,
    roles: ['reader', 'admin'],
  });
  await addAssignment(container, {
    ...inProject,
    kind: 'member',
    holderId: machine.id,
    roles: ['PROJECT_OWNER'],
  });
  for (const role of ['ORG_USER_VIEWER', 'ORG_OWNER'] as const) {
    await addMembership(container, { userId: machine.id, role, orgId, editor });
  }
  await addMembership(container, { userId: full.id, role: 'ORG_USER_MANAGER', orgId, editor });
  for (const [key, userId] of [
    ['b', full.id],
    ['a', full.id],
    ['a', machine.id],
  ] as const) {
    await setUserMetadata(container, { orgId, userId, key, value: 'AAEC/w==', editor });
  }
  const now = new Date();
  const connection = await storeConnection(container, orgId, {
    ...{ name: 'Full', domains: [domain], creation: 'create', strength: 'claimed' },
    // An import switches no connection on.
    enabled: false,
    claims: { givenName: 'given_name', email: 'email' },
    linking: { provisionedBy: machine.id, identifierClaim: 'oid', byDomain: true, byPerson: true },
    mapping: {
      when: 'always',
      values: [{ to: 'title', from: ['job', 'role'], constant: 'Staff', lowerCase: true }],
      groups: [{ claim: 'groups', value: 'a-1', groupId: group.id }],
    },
  });
  const items = linksByKey([
    { provider: 'github', subject: '42', name: 'full' },
    { connectionId: connection.id, subject: 'full at its provider' },
  ]);
  const list = { id: newId(), orgId, userId: full.id, items, version: 1, created: now, lastModified: now };
  await container.mongo.transaction((transaction) =>
    container.identityLinks.insert(orgId, [list], transaction),
  );
  return {
    orgId,
    group,
    people: { full, plain, registered, bare },
    machine,
    project,
    connection,
    web: web.application,
    api: api.application,
    /** The private key with which the API authenticates. */
    apiKey: apiKey.privateJwk ?? {},
    trust,
    /** Values that an export contains only on request. */
    hashes: { password, secretHash },
    totp,
    /** Values that no export contains. */
    secrets: [
      token,
      machineSecret ?? '',
      web.clientSecret ?? '',
      machineKey.privateJwk?.d ?? '',
      apiKey.privateJwk?.d ?? '',
    ],
  };
}
