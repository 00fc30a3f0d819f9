import { firebaseExport, firebaseParameters, firebasePassword } from '../exports.js';
import type { Expected, Json, Source } from './sample.js';

/**
 * People whom the documentation of other systems shows, as facts: the names and values of their members. Sentences are left out, and so are
 * values that name nobody.
 */

/** A sample of a system other than Keycloak. */
export interface Peer extends Expected {
  readonly system: string;
  readonly source: Source;
  readonly records: readonly Json[];
  /** What stands around the list of records in the file. Without it each record has a line. */
  readonly around?: readonly [before: string, after: string];
  /** The names of the columns, if the file is a table. */
  readonly columns?: readonly string[];
  /** Whether the file is LDIF. Each record then is an entry. */
  readonly isLdif?: boolean;
  /** What stands in the file beside people, and the paths under which it is lost. */
  readonly beside?: { readonly records: readonly Json[]; readonly lost: Readonly<Record<string, number>> };
  /** Options of the conversion. */
  readonly options?: {
    readonly emailVerified?: boolean;
    readonly hashParameters?: string;
    readonly map?: string;
  };
  /** The passwords that the documentation tells, by login name. */
  readonly passwords?: Readonly<Record<string, string>>;
  /** The path under which a value of the records is lost, if it has another name there. */
  readonly lostAs?: (path: string) => string;
  /** What each note is about, in words of its text. */
  readonly notes?: readonly string[];
}

const noHash = 'HASH-MISSING';
const inPlainText = JSON.stringify({ rules: { clearPasswords: 'exempt' } });

const okta: Peer = {
  system: 'okta',
  source: {
    project: 'developer.okta.com',
    file: 'docs/api, Users, List all users',
    licence: 'all rights reserved: facts alone',
    isWhole: false,
  },
  options: { emailVerified: true },
  records: [
    {
      id: '00u118oQYT4TBGuay0g4',
      status: 'ACTIVE',
      created: '2022-04-04T15:56:05.000Z',
      activated: null,
      statusChanged: null,
      lastLogin: '2022-05-04T19:50:52.000Z',
      lastUpdated: '2022-05-05T18:15:44.000Z',
      passwordChanged: '2022-04-04T16:00:22.000Z',
      type: { id: 'oty1162QAr8hJjTaq0g4' },
      profile: {
        firstName: 'Alice',
        lastName: 'Smith',
        mobilePhone: null,
        secondEmail: null,
        login: 'alice.smith@example.com',
        email: 'alice.smith@example.com',
      },
      credentials: { password: {}, provider: { type: 'OKTA', name: 'OKTA' } },
      _links: { self: { href: 'http://your-subdomain.okta.com/api/v1/users/00u118oQYT4TBGuay0g4' } },
    },
    {
      id: '00ub0oNGTSWTBKOLGLNR',
      status: 'ACTIVE',
      created: '2013-06-24T16:39:18.000Z',
      activated: '2013-06-24T16:39:19.000Z',
      statusChanged: '2013-06-24T16:39:19.000Z',
      lastLogin: '2013-06-24T17:39:19.000Z',
      lastUpdated: '2013-07-02T21:36:25.344Z',
      passwordChanged: '2013-07-02T21:36:25.344Z',
      profile: {
        firstName: 'Isaac',
        lastName: 'Brock',
        email: 'isaac.brock@example.com',
        login: 'isaac.brock@example.com',
        mobilePhone: '555-415-1337',
      },
      credentials: {
        password: {},
        recovery_question: { question: '?' },
        provider: { type: 'OKTA', name: 'OKTA' },
      },
      _links: { self: { href: 'https://your-subdomain.okta.com/api/v1/users/00ub0oNGTSWTBKOLGLNR' } },
    },
  ],
  around: ['[', ']'],
  nameBy: 'profile.login',
  same: [
    ...['id', 'profile.firstName', 'profile.lastName', 'profile.login', 'profile.email'],
    'profile.mobilePhone',
  ],
  other: ['status', 'created', 'lastUpdated'],
};

const cognitoUser: Peer = {
  system: 'cognito',
  source: {
    project: 'AWS CLI Command Reference',
    file: 'cognito-idp/list-users.html',
    licence: 'CC-BY-SA-4.0',
    isWhole: true,
  },
  records: [
    {
      Username: '22704aa3-fc10-479a-97eb-2af5806bd327',
      Enabled: true,
      UserStatus: 'FORCE_CHANGE_PASSWORD',
      UserCreateDate: 1_548_089_817.683,
      UserLastModifiedDate: 1_548_089_817.683,
      Attributes: [
        { Name: 'sub', Value: '22704aa3-fc10-479a-97eb-2af5806bd327' },
        { Name: 'email_verified', Value: 'true' },
        { Name: 'email', Value: 'mary@example.com' },
      ],
    },
  ],
  around: ['{"Users":[', ']}'],
  nameBy: 'Username',
  same: ['Username', 'Attributes[].Value'],
  other: ['Enabled', 'UserCreateDate', 'UserLastModifiedDate', 'Attributes[].Name'],
};

const cognitoTable: Peer = {
  system: 'cognito',
  source: {
    project: 'Amazon Cognito Developer Guide',
    file: 'cognito-user-pools-using-import-tool.html',
    licence: 'CC-BY-SA-4.0',
    isWhole: true,
  },
  columns: [
    ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
    ...['picture', 'website', 'email', 'email_verified', 'gender', 'birthdate', 'zoneinfo', 'locale'],
    ...['phone_number', 'phone_number_verified', 'address', 'updated_at', 'cognito:mfa_enabled'],
    'cognito:username',
  ],
  records: [
    {
      name: 'John',
      email: 'johndoe@example.com',
      email_verified: 'TRUE',
      birthdate: '02/01/1985',
      phone_number: '+12345550100',
      phone_number_verified: 'TRUE',
      address: '123 Any Street',
      'cognito:mfa_enabled': 'FALSE',
      'cognito:username': 'johndoe',
    },
    {
      name: 'Jane',
      email: 'janeroe@example.com',
      email_verified: 'TRUE',
      birthdate: '01/01/1985',
      phone_number: '+12345550199',
      phone_number_verified: 'TRUE',
      address: '100 Main Street',
      'cognito:mfa_enabled': 'FALSE',
      'cognito:username': 'janeroe',
    },
  ],
  nameBy: 'cognito:username',
  same: ['name', 'email', 'phone_number', 'cognito:username'],
  // Somebody without a second factor has none in the body.
  other: ['email_verified', 'phone_number_verified', 'cognito:mfa_enabled'],
  lostAs: (column) => `Attributes.${column}`,
  notes: ['birthdate', 'birthdate'],
};

const firebase: Peer = {
  system: 'firebase',
  source: {
    project: 'firebase.google.com/docs/cli/auth, and firebase/scrypt for the hash',
    file: 'JSON of auth:export',
    licence: 'CC-BY-4.0, Apache-2.0',
    isWhole: false,
  },
  options: { hashParameters: firebaseParameters },
  records: [
    {
      localId: '5TqIZkDxbiP8jYhTtfTbgvkU5Jd2',
      email: 'user@example.com',
      emailVerified: false,
      passwordHash: firebaseExport.users[0]?.passwordHash,
      salt: firebaseExport.users[0]?.salt,
      displayName: 'A User',
      photoUrl: 'https://example.com/p.png',
      lastSignedInAt: '1486324027000',
      createdAt: '1486324027000',
      phoneNumber: '+11234567890',
      disabled: false,
      customAttributes: '{"admin":true}',
      providerUserInfo: [
        {
          providerId: 'google.com',
          rawId: '123',
          email: 'user@example.com',
          displayName: 'A User',
          photoUrl: 'https://example.com/p.png',
        },
        { providerId: 'facebook.com', rawId: '456', displayName: 'A User' },
      ],
    },
    {
      localId: 'anonymous-1',
      lastSignedInAt: '1486324027000',
      createdAt: '1486324027000',
      providerUserInfo: [],
    },
  ],
  around: ['{"users":[', ']}'],
  nameBy: 'localId',
  refused: { 'anonymous-1': noHash },
  passwords: { 'user@example.com': firebasePassword },
  same: ['localId', 'email', 'displayName', 'photoUrl', 'phoneNumber'],
  other: [
    ...['emailVerified', 'passwordHash', 'salt', 'createdAt', 'disabled'],
    ...['providerUserInfo[].providerId', 'providerUserInfo[].rawId', 'providerUserInfo[].email'],
  ],
};

const kratosDate = '2022-01-01T00:00:00Z';
const kratosDates = { created_at: kratosDate, updated_at: kratosDate };
const kratos: Peer = {
  system: 'kratos',
  source: {
    project: 'ory/docs',
    file: 'docs/kratos/manage-identities/25_import-user-accounts-identities.mdx, in the form of GET /admin/identities',
    licence: 'Apache-2.0',
    isWhole: false,
  },
  records: [
    {
      id: '954b2d40-1cf1-4f71-a1d4-2b8f4d1b5d4b',
      credentials: {
        oidc: {
          type: 'oidc',
          identifiers: ['github:123'],
          config: { providers: [{ subject: '123', provider: 'github' }] },
          version: 0,
          ...kratosDates,
        },
        password: {
          type: 'password',
          identifiers: ['docs@example.org'],
          config: { hashed_password: '$2a$10$ZsCsoVQ3xfBG/K2z2XpBf.tm90GZmtOqtqWcB5.pYd5Eq8y7RlDyq' },
          version: 0,
          ...kratosDates,
        },
      },
      schema_id: 'preset://email',
      schema_url: 'https://kratos.example/schemas/cHJlc2V0',
      state: 'active',
      state_changed_at: kratosDate,
      traits: { email: 'docs@example.org' },
      verifiable_addresses: [
        { id: '1', value: 'docs@example.org', verified: false, via: 'email', status: 'sent', ...kratosDates },
      ],
      recovery_addresses: [{ id: '2', value: 'docs@example.org', via: 'email', ...kratosDates }],
      metadata_public: null,
      ...kratosDates,
    },
    {
      // The body of a request that adds a person. It is no export, and has no identifier.
      schema_id: 'preset://email',
      traits: { email: 'docs-verify@example.org' },
      verifiable_addresses: [
        { value: 'docs-verify@example.org', verified: true, via: 'email', status: 'completed' },
      ],
    },
  ],
  around: ['[', ']'],
  nameBy: 'traits.email',
  refused: { 'docs-verify@example.org': 'not a user of Ory Kratos' },
  same: ['id', 'traits.email', 'credentials.password.config.hashed_password'],
  other: [
    ...['state', 'created_at', 'updated_at', 'credentials.oidc.identifiers[]'],
    ...['credentials.oidc.config.providers[].subject', 'credentials.oidc.config.providers[].provider'],
    ...['verifiable_addresses[].value', 'verifiable_addresses[].verified', 'verifiable_addresses[].via'],
    ...['verifiable_addresses[].status', 'credentials.password.identifiers[]'],
  ],
};

const fusionauth: Peer = {
  system: 'fusionauth',
  source: {
    project: 'FusionAuth/fusionauth-site',
    file: 'docs/apis/users, Import Users',
    licence: 'Apache-2.0',
    isWhole: false,
  },
  records: [
    {
      active: true,
      birthDate: '1976-05-30',
      data: { displayName: 'Johnny Boy', favoriteColors: ['Red', 'Blue'] },
      email: 'example@fusionauth.io',
      encryptionScheme: 'salted-sha256',
      expiry: 1_571_786_483_322,
      factor: 24_000,
      firstName: 'John',
      fullName: 'John Doe',
      id: '00000000-0000-0001-0000-000000000000',
      imageUrl: 'http://65.media.tumblr.com/tumblr_l7dbl0MHbU1qz50x3o1_500.png',
      lastLoginInstant: 1_471_786_483_322,
      lastName: 'Doe',
      memberships: [
        {
          data: { externalId: 'cc6714c6-286c-411c-a6bc-ee413cda1dbc' },
          groupId: '2cb5c83f-53ff-4d16-88bd-c5e3802111a5',
        },
      ],
      middleName: 'William',
      mobilePhone: '303-555-1234',
      password: 'password',
      passwordChangeRequired: false,
      preferredLanguages: ['en', 'fr'],
      registrations: [
        {
          applicationId: '10000000-0000-0002-0000-000000000001',
          data: { displayName: 'Johnny' },
          id: '00000000-0000-0002-0000-000000000000',
          insertInstant: 1_446_064_706_250,
          lastLoginInstant: 1_456_064_601_291,
          preferredLanguages: ['fr'],
          roles: ['user', 'community_helper'],
          username: 'johnny123',
          usernameStatus: 'ACTIVE',
        },
      ],
      timezone: 'America/Denver',
      tokens: {},
      twoFactor: {
        methods: [
          {
            authenticator: { algorithm: 'HmacSHA1', codeLength: 6, timeStep: 30 },
            secret: 'aGVsbG9Xb3JsZA==',
            method: 'authenticator',
          },
        ],
        recoveryCodes: [],
      },
      username: 'johnny123',
      usernameStatus: 'ACTIVE',
      verified: true,
    },
  ],
  around: ['{"encryptionScheme":"salted-sha256","factor":24000,"users":[', ']}'],
  beside: { records: [], lost: { '(document) encryptionScheme': 1, '(document) factor': 1 } },
  nameBy: 'username',
  // The sample has no salt, so its hash says nothing.
  notes: ['Second factors that sign-ins here do not ask for', 'password hashes without their salt'],
  same: [
    ...['birthDate', 'email', 'firstName', 'id', 'imageUrl', 'lastName', 'middleName', 'mobilePhone'],
    ...['timezone', 'username'],
  ],
  // The full name is the given and the family name.
  other: ['expiry', 'active', 'verified', 'passwordChangeRequired', 'fullName'],
};

/** Nothing tells the password. It is one letter, and both hashes are of it. */
const fusionauthHashes: Peer = {
  system: 'fusionauth',
  source: {
    project: 'FusionAuth/fusionauth-import-scripts',
    file: 'generic/exampleData/faUsers.json',
    licence: 'no licence file found; facts alone',
    isWhole: true,
  },
  records: [
    [
      't@t.com',
      'NF+m8S+f16RR3RhYkz90y2heRjC6SwFoVT9pFNby6/E=',
      'MmE5M2Y2NzQtYjQ0ZS00Yzk5LWIxZDQtMjA4MTE3ZGQwMTM0',
    ],
    [
      't2@t.com',
      'pzxs+bm6s4wJNKp+D1RDFUa950q7xs8dqvgueL4VmU8=',
      'ZjUwM2QxMTEtOTcwZS00MzdhLTgxMTEtODJlMDEzNzRiM2M3',
    ],
  ].map(([email, password, salt]) => ({
    email,
    encryptionScheme: 'salted-sha256',
    factor: 20_000,
    password,
    passwordChangeRequired: false,
    salt,
    uniqueUsername: email,
    username: email,
    active: true,
    registrations: [{ applicationId: 'e9fdb985-9173-4e01-9d73-ac2d60d1dc8e', roles: [] }],
    tenantId: 'd7d09513-a3f5-401c-9685-34ab6c552453',
    data: { ImportedFromExpressJs: true },
  })),
  around: ['[', ']'],
  nameBy: 'username',
  passwords: { 't@t.com': 'q', 't2@t.com': 'q' },
  same: ['email', 'username'],
  other: ['active', 'encryptionScheme', 'factor', 'password', 'passwordChangeRequired', 'salt'],
};

const entra: Peer = {
  system: 'entra',
  source: {
    project: 'microsoftgraph/microsoft-graph-docs-contrib',
    file: 'api-reference/v1.0/api/user-list.md',
    licence: 'CC-BY-4.0',
    isWhole: true,
  },
  options: { emailVerified: true },
  records: [
    {
      businessPhones: [],
      displayName: 'Conf Room Adams',
      givenName: null,
      jobTitle: null,
      mail: 'Adams@contoso.com',
      mobilePhone: null,
      officeLocation: null,
      preferredLanguage: null,
      surname: null,
      userPrincipalName: 'Adams@contoso.com',
      id: '6ea91a8d-e32e-41a1-b7bd-d2d185eed0e0',
    },
    {
      businessPhones: ['425-555-0100'],
      displayName: 'MOD Administrator',
      givenName: 'MOD',
      jobTitle: null,
      mail: null,
      mobilePhone: '425-555-0101',
      officeLocation: null,
      preferredLanguage: 'en-US',
      surname: 'Administrator',
      userPrincipalName: 'admin@contoso.com',
      id: '4562bcc8-c436-4f95-b7c0-4f8ce89dca5e',
    },
  ],
  around: ['{"@odata.context":"https://graph.microsoft.com/v1.0/$metadata#users","value":[', ']}'],
  nameBy: 'userPrincipalName',
  refused: { 'admin@contoso.com': noHash },
  same: ['displayName', 'mail', 'userPrincipalName', 'id'],
  other: [],
};

const airius = (cn: string, unit: string, more: Json = {}) => ({
  dn: `cn=${cn}, ou=${unit}, dc=airius, dc=com`,
  objectclass: ['top', 'person', 'organizationalPerson'],
  cn,
  sn: 'Jensen',
  telephonenumber: '+1 408 555 1212',
  ...more,
});

const ldifOfRfc: Peer = {
  system: 'ldif',
  source: {
    project: 'RFC 2849',
    file: 'examples 1 to 4, which are no changes',
    licence: 'IETF Trust',
    isWhole: false,
  },
  isLdif: true,
  records: [
    airius('Barbara Jensen', 'Product Development', { uid: 'bjensen' }),
    airius('Bjorn Jensen', 'Accounting'),
    airius('Gern Jensen', 'Product Testing', { uid: 'gernj' }),
    {
      dn: 'uid=rogasawara,ou=営業部,o=Airius',
      userpassword: '{SHA}O3HSv1MusyL4kTjP+HKI5uxuNoM=',
      objectclass: ['top', 'person', 'organizationalPerson', 'inetOrgPerson'],
      uid: 'rogasawara',
      mail: 'rogasawara@airius.co.jp',
      'givenname;lang-ja': 'ロドニー',
      'sn;lang-ja': '小笠原',
      'cn;lang-ja': '小笠原 ロドニー',
      'title;lang-ja': '営業部 部長',
      preferredlanguage: 'ja',
      givenname: 'ロドニー',
      sn: '小笠原',
      cn: '小笠原 ロドニー',
      title: '営業部 部長',
    },
  ],
  beside: {
    records: [{ dn: 'ou=営業部,o=Airius', objectclass: ['top', 'organizationalUnit'], ou: '営業部' }],
    lost: {},
  },
  nameBy: 'dn',
  refused: {
    'cn=Barbara Jensen, ou=Product Development, dc=airius, dc=com': noHash,
    'cn=Bjorn Jensen, ou=Accounting, dc=airius, dc=com': noHash,
    'cn=Gern Jensen, ou=Product Testing, dc=airius, dc=com': noHash,
  },
  same: ['uid', 'mail', 'preferredlanguage', 'givenname', 'sn', 'cn', 'title'],
  other: ['dn', 'objectclass[]', 'userpassword'],
};

const ofPolicies = (uid: string, [cn, givenName, sn]: [string, string, string], userPassword: string) => ({
  dn: `uid=${uid}, ou=People, dc=example, dc=com`,
  objectclass: ['top', 'person', 'inetOrgPerson'],
  cn,
  uid,
  sn,
  givenname: givenName,
  userpassword: userPassword,
});
const people = 'ou=People, dc=example, dc=com';
const ldifOfOpenldap: Peer = {
  system: 'ldif',
  source: {
    project: 'openldap/openldap',
    file: 'tests/data/ppolicy.ldif',
    licence: 'OLDAP-2.8',
    isWhole: false,
  },
  isLdif: true,
  options: { map: inPlainText },
  records: [
    ofPolicies('nd', ['Neil Dunbar', 'Neil', 'Dunbar'], 'testpassword'),
    ofPolicies('ndadmin', ['Neil Dunbar (Admin)', 'Neil', 'Dunbar'], 'testpw'),
    {
      ...ofPolicies('test', ['test test', 'Test', 'Test'], 'kfhgkjhfdgkfd'),
      pwdpolicysubentry: 'cn=No Policy, ou=Policies, dc=example, dc=com',
    },
    {
      ...ofPolicies('hashed', ['rehashed', 'hashed', 'Hashed'], 'hashed'),
      pwdpolicysubentry: 'cn=Hashing Policy, ou=Policies, dc=example, dc=com',
    },
    ofPolicies('another', ['Another Test', 'Another', 'Test'], 'testing'),
  ],
  beside: {
    records: [
      {
        dn: 'dc=example, dc=com',
        objectclass: ['top', 'organization', 'dcObject'],
        o: 'Example',
        dc: 'example',
      },
      { dn: people, objectclass: ['top', 'organizationalUnit'], ou: 'People' },
      {
        dn: 'cn=Policy Group, ou=Groups, dc=example, dc=com',
        objectclass: ['groupOfNames'],
        cn: 'Policy Group',
        member: `uid=nd, ${people}`,
        owner: `uid=ndadmin, ${people}`,
      },
      {
        dn: 'cn=Test Group, ou=Groups, dc=example, dc=com',
        objectclass: ['groupOfNames'],
        cn: 'Policy Group',
        member: `uid=another, ${people}`,
      },
      {
        dn: 'cn=Standard Policy, ou=Policies, dc=example, dc=com',
        objectclass: ['top', 'device', 'pwdPolicy'],
        cn: 'Standard Policy',
        pwdAttribute: '2.5.4.35',
        pwdMaxAge: '30',
      },
    ],
    lost: { owner: 1, '(entry) device': 1 },
  },
  passwords: {
    nd: 'testpassword',
    ndadmin: 'testpw',
    test: 'kfhgkjhfdgkfd',
    hashed: 'hashed',
    another: 'testing',
  },
  nameBy: 'dn',
  same: ['cn', 'uid', 'sn', 'givenname'],
  other: ['dn', 'objectclass[]', 'userpassword'],
};

const auth0: Peer = {
  system: 'auth0',
  source: {
    project: 'auth0.com/docs',
    file: 'manage-users/user-migration: bulk user exports, and get user information from an identity provider',
    licence: 'all rights reserved: facts alone',
    isWhole: false,
  },
  records: [
    {
      Id: 'auth0|60425da93519d90068f82966',
      'Given Name': 'Cara',
      'Family Name': 'Ness',
      Nickname: 'cara',
      Name: 'cara@example.net',
      Email: 'cara@example.net',
      'Email Verified': true,
      'Created At': '2021-03-05T16:34:49.502Z',
      'Updated At': '2021-03-05T16:35:49.502Z',
    },
    {
      user_id: 'google-oauth2|103547991597142817347',
      email: 'jane@example.com',
      email_verified: true,
      name: 'Jane Smith',
      given_name: 'Jane',
      family_name: 'Smith',
      picture: 'https://example.com/j.png',
      locale: 'en',
      updated_at: '2020-01-01T00:00:00.000Z',
      nickname: 'jane',
      identities: [
        {
          provider: 'google-oauth2',
          user_id: '103547991597142817347',
          connection: 'google-oauth2',
          isSocial: true,
        },
      ],
      created_at: '2019-01-01T00:00:00.000Z',
      last_ip: '192.0.2.7',
      last_login: '2020-01-01T00:00:00.000Z',
      logins_count: 5,
    },
  ],
  // A line of the export of hashes.
  beside: {
    records: [
      {
        _id: { $oid: '60425da93519d90068f82966' },
        email_verified: true,
        email: 'cara@example.net',
        passwordHash: '$2b$10$Z6hUTEEeoJXN5/AmSm/4.eZ75RYgFVriQM9LPhNEC7kbAbS/VAaJ2',
        password_set_date: { $date: '2021-03-05T16:34:49.502Z' },
        tenant: 'dev-rwsbs6ym',
        connection: 'Username-Password-Authentication',
        _tmp_is_unique: true,
      },
    ],
    lost: { 'password_set_date.$date': 1, tenant: 1, _tmp_is_unique: 1 },
  },
  nameBy: 'Id',
  same: [
    ...['Id', 'Given Name', 'Family Name', 'Nickname', 'Email', 'user_id', 'email', 'given_name'],
    ...['family_name', 'nickname'],
  ],
  other: [
    ...['Email Verified', 'Created At', 'Updated At', 'email_verified', 'created_at', 'updated_at'],
    // The one is the address, the other the given and the family name.
    ...['Name', 'name'],
    ...['identities[].provider', 'identities[].user_id', 'identities[].connection', 'identities[].isSocial'],
  ],
};

const zitadelUser = (userId: string, [userName, email, hash]: [string, string, string], profile: Json) => ({
  userId,
  user: {
    userName,
    profile: { gender: 'GENDER_UNSPECIFIED', ...profile },
    email: { email, isEmailVerified: true },
    hashedPassword: { value: hash, algorithm: 'bcrypt' },
  },
});
const zitadel: Peer = {
  system: 'zitadel',
  source: {
    project: 'zitadel/zitadel',
    file: 'docs/docs/guides/migrate/users.md',
    licence: 'Apache-2.0',
    isWhole: true,
  },
  records: [
    zitadelUser(
      '104133391271651848',
      ['test9@test9', 'test@test.com', '$2a$14$aPbwhMVJSVrRRW2NoM/5.esSJO6o/EIGzGxWiM5SAEZlGqCsr9DAK'],
      {
        firstName: 'Road',
        lastName: 'Runner',
        nickName: 'Meep Meep',
        displayName: 'Road Runner',
        preferredLanguage: 'de',
      },
    ),
    zitadelUser(
      '120080115081209416',
      ['testuser', 'fabienne@caos.ch', '$2a$14$785Fcdbpo9rm5L7E21nIAOJvGCPgWFrVIhYDhiN.vnNJ7OIfcPCHO'],
      { firstName: 'Test', lastName: 'User', displayName: 'Test User', preferredLanguage: 'und' },
    ),
  ],
  around: [
    '{"timeout":"30s","orgs":[{"orgId":"104133391254874632","org":{"name":"ACME"},"humanUsers":[',
    ']}]}',
  ],
  beside: { records: [], lost: { timeout: 1 } },
  nameBy: 'user.userName',
  same: [
    ...['userId', 'user.userName', 'user.profile.firstName', 'user.profile.lastName'],
    ...['user.profile.nickName', 'user.profile.displayName', 'user.email.email', 'user.hashedPassword.value'],
  ],
  other: [
    ...['user.profile.gender', 'user.profile.preferredLanguage', 'user.email.isEmailVerified'],
    'user.hashedPassword.algorithm',
  ],
};

const work = { streetAddress: '100 Universal City Plaza', type: 'work', primary: true };
const home = { streetAddress: '456 Hollywood Blvd', type: 'home' };
const hollywood = { locality: 'Hollywood', region: 'CA', postalCode: '91608', country: 'USA' };
const photos = 'https://photos.example.com/profilephoto/72930000000Ccne';
const scim: Peer = {
  system: 'scim',
  source: {
    project: 'RFC 7643',
    file: 'section 8.2, the full user',
    licence: 'IETF Trust',
    isWhole: false,
  },
  options: { emailVerified: true },
  records: [
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: '2819c223-7f76-453a-919d-413861904646',
      externalId: '701984',
      userName: 'bjensen@example.com',
      name: {
        formatted: 'Ms. Barbara J Jensen, III',
        familyName: 'Jensen',
        givenName: 'Barbara',
        middleName: 'Jane',
        honorificPrefix: 'Ms.',
        honorificSuffix: 'III',
      },
      displayName: 'Babs Jensen',
      nickName: 'Babs',
      profileUrl: 'https://login.example.com/bjensen',
      emails: [
        { value: 'bjensen@example.com', type: 'work', primary: true },
        { value: 'babs@jensen.org', type: 'home' },
      ],
      addresses: [
        { ...work, ...hollywood },
        { ...home, ...hollywood },
      ],
      phoneNumbers: [
        { value: '555-555-5555', type: 'work' },
        { value: '555-555-4444', type: 'mobile' },
      ],
      ims: [{ value: 'someaimhandle', type: 'aim' }],
      photos: [
        { value: `${photos}/F`, type: 'photo' },
        { value: `${photos}/T`, type: 'thumbnail' },
      ],
      userType: 'Employee',
      title: 'Tour Guide',
      preferredLanguage: 'en-US',
      locale: 'en-US',
      timezone: 'America/Los_Angeles',
      active: true,
      password: 't1meMa$heen',
      groups: [{ value: 'e9e30dba-f08f-4109-8486-d5c6a331660a', display: 'Tour Guides' }],
      x509Certificates: [{ value: 'MIIDQzCCAqygAwIBAgICEAAwDQYJKoZIhvcNAQEFBQAw' }],
      meta: {
        resourceType: 'User',
        created: '2010-01-23T04:56:22Z',
        lastModified: '2011-05-13T04:42:34Z',
        version: 'W/"a330bc54f0671c9"',
        location: 'https://example.com/v2/Users/2819c223-7f76-453a-919d-413861904646',
      },
    },
  ],
  nameBy: 'userName',
  same: [
    ...['id', 'externalId', 'userName', 'name.formatted', 'name.familyName', 'name.givenName'],
    ...['name.middleName', 'name.honorificPrefix', 'name.honorificSuffix', 'displayName', 'nickName'],
    ...['profileUrl', 'emails[].value', 'emails[].type', 'addresses[].streetAddress', 'addresses[].type'],
    ...['addresses[].locality', 'addresses[].region', 'addresses[].postalCode', 'addresses[].country'],
    ...['phoneNumbers[].value', 'phoneNumbers[].type', 'ims[].value', 'ims[].type', 'photos[].value'],
    ...['photos[].type', 'userType', 'title', 'preferredLanguage', 'locale', 'timezone'],
  ],
  other: [
    ...[
      'schemas[]',
      'active',
      'emails[].primary',
      'addresses[].primary',
      'meta.created',
      'meta.lastModified',
    ],
    // They say where the record is from. Groups name their members.
    ...['meta.resourceType', 'meta.version', 'meta.location', 'groups[].value', 'groups[].display'],
  ],
};

export const peers: readonly Peer[] = [
  okta,
  cognitoUser,
  cognitoTable,
  firebase,
  kratos,
  fusionauth,
  fusionauthHashes,
  entra,
  ldifOfRfc,
  ldifOfOpenldap,
  auth0,
  zitadel,
  scim,
];

/** The text of a file with the records of a sample, and the line of each. */
export function fileOf({ records, around, columns, isLdif, beside }: Peer): {
  text: string;
  lines: number[];
} {
  if (isLdif) return ldifOf([...records, ...(beside?.records ?? [])]);
  const rows = columns
    ? records.map((record) => columns.map((name) => record[name] ?? '').join(','))
    : records.map((record) => JSON.stringify(record));
  if (columns) rows.unshift(columns.join(','));
  const [before, after] = around ?? [];
  const text = around ? `${before}\n${rows.join(',\n')}\n${after}` : `${rows.join('\n')}\n`;
  const first = around || columns ? 2 : 1;
  return { text, lines: records.map((_, at) => first + at) };
}

function ldifOf(entries: readonly Json[]): { text: string; lines: number[] } {
  const written = ['version: 1'];
  const lines: number[] = [];
  for (const entry of entries) {
    lines.push(written.length + 1);
    for (const [name, given] of Object.entries(entry)) {
      const values = [given].flat().map(String);
      // Values beyond ASCII are in base64 (RFC 2849 section 2).
      for (const one of values)
        written.push(/^[ -~]*$/.test(one) ? `${name}: ${one}` : `${name}:: ${base64(one)}`);
    }
    written.push('');
  }
  return { text: `${written.join('\n')}\n`, lines };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
