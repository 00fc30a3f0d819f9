import { leavesOf } from './count-losses.js';
import type { Expected, Json, Source } from './sample.js';

/**
 * Realms of Keycloak, as facts: who is in them, with which credentials, roles and groups, and which other members the file has. The values of
 * these other members are left out.
 */

/** A realm whose people are those of a published file. */
export interface KeycloakRealm {
  readonly source: Source;
  readonly realm: string;
  /** The members of the realm that are about neither people nor groups. Each is lost. */
  readonly settings: string;
  readonly groups?: readonly Json[];
  readonly users: readonly Json[];
  /** Passwords whose hashes stand in the file. The project names them. */
  readonly passwords?: Readonly<Record<string, string>>;
  /** The people who have neither a password nor a verified address. */
  readonly refused?: readonly string[];
}

/** All people of a realm are here, and the names of its other members. */
const ofRealm = { licence: 'Apache-2.0', isWhole: false };
const quickstarts = (file: string): Source => ({
  project: 'keycloak/keycloak-quickstarts',
  file,
  ...ofRealm,
});
const keycloak = (file: string): Source => ({ project: 'keycloak/keycloak', file, ...ofRealm });
const suite = 'testsuite/integration-arquillian/tests/base/src/test/resources';

const clear = (value: string) => [{ type: 'password', value }];
const ofAccount = { account: ['view-profile', 'manage-account'] };

/** A password as Keycloak wrote it before version 8. */
const oldHash = (hashedSaltedValue: string, salt: string, more: Json) => [
  { type: 'password', hashedSaltedValue, salt, counter: 0, digits: 0, ...more },
];

/** A password as Keycloak has written it since version 8. */
const newHash = (value: string, salt: string, more: Json = {}) => [
  {
    type: 'password',
    secretData: JSON.stringify({ value, salt }),
    credentialData: JSON.stringify({ hashIterations: 27_500, algorithm: 'pbkdf2-sha256' }),
    ...more,
  },
];

/** A person with a name, a password that is the name, and roles. */
const bare = (username: string, realmRoles: readonly string[]) => ({
  username,
  enabled: true,
  credentials: clear(username),
  realmRoles,
});

/** The account of a client. */
const ofClient = (client: string, more: Json = {}) => ({
  username: `service-account-${client}`,
  enabled: true,
  serviceAccountClientId: client,
  clientRoles: { [client]: ['uma_protection'] },
  ...more,
});

/** Somebody of `examples-realm.json`. */
const exampleUser = (id: string, createdTimestamp: number, [first, last]: [string, string], more: Json) => ({
  id,
  createdTimestamp,
  username: `${first.toLowerCase()}-${last.toLowerCase()}`,
  enabled: true,
  totp: false,
  emailVerified: false,
  firstName: first,
  lastName: last,
  email: `${first.toLowerCase()}@${last.toLowerCase()}.com`,
  clientRoles: ofAccount,
  ...more,
});

/** Somebody of `photoz-realm.json`. */
const photographer = (
  username: string,
  domain: string,
  [firstName, lastName]: [string, string],
  more: Json,
) => ({
  username,
  enabled: true,
  email: `${username}@${domain}`,
  firstName,
  lastName,
  credentials: clear(username),
  clientRoles: { 'photoz-restful-api': ['manage-albums'], account: ['manage-account'] },
  ...more,
});

/** Somebody of `fine-grain-demo.json`. */
const seller = (
  id: string,
  createdTimestamp: number,
  username: string,
  [hash, salt, at]: [string, string, number],
  more: Json,
) => ({
  id,
  createdTimestamp,
  username,
  enabled: true,
  totp: false,
  emailVerified: false,
  credentials: oldHash(hash, salt, {
    hashIterations: 27_500,
    algorithm: 'pbkdf2-sha256',
    period: 0,
    createdDate: at,
  }),
  disableableCredentialTypes: ['password'],
  realmRoles: ['uma_authorization', 'offline_access'],
  clientRoles: ofAccount,
  notBefore: 0,
  ...more,
});

/** Somebody of `migration-realm-26.6.0.json`. */
const migrated = (id: string, createdTimestamp: number, username: string, more: Json = {}) => ({
  id,
  createdTimestamp,
  username,
  emailVerified: false,
  enabled: true,
  totp: false,
  credentials: [],
  requiredActions: [],
  realmRoles: ['uma_authorization', 'offline_access'],
  clientRoles: ofAccount,
  notBefore: 0,
  groups: [],
  ...more,
});

/** Somebody of `testrealm.json` of the test suite. */
const tester = (username: string, more: Json = {}) => ({
  username,
  enabled: true,
  email: username,
  credentials: clear('password'),
  realmRoles: ['user'],
  clientRoles: { 'test-app': ['customer-user'], ...ofAccount },
  ...more,
});
const inGroup = (username: string, email: string, group: string, more: Json = {}) => ({
  username,
  enabled: true,
  email,
  credentials: clear('password'),
  groups: [group],
  ...more,
});

/** Somebody of `kafka-authz-realm.json`. */
const ofTeam = (username: string, [hash, salt]: [string, string], group: string) => ({
  username,
  enabled: true,
  totp: false,
  emailVerified: true,
  firstName: `${username[0]?.toUpperCase()}${username.slice(1)}`,
  email: `${username}@strimzi.io`,
  credentials: newHash(hash, salt),
  realmRoles: ['offline_access', 'uma_authorization'],
  clientRoles: ofAccount,
  groups: [group],
});

const billBurke = {
  username: 'bburke@redhat.com',
  enabled: true,
  email: 'bburke@redhat.com',
  credentials: clear('password'),
};

export const keycloakRealms: readonly KeycloakRealm[] = [
  {
    source: quickstarts('examples-realm.json'),
    realm: 'Examples',
    settings:
      'id notBefore revokeRefreshToken accessTokenLifespan ssoSessionIdleTimeout accessCodeLifespan enabled sslRequired registrationAllowed privateKey publicKey certificate codeSecret roles defaultRoles requiredCredentials otpPolicyType otpPolicyAlgorithm otpPolicyInitialCounter otpPolicyDigits otpPolicyLookAheadWindow otpPolicyPeriod clientScopeMappings clients',
    users: [
      exampleUser('5c961fa6-c93f-4d95-b620-3abf74730b10', 1_449_782_544_215, ['Admin', 'User'], {
        credentials: oldHash(
          'nP2DTe9zXzvuzn4deQhmEqA7eKNs14tdMSaZgfdCHBmWm7mX5DHK/7C6rXjx7BZnE3uzDXKDjZsb2eQFixw9QA==',
          'uP98vzC7rZadMl1oB1YESg==',
          { hashIterations: 1 },
        ),
        realmRoles: ['offline_access', 'user', 'admin'],
      }),
      exampleUser('5a5e3de6-8bbb-4a6f-b2f4-df2a39f46e4e', 1_449_782_197_314, ['Secure', 'User'], {
        credentials: oldHash(
          'Fu+o7j8wZZE4XyR6hRxAX0v3GM8Lzrt4bHVjSCpY86o/RP5tAhBMZsLEM8iZ97eOazKTzdofj2v8qnjpOIldJg==',
          '306EQU1PC5oVl/+j9XAqrg==',
          { hashIterations: 1 },
        ),
        realmRoles: ['offline_access', 'user'],
      }),
    ],
    passwords: { 'admin-user': 'password', 'secure-user': 'password' },
  },
  {
    source: quickstarts('app-authz-uma-photoz/photoz-realm.json'),
    realm: 'photoz',
    settings:
      'enabled userManagedAccessAllowed sslRequired privateKey publicKey requiredCredentials roles clients',
    users: [
      photographer('alice', 'keycloak.org', ['Alice', 'In Chains'], {
        realmRoles: ['user', 'uma_authorization'],
      }),
      photographer('jdoe', 'keycloak.org', ['John', 'Doe'], { realmRoles: ['user', 'uma_authorization'] }),
      photographer('admin', 'admin.com', ['Admin', 'Istrator'], {
        realmRoles: ['admin', 'uma_authorization'],
        clientRoles: {
          'realm-management': ['realm-admin'],
          'photoz-restful-api': ['manage-albums'],
          account: ['manage-account'],
        },
      }),
      ofClient('photoz-restful-api', { email: 'service-account-photoz-restful-api@placeholder.org' }),
    ],
  },
  {
    source: quickstarts('jakarta/servlet-authz-client/config/realm-import.json'),
    realm: 'quickstart',
    settings: 'enabled requiredCredentials roles clients',
    users: [
      bare('alice', ['user']),
      bare('jdoe', ['user', 'user_premium']),
      bare('admin', ['user', 'admin']),
      ofClient('jakarta-servlet-authz-client'),
    ],
  },
  {
    source: quickstarts('spring/rest-authz-resource-server/config/realm-import.json'),
    realm: 'quickstart',
    settings: 'enabled requiredCredentials roles clients',
    users: [bare('alice', ['user']), bare('jdoe', ['user', 'user_premium']), ofClient('authz-servlet')],
  },
  {
    source: quickstarts('app-authz-rest-employee/src/test/resources/quickstart-realm.json'),
    realm: 'spring-boot-quickstart',
    settings: 'enabled privateKey publicKey requiredCredentials roles clients',
    users: [
      bare('alice', ['user']),
      bare('jdoe', ['user', 'people-manager']),
      ofClient('app-authz-rest-employee'),
    ],
  },
  {
    source: quickstarts('jakarta/servlet-saml-service-provider/config/realm-import.json'),
    realm: 'quickstart',
    settings: 'enabled roles clients',
    users: [
      {
        username: 'alice',
        enabled: true,
        email: 'alice@keycloak.org',
        firstName: 'Alice',
        lastName: 'Liddel',
        credentials: clear('alice'),
        realmRoles: ['user', 'offline_access'],
        clientRoles: { account: ['manage-account'] },
      },
    ],
  },
  {
    source: quickstarts('fine-grain-admin-permissions/fine-grain-demo.json'),
    realm: 'fine-grain-demo',
    settings:
      'id notBefore revokeRefreshToken refreshTokenMaxReuse accessTokenLifespan enabled sslRequired roles defaultRoles requiredCredentials otpPolicyType clients',
    groups: [{ id: '288f4c26-5889-48d0-8103-4716134ba876', name: 'sales', path: '/sales' }],
    users: [
      seller(
        '018dd39b-d5e8-4dcc-add3-870d19a84294',
        1_511_213_805_851,
        'joe',
        [
          '2L6opBjRnZ1PrpdNOlqlRTscnqodceGXWUD1bMwgrvFtjAxEWFzZyfWhPdnWIUGg1yg8N+ZC2PCrVceaEhXohQ==',
          'JhYa3osKt8c3RRGuwjtcdQ==',
          1_511_216_602_647,
        ],
        { groups: ['/sales'] },
      ),
      seller(
        '9a4cc411-30ab-4889-a31b-141e1ea0ae13',
        1_511_213_813_392,
        'mary',
        [
          'zSczh1RBN9nDHohaSVqwoRp2tQbd4v6ZICZAW6YXHjEvqSwsPMY2GMYdFrC0zKL0lDBc/RV5ixGVmcOEeH6ypw==',
          'Yi8zBDcH9QHcMDpDImbOdQ==',
          1_511_216_617_716,
        ],
        { groups: ['/sales'] },
      ),
      seller(
        'ea3dc8f5-1d95-45dc-bfd0-5424bfa4d0e8',
        1_511_216_183_442,
        'sales-admin',
        [
          'OdBWPSyhP1gv0Wroo7YnaFTEbiNRk6ukrFRYS0j4V56u7nw8OntY0mS0CxXtFFIlR0+wdRWHuyWUbJDLZy/8IA==',
          'uucypfuVeBnud2ojZaif0w==',
          1_511_216_193_094,
        ],
        { groups: ['/sales'], clientRoles: { 'sales-application': ['admin'], ...ofAccount } },
      ),
      seller(
        '32e2a2ab-dc37-431d-a2bd-fcdc66d1f996',
        1_511_213_259_533,
        'sales-manager',
        [
          '8bR4FRu/dFulHAdKnIQIhVrm7a7Hbic0jguKIdm7jNckPsKIIY5vS4JC2RTwxbkwVDZA3ko9SrwJBJMP7ZL9gw==',
          'N7kijOX1PQx7AIysz+EI2A==',
          1_511_213_960_633,
        ],
        { clientRoles: { 'realm-management': ['query-users'], ...ofAccount } },
      ),
      seller(
        'ee81293c-086a-42f7-9b5b-809ee470f4e9',
        1_511_216_319_617,
        'tom',
        [
          'epativ4hi0UvvdwqhVqDDv0AANXKWuA1aVb8QCDp7rwpjvgfN49c4UlLn36ZizK+ZYK5JzueFshTBQxqkuI2dQ==',
          '9bcgmmqOkLD5v4/bWn6IMg==',
          1_511_216_330_217,
        ],
        {},
      ),
    ],
    passwords: { joe: 'password' },
  },
  {
    source: keycloak(`${suite}/model/testrealm.json`),
    realm: 'test-realm',
    settings:
      'enabled accessTokenLifespan requiredCredentials defaultRoles verifyEmail smtpServer identityProviders userFederationProviders userFederationMappers clients',
    groups: ['A B', 'C D'].map((names) => {
      const [outer, inner] = names.split(' ').map((letter) => `Group ${letter}`);
      const attributes = { level2Attribute: ['true'] };
      const subGroups = [{ name: inner, path: `/${outer}/${inner}`, attributes, subGroups: [] }];
      return { name: outer, path: `/${outer}`, attributes: { topAttribute: ['true'] }, subGroups };
    }),
    users: [
      {
        username: 'wburke',
        enabled: true,
        createdTimestamp: 123_654,
        notBefore: 159,
        attributes: { email: 'bburke@redhat.com' },
        credentials: clear('userpassword'),
        applicationRoles: { Application: ['app-user'], OtherApp: ['otherapp-user'] },
      },
      {
        username: 'loginclient',
        createdTimestamp: '123655',
        enabled: true,
        credentials: clear('clientpassword'),
      },
      {
        username: 'admin',
        enabled: true,
        attributes: { key1: ['val1'], key2: ['val21', 'val22'] },
        credentials: clear('adminpassword'),
        realmRoles: ['admin'],
        applicationRoles: { Application: ['app-admin'], OtherApp: ['otherapp-admin'] },
        clientConsents: [
          {
            clientId: 'Application',
            grantedRealmRoles: ['offline_access'],
            grantedClientRoles: { Application: ['app-admin'] },
          },
          {
            clientId: 'OtherApp',
            grantedRealmRoles: ['admin'],
            grantedProtocolMappers: { 'openid-connect': ['gss delegation credential'] },
          },
        ],
      },
      {
        username: 'mySocialUser',
        enabled: true,
        federatedIdentities: [
          { identityProvider: 'facebook1', userId: 'facebook1', userName: 'fbuser1' },
          { identityProvider: 'twitter1', userId: 'twitter1', userName: 'twuser1' },
          { identityProvider: 'google1', userId: 'google1', userName: 'mySocialUser@gmail.com' },
        ],
      },
      { username: 'my-service-user', enabled: true, serviceAccountClientId: 'OtherApp' },
    ],
    refused: ['mySocialUser'],
  },
  {
    source: keycloak(`${suite}/model/testrealm2.json`),
    realm: 'demo-delete',
    settings:
      'enabled accessTokenLifespan sslRequired privateKey publicKey requiredCredentials roles scopeMappings applications oauthClients',
    users: [
      {
        ...billBurke,
        firstName: 'Bill',
        lastName: 'Burke',
        realmRoles: ['user'],
        applicationRoles: { account: ['manage-account'] },
      },
    ],
  },
  {
    source: keycloak(`${suite}/model/testrealm-noclient-id.json`),
    realm: 'demo-no-client-id',
    settings:
      'enabled accessTokenLifespan sslRequired privateKey publicKey requiredCredentials roles scopeMappings clients clientScopeMappings',
    // Keycloak does not know this type of a credential either.
    users: [{ ...billBurke, credentials: [{ type: 'Password', value: 'password' }], realmRoles: ['user'] }],
    refused: ['bburke@redhat.com'],
  },
  {
    source: keycloak('examples/as7-eap-demo/testrealm.json, as of the first alpha version'),
    realm: 'demo',
    settings:
      'enabled tokenLifespan accessCodeLifespan accessCodeLifespanUserAction sslNotRequired cookieLoginAllowed registrationAllowed social automaticRegistrationAfterSocialLogin privateKey publicKey requiredCredentials requiredApplicationCredentials requiredOAuthClientCredentials defaultRoles roles roleMappings scopeMappings applications',
    users: [
      {
        username: 'bburke@redhat.com',
        status: 'ENABLED',
        attributes: { email: 'bburke@redhat.com' },
        credentials: clear('password'),
      },
      { username: 'third-party', status: 'ENABLED', credentials: clear('password') },
      { username: 'admin', enabled: true, credentials: clear('admin') },
      { username: 'manager', enabled: true, credentials: clear('manager') },
    ],
  },
  {
    source: keycloak('examples/basic-auth/basicauthrealm.json'),
    realm: 'basic-auth',
    settings:
      'enabled accessTokenLifespan sslRequired registrationAllowed privateKey publicKey requiredCredentials roles clients',
    users: [
      {
        username: 'admin',
        enabled: true,
        email: 'admin@admin.com',
        firstName: 'Admin',
        lastName: 'Burke',
        credentials: clear('password'),
        realmRoles: ['user', 'admin'],
        clientRoles: { 'realm-management': ['realm-admin'] },
      },
    ],
  },
  {
    source: keycloak('examples/broker/saml-broker-authentication/saml-broker-realm.json'),
    realm: 'saml-broker-realm',
    settings: 'enabled sslRequired privateKey publicKey defaultRoles roles clients',
    users: [
      {
        username: 'user',
        enabled: true,
        email: 'user@saml-broker-realm',
        firstName: 'User',
        lastName: 'SAML',
        credentials: clear('password'),
      },
    ],
  },
  {
    source: keycloak(`${suite}/migration-test/migration-realm-26.6.0.json`),
    realm: 'Migration',
    settings: 'id notBefore roles defaultRole requiredCredentials otpPolicyType scopeMappings clients',
    groups: [
      {
        id: '69a9acb5-68eb-405c-9717-3d2fab0d6e6e',
        name: 'migration-test-group',
        path: '/migration-test-group',
      },
    ],
    users: [
      migrated('08420acf-d86f-4eba-8a69-73e7da43c668', 1_779_110_441_255, 'consent-user', {
        clientConsents: [
          {
            clientId: 'migration-consent-client',
            grantedClientScopes: ['roles', 'profile', 'email'],
            createdDate: 1_788_342_197_691,
            lastUpdatedDate: 1_788_342_197_694,
          },
        ],
      }),
      migrated('cf47dd8b-3719-449f-9892-bac9f8ae7ef7', 1_589_819_834_462, 'migration-test-user'),
      migrated('47611b1e-6e38-415f-99b1-8babab008505', 1_589_834_705_173, 'offline-test-user', {
        credentials: newHash(
          'kNwotFPNeuwelpT1HWt+E4ONXFK6wjd+h0zbzNBRGwOqacAjeY7vYN9QZQ46DlEKSdn04cEU/3RvX8WPcRegxg==',
          'rEIJDbs+BQqpx31v8mONWA==',
          { id: 'b22fe342-e3b6-4e31-a76c-7f7ffdeb83ab', createdDate: 1_570_002_786_025 },
        ),
      }),
    ],
    refused: ['consent-user', 'migration-test-user'],
  },
  {
    source: keycloak(`${suite}/testrealm.json`),
    realm: 'test',
    settings:
      'id enabled sslRequired registrationAllowed resetPasswordAllowed editUsernameAllowed privateKey publicKey requiredCredentials defaultRoles smtpServer scopeMappings clients roles clientScopeMappings',
    groups: ['topGroup', 'roleRichGroup'].map((name) => {
      const isRich = name === 'roleRichGroup';
      const inner = ['level2group', 'level2group2'].map((name) => ({
        name,
        attributes: { level2Attribute: ['true'] },
        realmRoles: ['admin'],
        clientRoles: {
          'test-app':
            isRich && name === 'level2group'
              ? ['customer-user', 'customer-admin-composite-role']
              : ['customer-user'],
        },
      }));
      return {
        name,
        attributes: { topAttribute: ['true'] },
        realmRoles: isRich ? ['user', 'realm-composite-role'] : ['user'],
        ...(isRich && { clientRoles: { account: ['manage-account'] } }),
        subGroups: inner,
      };
    }),
    users: [
      tester('test-user@localhost', {
        firstName: 'Tom',
        lastName: 'Brady',
        realmRoles: ['user', 'offline_access'],
      }),
      tester('john-doh@localhost', { firstName: 'John', lastName: 'Doh' }),
      tester('keycloak-user@localhost'),
      inGroup('topGroupUser', 'top@redhat.com', '/topGroup'),
      inGroup('level2GroupUser', 'level2@redhat.com', '/topGroup/level2group'),
      inGroup('roleRichUser', 'rich.roles@redhat.com', '/roleRichGroup/level2group', {
        clientRoles: { 'test-app-scope': ['test-app-allowed-by-scope', 'test-app-disallowed-by-scope'] },
      }),
      tester('non-duplicate-email-user', {
        email: 'non-duplicate-email-user@localhost',
        firstName: 'Brian',
        lastName: 'Cohen',
        realmRoles: ['user', 'offline_access'],
      }),
    ],
  },
  {
    source: {
      project: 'strimzi/strimzi-kafka-oauth',
      file: 'examples/docker/keycloak-import/realms/kafka-authz-realm.json',
      ...ofRealm,
    },
    realm: 'kafka-authz',
    settings:
      'accessTokenLifespan ssoSessionIdleTimeout ssoSessionMaxLifespan enabled sslRequired roles clients',
    groups: ['ClusterManager Group', 'ClusterManager-my-cluster Group', 'Ops Team Group'].map((name) => ({
      name,
      path: `/${name}`,
    })),
    users: [
      ofTeam(
        'alice',
        [
          'KqABIiReBuRWbP4pBct3W067pNvYzeN7ILBV+8vT8nuF5cgYs2fdl2QikJT/7bGTW/PBXg6CYLwJQFYrBK9MWg==',
          'EPgscX9CQz7UnuZDNZxtMw==',
        ],
        '/ClusterManager Group',
      ),
      ofTeam(
        'bob',
        [
          'QhK0uLsKuBDrMm9Z9XHvq4EungecFRnktPgutfjKtgVv2OTPd8D390RXFvJ8KGvqIF8pdoNxHYQyvDNNwMORpg==',
          'yxkgwEyTnCGLn42Yr9GxBQ==',
        ],
        '/ClusterManager-my-cluster Group',
      ),
      ofClient('team-a-client', { clientRoles: ofAccount, realmRoles: ['offline_access', 'Dev Team A'] }),
      ofClient('team-b-client', { clientRoles: ofAccount, realmRoles: ['offline_access', 'Dev Team B'] }),
    ],
    passwords: { alice: 'alice-password', bob: 'bob-password' },
  },
];

/** What comes of a user of Keycloak. The rest is lost. */
export const ofKeycloak = {
  nameBy: 'username',
  same: ['id', 'username', 'email', 'firstName', 'lastName'],
  other: [
    ...['enabled', 'status', 'emailVerified', 'createdTimestamp', 'groups[]'],
    ...['locale', 'gender', 'phone_number'].map((name) => `attributes.${name}[]`),
    ...['type', 'value', 'temporary', 'secretData', 'credentialData', 'hashedSaltedValue', 'salt']
      .concat('hashIterations', 'algorithm', 'counter', 'digits', 'period')
      .map((name) => `credentials[].${name}`),
    ...['identityProvider', 'userId', 'userName'].map((name) => `federatedIdentities[].${name}`),
  ],
} satisfies Expected;

/** A realm as its file has it. The values of its settings are left out. Each user has a line, the first of them line 2. */
export function realmText({ realm, settings, groups, users }: KeycloakRealm): string {
  const others = Object.fromEntries(settings.split(' ').map((name) => [name, true]));
  const before = JSON.stringify({ realm, ...others, ...(groups && { groups }) }).slice(0, -1);
  return `${before},"users":[\n${users.map((user) => JSON.stringify(user)).join(',\n')}\n]}`;
}

/** The people of a realm, and what is lost beside what they have: settings, accounts of clients, and properties of groups. */
export function countRealm(realm: Json): { records: Json[]; beside: Record<string, number> } {
  const {
    realm: _,
    users = [],
    groups = [],
    ...settings
  } = realm as { users?: Json[]; groups?: Json[] } & Json;
  const records = users.filter((user) => user['serviceAccountClientId'] === undefined);
  const beside: Record<string, number> = {};
  const add = (path: string) => {
    beside[path] = (beside[path] ?? 0) + 1;
  };
  for (const [name, value] of Object.entries(settings)) {
    if (leavesOf(value).length > 0) add(`(realm) ${name}`);
  }
  for (let left = users.length - records.length; left > 0; left--) add('(account of a client)');
  const addGroups = (all: readonly Json[]) => {
    for (const { id: _id, name: _name, path: _path, subGroups, ...more } of all) {
      for (const path of new Set(leavesOf(more).map(([path]) => `groups[].${path}`))) add(path);
      addGroups((subGroups ?? []) as readonly Json[]);
    }
  };
  addGroups(groups);
  return { records, beside };
}

/** The passwords of a realm that are known: those in plain text, and those that its project names. */
export function passwordsOf({
  users,
  passwords,
}: Pick<KeycloakRealm, 'users' | 'passwords'>): Record<string, string> {
  const inPlainText = users.flatMap(({ username, credentials }) =>
    ((credentials ?? []) as readonly Json[])
      .filter(({ type, value }) => type === 'password' && value !== undefined)
      .map(({ value }) => [String(username), String(value)] as const),
  );
  return { ...Object.fromEntries(inPlainText), ...passwords };
}
