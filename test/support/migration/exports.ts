/** Samples of what other systems export, as their documentation shows them. */

/** The example of github.com/firebase/scrypt, and the fields of `firebase auth:export` (firebase.google.com/docs/cli/auth). */
export const firebaseExport = {
  users: [
    {
      localId: 'fb-1',
      email: 'maria@example.com',
      emailVerified: true,
      passwordHash:
        'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      salt: '42xEC+ixf3L2lw==',
      displayName: 'Maria Berg',
      photoUrl: 'https://example.com/maria.jpg',
      lastSignedInAt: '1600000000000',
      createdAt: '1500000000000',
      phoneNumber: '+41446681800',
      disabled: false,
      customAttributes: '{"admin":true}',
      providerUserInfo: [{ providerId: 'google.com', rawId: '1', email: 'maria@example.com' }],
    },
    { localId: 'fb-2', email: 'off@example.com', emailVerified: true, disabled: true, providerUserInfo: [] },
  ],
};
export const firebasePassword = 'user1password';

/** As the console of Firebase shows them. */
export const firebaseParameters = `hash_config {
  algorithm: SCRYPT,
  base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
  base64_salt_separator: Bw==,
  rounds: 8,
  mem_cost: 14,
}`;

/** `GET /admin/identities?include_credential=password` (ory.sh/docs/kratos/reference/api), with a hash of Kratos's own tests. */
export const kratosExport = [
  {
    id: '9f425a8d-7efc-4768-8f23-7647a74fdf13',
    schema_id: 'default',
    state: 'active',
    traits: { email: 'ada@example.org', name: { first: 'Ada', last: 'Lind' }, newsletter: true },
    verifiable_addresses: [{ value: 'ada@example.org', verified: true, via: 'email', status: 'completed' }],
    recovery_addresses: [{ value: 'ada@example.org', via: 'email' }],
    metadata_public: null,
    created_at: '2023-11-14T22:13:20Z',
    credentials: {
      password: {
        type: 'password',
        identifiers: ['ada@example.org'],
        config: {
          hashed_password: '$argon2id$v=19$m=32,t=2,p=4$cm94YnRVOW5jZzFzcVE4bQ$MNzk5BtR2vUhrp6qQEjRNw',
        },
      },
      totp: {
        type: 'totp',
        config: {
          totp_url:
            'otpauth://totp/Demo:ada@example.org?algorithm=SHA1&digits=6&issuer=Demo&period=30&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        },
      },
    },
  },
];
export const kratosPassword = 'test';

/** `GET /api/v1/users` (developer.okta.com/docs/api, Users). */
export const oktaExport = [
  {
    id: '00ub0oNGTSWTBKOLGLNR',
    status: 'ACTIVE',
    created: '2013-06-24T16:39:18.000Z',
    activated: '2013-06-24T16:39:19.000Z',
    type: { id: 'otyfnjfba4ye7pgjB0g4' },
    profile: {
      firstName: 'Isaac',
      lastName: 'Brock',
      email: 'isaac.brock@example.com',
      login: 'isaac.brock@example.com',
      secondEmail: 'ib@example.org',
      mobilePhone: '555-415-1337',
      preferredLanguage: 'en_US',
      employeeNumber: '701984',
      department: 'Engineering',
      managerId: '00u1',
      city: 'Oslo',
      shoeSize: 43,
    },
    credentials: {
      password: {},
      provider: { type: 'OKTA', name: 'OKTA' },
      emails: [{ value: 'isaac.brock@example.com', status: 'VERIFIED', type: 'PRIMARY' }],
    },
    _links: { self: { href: 'https://example.okta.com/api/v1/users/00ub0oNGTSWTBKOLGLNR' } },
  },
  {
    id: '00u2',
    status: 'DEPROVISIONED',
    profile: { login: 'gone@example.com', email: 'gone@example.com' },
    credentials: { emails: [{ value: 'gone@example.com', status: 'VERIFIED', type: 'PRIMARY' }] },
  },
];

/** `aws cognito-idp list-users` (docs.aws.amazon.com/cli/latest/reference/cognito-idp/list-users.html). */
export const cognitoExport = {
  Users: [
    {
      Username: 'eb3d3ab4-8d2a-4d3e-9d3b-1b1a9e1c2d3e',
      Attributes: [
        { Name: 'sub', Value: 'eb3d3ab4-8d2a-4d3e-9d3b-1b1a9e1c2d3e' },
        { Name: 'email', Value: 'mary@example.com' },
        { Name: 'email_verified', Value: 'true' },
        { Name: 'given_name', Value: 'Mary' },
        { Name: 'family_name', Value: 'Major' },
        { Name: 'custom:plan', Value: 'gold' },
      ],
      UserCreateDate: 1548089817.683,
      UserLastModifiedDate: 1548089817.683,
      Enabled: false,
      UserStatus: 'CONFIRMED',
    },
  ],
  PaginationToken: 'x',
};

/** `GET /v1.0/users` (learn.microsoft.com/graph/api/user-list). */
export const entraExport = {
  '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#users',
  value: [
    {
      id: '6e7b768e-07e2-4810-8459-485f84f8f204',
      businessPhones: ['+1 425 555 0109'],
      displayName: 'Conf Room Adams',
      givenName: 'Adams',
      surname: 'Room',
      jobTitle: 'Keeper',
      mail: 'Adams@contoso.com',
      mobilePhone: '+1 425 555 0101',
      officeLocation: '18/2111',
      preferredLanguage: 'en-US',
      userPrincipalName: 'Adams@contoso.com',
      accountEnabled: true,
      companyName: 'Contoso',
      city: 'Seattle',
    },
  ],
};

/** `POST /api/user/import` (fusionauth.io/docs/apis/users), with the key of the PBKDF2 example of Ory Kratos. */
export const fusionauthExport = {
  users: [
    {
      active: true,
      id: '00000000-0000-0001-0000-000000000000',
      username: 'johnny123',
      email: 'example@fusionauth.io',
      verified: true,
      fullName: 'John Doe',
      birthDate: '1976-05-30',
      preferredLanguages: ['en', 'fr'],
      timezone: 'America/Denver',
      encryptionScheme: 'salted-pbkdf2-hmac-sha256',
      factor: 100000,
      salt: '1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc=',
      password: 'QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI=',
      data: { favoriteColor: 'Red' },
    },
  ],
};
export const fusionauthPassword = 'test';

/**
 * What `kc.sh export --dir` of Keycloak 26.4.7 wrote of a realm: anna has its default, argon2id; eli PBKDF2 with SHA-512; fay PBKDF2 with
 * SHA-256, and is disabled. The settings of the realm are left out. The passwords are `Secret-of-anna-1` and so on.
 */
export const keycloakFiles = [
  {
    id: '8d95fa01-3bc8-4fbe-8e31-25874cf30af0',
    realm: 'shop',
    groups: [
      {
        id: 'de68c47e-8f49-49ee-b57f-c5092c39371d',
        name: 'staff',
        path: '/staff',
        subGroups: [],
        attributes: {},
        realmRoles: [],
        clientRoles: {},
      },
    ],
    users: [],
  },
  {
    realm: 'shop',
    users: [
      {
        id: '8bfd0b7e-efeb-4e94-ac22-fbdfbdb6945d',
        username: 'anna',
        firstName: 'Fanna',
        lastName: 'L',
        email: 'anna@example.com',
        emailVerified: true,
        enabled: true,
        createdTimestamp: 1795511252201,
        totp: false,
        credentials: [
          {
            id: 'a151b76f-7464-480f-9163-8b74b7202ba6',
            type: 'password',
            createdDate: 1795511255384,
            secretData:
              '{"value":"anvU5G5t0EEEa/GVl+QPBj6V+HR6DX9xAi8ohY5toXw=","salt":"rGLiw4RkgIA+IYaRFWPnaA==","additionalParameters":{}}',
            credentialData:
              '{"hashIterations":5,"algorithm":"argon2","additionalParameters":{"hashLength":["32"],"memory":["7168"],"type":["id"],"version":["1.3"],"parallelism":["1"]}}',
          },
        ],
        disableableCredentialTypes: [],
        requiredActions: [],
        realmRoles: ['default-roles-shop'],
        notBefore: 0,
        groups: ['/staff'],
      },
      {
        id: 'e8d78e0c-c544-4342-9a80-99a1d9929536',
        username: 'eli',
        email: 'eli@example.com',
        emailVerified: true,
        enabled: true,
        createdTimestamp: 1795511279078,
        totp: false,
        credentials: [
          {
            id: 'af0ae284-891f-4070-9c49-b152e95876c5',
            type: 'password',
            createdDate: 1795511284081,
            secretData:
              '{"value":"3LWnaz8w9LFFhK74y+OrppEizbLB5K/t2ePGooYUk6SjjgptUjn+YjeG8/M1aK9vG1wjBHTM3Ve8AG6MQziOhw==","salt":"knI0/UQvmy5A5X3OTZSwxA==","additionalParameters":{}}',
            credentialData: '{"hashIterations":210000,"algorithm":"pbkdf2-sha512","additionalParameters":{}}',
          },
        ],
        disableableCredentialTypes: [],
        requiredActions: [],
        realmRoles: ['default-roles-shop'],
        notBefore: 0,
        groups: [],
      },
    ],
  },
  {
    realm: 'shop',
    users: [
      {
        id: '7b393112-9662-4653-b0c9-02647e8c0ad5',
        username: 'fay',
        email: 'fay@example.com',
        emailVerified: true,
        enabled: false,
        createdTimestamp: 1795511290388,
        totp: false,
        credentials: [
          {
            id: '518bce30-6cd7-427c-9dde-088225746b8c',
            type: 'password',
            createdDate: 1795511295772,
            secretData:
              '{"value":"fzYMVdQ4Bz8HJ/qMgTQNVsFSvkLTo853RNuTSuPbJH8=","salt":"6fa2ay4vgLYLNaHJJDSoww==","additionalParameters":{}}',
            credentialData: '{"hashIterations":600000,"algorithm":"pbkdf2-sha256","additionalParameters":{}}',
          },
        ],
        disableableCredentialTypes: [],
        requiredActions: [],
        realmRoles: ['default-roles-shop'],
        notBefore: 0,
        groups: [],
      },
    ],
  },
];

/** The bulk export of users and the export of hashes (auth0.com/docs/manage-users/user-migration). */
export const auth0Export = {
  users: JSON.stringify({
    Id: 'auth0|60425da93519d90068f82966',
    Email: 'cara@example.net',
    'Email Verified': true,
    Name: 'Cara Ness',
    Connection: 'Username-Password-Authentication',
    'Created At': '2021-03-05T16:34:49.502Z',
  }),
  passwords: JSON.stringify({
    _id: { $oid: '60425da93519d90068f82966' },
    email_verified: true,
    email: 'cara@example.net',
    passwordHash: '$2b$04$hFFF7RyifKx4QcK9L0Bk2.BFeTNZng0gIcIMrRdDwgu7Rip.nE3GS',
    password_set_date: { $date: '2021-03-05T16:34:49.502Z' },
    tenant: 'dev',
    connection: 'Username-Password-Authentication',
    _tmp_is_unique: true,
  }),
};
