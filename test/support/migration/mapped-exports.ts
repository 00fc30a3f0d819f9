import { hashExamples } from '../keys/hash-examples.js';
import { bcryptHash } from './imports.js';
import { systemExports } from './system-exports.js';

/** A sample of an export for which docs/mappings has a mapping. The people are invented. */
interface MappedExport {
  /** Where its owner documents the form. */
  readonly origin: string;
  readonly system: 'csv' | 'json';
  readonly text: string;
  /** What an import gets of the people, in part. */
  readonly people: readonly object[];
  readonly groups?: readonly string[];
  /** What reaches nothing, and must be told. */
  readonly lost: readonly string[];
}

const json = (value: unknown) => JSON.stringify(value);
const picture = 'https://img.example/mona.png';
const at = '2024-05-01T10:00:00.000Z';
const uuid = '3b9c2f0e-6a51-4c3a-9a0e-5d8f0f3f1a01';

const supabase = {
  ...{
    instance_id: '00000000-0000-0000-0000-000000000000',
    id: uuid,
    aud: 'authenticated',
    role: 'authenticated',
  },
  ...{
    email: 'mona@supabase.example',
    encrypted_password: bcryptHash,
    email_confirmed_at: '2024-05-01 10:00:00.123+00',
  },
  ...{
    phone: null,
    phone_confirmed_at: null,
    raw_user_meta_data: { full_name: 'Mona Lind', avatar_url: picture },
  },
  ...{
    banned_until: null,
    deleted_at: null,
    created_at: '2024-05-01 10:00:00+00',
    updated_at: '2024-05-02 10:00:00+00',
  },
};
const banned = {
  ...supabase,
  id: `${uuid.slice(0, -1)}2`,
  email: 'omar@supabase.example',
  banned_until: '2099-01-01 00:00:00+00',
};

/** The ban of this person has ended, and Supabase leaves its end in the row. */
const bannedBefore = {
  ...supabase,
  id: `${uuid.slice(0, -1)}3`,
  email: 'pia@supabase.example',
  banned_until: '2024-06-01 00:00:00+00',
};

const clerk = {
  ...{
    id: 'user_2abcDEF',
    object: 'user',
    username: null,
    first_name: 'Mona',
    last_name: 'Lind',
    banned: false,
  },
  ...{
    primary_email_address_id: 'idn_2',
    primary_phone_number_id: 'idn_9',
    image_url: picture,
    totp_enabled: false,
  },
  email_addresses: [
    { id: 'idn_1', email_address: 'old@clerk.example', verification: { status: 'unverified' } },
    { id: 'idn_2', email_address: 'mona@clerk.example', verification: { status: 'verified' } },
  ],
  phone_numbers: [{ id: 'idn_9', phone_number: '+46701234567', verification: { status: 'verified' } }],
  ...{
    password_enabled: true,
    password_digest: bcryptHash,
    password_hasher: 'bcrypt',
    created_at: 1714557600000,
    updated_at: 1714557600000,
  },
};
/** A person whom a directory of the organization has taken away. */
const goneFromClerk = {
  id: 'user_gone',
  username: 'gone',
  banned: false,
  deprovisioned: true,
  email_addresses: [],
};

/** Rows of people whose bans are written in several ways. */
const bannedPeople = [
  { banned: 'TRUE', banExpires: '2099-01-01T00:00:00.000Z', active: false },
  { banned: 'True', banExpires: '1/1/2099 12:00', active: false },
  { banned: 'TRUE', banExpires: '2024-06-01T00:00:00.000Z', active: true },
  { banned: 'yes', banExpires: '2099-01-01', active: false },
  { banned: 'TRUE', banExpires: undefined, active: false },
  { banned: 'True', banExpires: undefined, active: false },
  { banned: 'FALSE', banExpires: undefined, active: true },
  { banned: 'False', banExpires: '2099-01-01', active: true },
];

const betterAuthHash = hashExamples.find(({ hash }) => /^[0-9a-f]{32}:[0-9a-f]{128}$/.test(hash))?.hash ?? '';

/** A file that is converted without a mapping too. */
const alsoGuessed = (name: string) => {
  const { origin = '', system = 'json', text = '' } = systemExports[name] ?? {};
  return { origin, system, text };
};

export const mappedExports: Readonly<Record<string, MappedExport>> = {
  drupal: {
    ...alsoGuessed('Drupal, table users_field_data'),
    people: [
      {
        user: {
          ...{
            userName: 'Mona Lind',
            email: { email: 'mona@drupal.example' },
            hashedPassword: { value: /^\$S\$/ },
          },
          scim: { externalId: '2', active: true, timezone: 'Europe/Stockholm' },
        },
      },
      { user: { userName: 'omar', scim: { externalId: '3', active: false } } },
    ],
    lost: ['access', 'default_langcode', 'init', 'langcode', 'login'],
  },
  appwrite: {
    origin: 'appwrite.io/docs/references, Users, User object',
    system: 'json',
    text: json({
      total: 1,
      users: [
        {
          ...{
            $id: '68a1c0de1',
            $createdAt: at,
            $updatedAt: at,
            name: 'Mona Lind',
            registration: at,
            status: true,
          },
          ...{
            labels: ['vip'],
            passwordUpdate: at,
            email: 'mona@appwrite.example',
            phone: '',
            emailVerification: true,
          },
          ...{ phoneVerification: false, mfa: false, prefs: { theme: 'dark' }, accessedAt: at },
          // The scrypt of RFC 7914 section 12.
          password:
            '7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887',
          hash: 'scrypt',
          hashOptions: {
            type: 'scrypt',
            salt: 'SodiumChloride',
            costCpu: 16_384,
            costMemory: 8,
            costParallel: 1,
            length: 64,
          },
        },
      ],
    }),
    people: [
      {
        userId: '68a1c0de1',
        user: {
          ...{ userName: 'mona@appwrite.example', profile: { displayName: 'Mona Lind' } },
          ...{ email: { email: 'mona@appwrite.example', isEmailVerified: true } },
          ...{ hashedPassword: { value: /^\$scrypt\$ln=14,r=8,p=1\$/ }, scim: { active: true } },
        },
      },
    ],
    lost: [
      ...[
        '(document) total',
        'accessedAt',
        'hashOptions.length',
        'hashOptions.type',
        'mfa',
        'passwordUpdate',
      ],
      ...['prefs.theme', 'registration'],
    ],
  },
  meteor: {
    origin: 'docs.meteor.com/api/accounts, "Meteor.users"; mongodb.com/docs, MongoDB Extended JSON (v2)',
    system: 'json',
    text: [
      {
        _id: 'QwkSmTCZiw5KDx3L6',
        username: 'mona',
        emails: [
          { address: 'old@meteor.example', verified: false },
          { address: 'mona@meteor.example', verified: true },
        ],
        createdAt: { $date: at },
        profile: { name: 'Mona Lind' },
        services: { password: { bcrypt: bcryptHash }, resume: { loginTokens: [] } },
      },
      {
        _id: { $oid: '5f1d7f0e9c43b7e9a570d4a6' },
        emails: [{ address: 'omar@meteor.example', verified: true }],
      },
    ]
      .map(json)
      .join('\n'),
    people: [
      {
        userId: 'QwkSmTCZiw5KDx3L6',
        user: {
          userName: 'mona',
          created: at,
          email: { email: 'mona@meteor.example', isEmailVerified: true },
          profile: { displayName: 'Mona Lind' },
          hashedPassword: { value: `bcrypt_sha256$${bcryptHash}` },
          scim: { emails: [{ verified: true }, { value: 'old@meteor.example', verified: false }] },
        },
      },
      {
        userId: '5f1d7f0e9c43b7e9a570d4a6',
        user: { userName: 'omar@meteor.example', email: { isEmailVerified: true } },
      },
    ],
    lost: [],
  },
  supabase: {
    origin: 'supabase/auth, migrations of auth.users; supabase.com/docs/guides/auth/managing-user-data',
    system: 'json',
    text: json([supabase, banned, bannedBefore]),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona@supabase.example',
          created: at,
          email: { isEmailVerified: true },
          profile: { displayName: 'Mona Lind' },
          hashedPassword: { value: bcryptHash },
          scim: { active: true, photos: [{ value: picture }] },
        },
      },
      { user: { scim: { active: false } } },
      { user: { scim: { active: true } } },
    ],
    lost: ['aud', 'instance_id', 'role'],
  },
  clerk: {
    origin: 'clerk.com/docs/reference/backend-api, User; clerk/migration-tool docs',
    system: 'json',
    text: json([{ ...clerk, timezone: 'Europe/Stockholm' }, goneFromClerk]),
    people: [
      {
        userId: 'user_2abcDEF',
        user: {
          userName: 'mona@clerk.example',
          created: at,
          profile: { firstName: 'Mona', lastName: 'Lind' },
          email: { email: 'mona@clerk.example', isEmailVerified: true },
          phone: { phone: '+46701234567', isPhoneVerified: true },
          hashedPassword: { value: bcryptHash },
          scim: {
            active: true,
            emails: [
              { primary: true, verified: true },
              { value: 'old@clerk.example', verified: false },
            ],
            timezone: 'Europe/Stockholm',
          },
        },
      },
      { userId: 'user_gone', user: { userName: 'gone', scim: { active: false } } },
    ],
    lost: ['object', 'password_enabled', 'totp_enabled'],
  },
  'clerk-csv': {
    origin:
      'clerk.com/docs/guides/users/managing, "Export all users"; the columns as WorkOS and Better Auth document them',
    system: 'csv',
    text:
      'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,' +
      'verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher\n' +
      `user_2a,Mona,Lind,,mona@clerk.example,,"mona@clerk.example,old@clerk.example",new@clerk.example,,,,${bcryptHash},bcrypt\n` +
      `user_2b,Omar,Ek,omar,omar@clerk.example,,,omar@clerk.example,,,JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP,${bcryptHash},bcrypt\n`,
    people: [
      {
        userId: 'user_2a',
        user: {
          userName: 'mona@clerk.example',
          email: { email: 'mona@clerk.example', isEmailVerified: true },
          scim: {
            emails: [
              { value: 'mona@clerk.example', primary: true, verified: true },
              { value: 'old@clerk.example', verified: true },
              { value: 'new@clerk.example', verified: false },
            ],
          },
        },
      },
      {
        user: {
          userName: 'omar',
          email: { isEmailVerified: false },
          otpCode: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        },
      },
    ],
    lost: [],
  },
  authjs: {
    origin: 'authjs.dev/getting-started/database, models',
    system: 'json',
    text: json([
      { id: 'clx1', name: 'Mona Lind', email: 'mona@authjs.example', emailVerified: at, image: picture },
      {
        id: 'clx2',
        name: null,
        email: 'omar@authjs.example',
        emailVerified: null,
        image: null,
        password: bcryptHash,
      },
    ]),
    people: [
      {
        userId: 'clx1',
        user: {
          userName: 'mona@authjs.example',
          email: { isEmailVerified: true },
          profile: { displayName: 'Mona Lind' },
        },
      },
      { user: { email: { isEmailVerified: false }, hashedPassword: { value: bcryptHash } } },
    ],
    lost: [],
  },
  supertokens: {
    origin: 'supertokens.com/docs/references/user-object',
    system: 'json',
    text: json({
      status: 'OK',
      users: [
        {
          ...{ id: uuid, isPrimaryUser: true, tenantIds: ['public'], timeJoined: 1714557600000 },
          ...{ emails: ['mona@st.example', 'm2@st.example'], phoneNumbers: ['+4670'], thirdParty: [] },
          loginMethods: [
            {
              recipeId: 'emailpassword',
              recipeUserId: uuid,
              tenantIds: ['public'],
              verified: true,
              email: 'mona@st.example',
            },
            {
              recipeId: 'emailpassword',
              recipeUserId: 'x',
              tenantIds: ['public'],
              verified: false,
              email: 'm2@st.example',
            },
          ],
          password_hash: bcryptHash,
        },
      ],
    }),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona@st.example',
          created: at,
          email: { isEmailVerified: true },
          phone: { phone: '+4670', isPhoneVerified: false },
          scim: { emails: [{}, { value: 'm2@st.example', verified: false }] },
          hashedPassword: { value: bcryptHash },
        },
      },
    ],
    lost: [
      ...['(document) status', 'isPrimaryUser', 'loginMethods[].recipeId', 'loginMethods[].recipeUserId'],
      ...['loginMethods[].tenantIds[]', 'tenantIds[]', 'loginMethods[].email'],
    ],
  },
  'better-auth': {
    origin:
      'better-auth.com/docs/concepts/database, tables user and account; plugins username, admin, phone-number. Checked with better-auth 1.7.25',
    system: 'json',
    text: json([
      {
        ...{
          id: 'Kx7fYw2mQz',
          name: 'Mona Lind',
          email: 'mona@ba.example',
          emailVerified: true,
          image: null,
        },
        ...{
          createdAt: at,
          updatedAt: at,
          username: 'mona',
          role: 'user,editor',
          banned: false,
          password: bcryptHash,
        },
      },
      {
        id: 'Kx7fYw2mQy',
        name: 'Omar',
        email: 'omar@ba.example',
        emailVerified: 1,
        banned: 1,
        createdAt: at,
        updatedAt: at,
      },
      // Better Auth leaves an ended ban in the row until the person signs in.
      {
        ...{ id: 'Kx7fYw2mQw', name: 'Rut', email: 'rut@ba.example', emailVerified: true },
        ...{ banned: true, banExpires: '2024-06-01T00:00:00.000Z', createdAt: at, updatedAt: at },
      },
      // A table that a spreadsheet or pandas wrote.
      ...bannedPeople.map(({ banned, banExpires }, place) => ({
        ...{ id: `Kx7fYw2mR${place}`, name: 'Ina', email: `ina${place}@ba.example`, emailVerified: 'TRUE' },
        ...{ banned, createdAt: at, updatedAt: at, ...(banExpires !== undefined && { banExpires }) },
      })),
      // The rows of `account` within those of `user`. Better Auth hashes with scrypt, as hex digits of the salt and the key.
      {
        ...{ id: 'Kx7fYw2mQx', name: 'Pia Holm', email: 'pia@ba.example', emailVerified: false },
        ...{ username: 'pia', displayUsername: 'Pia', phoneNumber: '+4930901820', phoneNumberVerified: true },
        ...{ createdAt: at, updatedAt: at, twoFactorEnabled: false },
        accounts: [
          {
            ...{ id: 'a1', userId: 'Kx7fYw2mQx', accountId: '1099', providerId: 'google', password: null },
            ...{
              accessToken: null,
              refreshToken: null,
              idToken: null,
              scope: 'openid',
              createdAt: at,
              updatedAt: at,
            },
          },
          {
            ...{ id: 'a2', userId: 'Kx7fYw2mQx', accountId: 'Kx7fYw2mQx', providerId: 'credential' },
            ...{ password: betterAuthHash, createdAt: at, updatedAt: at },
          },
        ],
      },
    ]),
    people: [
      {
        user: {
          userName: 'mona',
          created: at,
          email: { isEmailVerified: true },
          scim: { active: true, roles: [{ value: 'user' }, { value: 'editor' }] },
          hashedPassword: { value: bcryptHash },
        },
      },
      { user: { userName: 'omar@ba.example', email: { isEmailVerified: true }, scim: { active: false } } },
      { user: { userName: 'rut@ba.example', scim: { active: true } } },
      ...bannedPeople.map(({ active }) => ({ user: { scim: { active } } })),
      {
        user: {
          userName: 'pia',
          phone: { phone: '+4930901820', isPhoneVerified: true },
          hashedPassword: { value: betterAuthHash },
        },
      },
    ],
    lost: [
      ...['accountId', 'createdAt', 'id', 'scope', 'updatedAt', 'userId'].map((name) => `accounts[].${name}`),
      ...['displayUsername', 'twoFactorEnabled'],
    ],
  },
  logto: {
    origin: 'docs.logto.io/user-management/user-data; the hash is the documented one of the password 123456',
    system: 'json',
    text: json([
      {
        ...{
          id: 'iHXPuSb9eMzt',
          username: null,
          primaryEmail: 'mona@logto.example',
          primaryPhone: '46701234567',
          name: 'Mona Lind',
        },
        ...{
          avatar: picture,
          isSuspended: false,
          createdAt: 1714557600000,
          updatedAt: 1714557600000,
          applicationId: 'admin_console',
        },
        profile: {
          givenName: 'Mona',
          familyName: 'Lind',
          address: { locality: 'Lund', country: 'SE' },
          zoneinfo: 'Europe/Stockholm',
        },
        identities: { facebook: { userId: '1060', details: { email: 'm@fb.example' } } },
        passwordEncryptionMethod: 'Argon2i',
        passwordEncrypted:
          '$argon2i$v=19$m=4096,t=10,p=1$aZzrqpSX45DOo+9uEW6XVw$O4MdirF0mtuWWWz68eyNAt2u1FzzV3m3g00oIxmEr0U',
      },
      {
        ...{ id: 'digest', username: 'omar', isPasswordExpired: true },
        passwordEncryptionMethod: 'MD5',
        passwordEncrypted: 'e10adc3949ba59abbe56e057f20f883e',
      },
    ]),
    people: [
      {
        userId: 'iHXPuSb9eMzt',
        user: {
          userName: 'mona@logto.example',
          created: at,
          profile: { firstName: 'Mona', lastName: 'Lind', displayName: 'Mona Lind' },
          email: { isEmailVerified: true },
          phone: { phone: '46701234567', isPhoneVerified: true },
          hashedPassword: { value: /^\$argon2i\$/ },
          scim: {
            active: true,
            timezone: 'Europe/Stockholm',
            addresses: [{ locality: 'Lund', country: 'SE' }],
          },
        },
      },
      {
        userId: 'digest',
        user: {
          userName: 'omar',
          passwordChangeRequired: true,
          hashedPassword: { value: '$md5$4QrcOUm6Wau+VuBX8g+IPg' },
        },
      },
    ],
    lost: ['applicationId', 'identities.facebook.details.email', 'identities.facebook.userId'],
  },
  casdoor: {
    origin: 'casdoor/casdoor object/user.go; door.casdoor.com/swagger, get-users',
    system: 'json',
    text: json({
      ...{ status: 'ok', msg: '', sub: '' },
      data: [
        {
          ...{
            owner: 'shop',
            name: 'mona',
            id: uuid,
            type: 'normal-user',
            displayName: 'Mona Lind',
            firstName: 'Mona',
            lastName: 'Lind',
          },
          ...{
            password: bcryptHash,
            passwordSalt: '',
            passwordType: 'bcrypt',
            email: 'mona@casdoor.example',
            emailVerified: true,
          },
          ...{
            phone: '0701',
            countryCode: 'SE',
            avatar: picture,
            permanentAvatar: '',
            isForbidden: false,
            groups: ['shop/staff'],
          },
          ...{
            roles: [{ name: 'editor' }],
            createdTime: '2024-05-01T12:00:00+02:00',
            updatedTime: '2024-05-01T12:00:00+02:00',
          },
        },
        { owner: 'shop', name: 'gone', id: 'gone-1', isForbidden: false, isDeleted: true },
      ],
      data2: 1,
    }),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona',
          created: at,
          email: { isEmailVerified: true },
          hashedPassword: { value: bcryptHash },
          scim: { active: true, photos: [{ value: picture }], roles: [{ value: 'editor' }] },
        },
      },
      { userId: 'gone-1', user: { userName: 'gone', scim: { active: false } } },
    ],
    groups: ['shop/staff'],
    lost: ['(document) data2', '(document) status', 'countryCode', 'owner', 'type'],
  },
  authentik: {
    origin: 'goauthentik/authentik schema.yml, User and core_users_list; hash of Django',
    system: 'json',
    text: json({
      pagination: { next: 0, count: 1 },
      results: [
        {
          ...{
            pk: 7,
            username: 'mona',
            name: 'Mona Lind',
            is_active: true,
            last_login: null,
            is_superuser: false,
            groups: [uuid],
          },
          ...{
            groups_obj: [{ pk: uuid, name: 'staff', num_pk: 3 }],
            email: 'mona@ak.example',
            attributes: { settings: { locale: 'sv' } },
          },
          ...{ uid: 'f00', path: 'users', type: 'internal', uuid, date_joined: at },
          password: 'pbkdf2_sha256$1000$c2FsdHNhbHQ$EZp0Pxub0B6zH9UVCf/sGLP9SjxqkYZyZh5Sk+qa7wo=',
        },
      ],
    }),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona',
          created: at,
          profile: { displayName: 'Mona Lind', preferredLanguage: 'sv' },
          hashedPassword: { value: /^\$pbkdf2-sha256\$i=1000/ },
          scim: { active: true, userType: 'internal' },
        },
      },
    ],
    groups: ['staff'],
    lost: [
      '(document) pagination',
      'groups[]',
      'groups_obj[].num_pk',
      'groups_obj[].pk',
      'is_superuser',
      'path',
      'pk',
      'uid',
    ],
  },
  hanko: {
    origin: 'teamhanko/hanko backend/cmd/user/format.go, and its JSON schema of imports',
    system: 'json',
    text: json([
      {
        ...{
          user_id: uuid,
          username: 'mona',
          created_at: at,
          updated_at: at,
          password: { password: bcryptHash },
        },
        emails: [
          { address: 'm2@hanko.example', is_primary: false, is_verified: true },
          { address: 'mona@hanko.example', is_primary: true, is_verified: true },
        ],
      },
      {
        user_id: `${uuid.slice(0, -1)}2`,
        emails: [{ address: 'omar@hanko.example', is_primary: true, is_verified: true }],
      },
    ]),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona',
          email: { email: 'mona@hanko.example', isEmailVerified: true },
          hashedPassword: { value: bcryptHash },
          scim: { emails: [{ value: 'mona@hanko.example' }, { value: 'm2@hanko.example', verified: true }] },
        },
      },
      { user: { userName: 'omar@hanko.example' } },
    ],
    lost: [],
  },
  frontegg: {
    origin: 'docs.frontegg.com/reference/userscontrollerv3, users/v2',
    system: 'json',
    text: json({
      items: [
        {
          ...{
            id: uuid,
            email: 'mona@fe.example',
            name: 'Mona Lind',
            profilePictureUrl: picture,
            phoneNumber: '+4670',
            verified: true,
          },
          ...{
            isLocked: false,
            mfaEnrolled: false,
            provider: 'local',
            tenantId: 't1',
            tenantIds: ['t1'],
            metadata: '{}',
            createdAt: at,
          },
          roles: [{ id: 'r1', key: 'ADMIN', name: 'Admin' }],
        },
      ],
      _metadata: { totalItems: 1 },
    }),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona@fe.example',
          created: at,
          email: { isEmailVerified: true },
          scim: { active: true, roles: [{ value: 'Admin' }] },
        },
      },
    ],
    lost: [
      '(document) _metadata',
      'metadata',
      'mfaEnrolled',
      'provider',
      'roles[].id',
      'roles[].key',
      'tenantId',
      'tenantIds[]',
    ],
  },
  forgerock: {
    origin: 'docs.pingidentity.com/pingidm, managed/user and _queryFilter',
    system: 'json',
    text: json({
      result: [
        {
          ...{
            _id: uuid,
            _rev: '1',
            userName: 'mona',
            givenName: 'Mona',
            sn: 'Lind',
            mail: 'mona@fr.example',
            accountStatus: 'active',
          },
          ...{
            telephoneNumber: '+4670',
            city: 'Lund',
            postalCode: '22100',
            country: 'SE',
            effectiveRoles: [],
          },
        },
        {
          _id: `${uuid.slice(0, -1)}2`,
          _rev: '1',
          userName: 'omar',
          mail: 'omar@fr.example',
          accountStatus: 'inactive',
        },
      ],
      ...{ resultCount: 2, pagedResultsCookie: null, totalPagedResults: -1 },
    }),
    people: [
      {
        user: {
          userName: 'mona',
          profile: { firstName: 'Mona', lastName: 'Lind' },
          scim: { active: true, addresses: [{ locality: 'Lund', postalCode: '22100', country: 'SE' }] },
        },
      },
      { user: { userName: 'omar', scim: { active: false } } },
    ],
    lost: ['(document) resultCount', '(document) totalPagedResults', '_rev'],
  },
  wordpress: {
    origin: 'developer.wordpress.org/cli/commands/user/list; the hash is of the phpass test program',
    system: 'json',
    text: json([
      {
        ...{ ID: 7, user_login: 'mona', display_name: 'Mona Lind', user_email: 'mona@wp.example' },
        ...{
          user_registered: '2024-05-01 10:00:00',
          roles: 'editor,author',
          user_pass: '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
        },
      },
    ]),
    people: [
      {
        user: {
          userName: 'mona',
          created: at,
          hashedPassword: { value: /^\$P\$/ },
          scim: { externalId: '7', roles: [{ value: 'editor' }, { value: 'author' }] },
        },
      },
    ],
    lost: [],
  },
  'azure-ad-b2c': {
    origin: 'learn.microsoft.com/azure/active-directory-b2c/user-profile-attributes; Graph objectIdentity',
    system: 'json',
    text: json({
      '@odata.context': 'https://graph.microsoft.com/v1.0/$metadata#users',
      value: [
        {
          ...{
            id: uuid,
            displayName: 'Mona Lind',
            mail: null,
            otherMails: ['mona@b2c.example'],
            accountEnabled: true,
          },
          ...{
            userPrincipalName: `${uuid}@shop.onmicrosoft.com`,
            createdDateTime: '2024-05-01T10:00:00Z',
            businessPhones: [],
          },
          identities: [
            {
              signInType: 'emailAddress',
              issuer: 'shop.onmicrosoft.com',
              issuerAssignedId: 'mona@b2c.example',
            },
            {
              signInType: 'userPrincipalName',
              issuer: 'shop.onmicrosoft.com',
              issuerAssignedId: `${uuid}@shop.onmicrosoft.com`,
            },
          ],
        },
      ],
    }),
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona@b2c.example',
          created: at,
          email: { email: 'mona@b2c.example' },
          scim: { active: true },
        },
      },
    ],
    lost: ['identities[].issuer', 'identities[].issuerAssignedId', 'userPrincipalName'],
  },
  'auth0-csv': {
    origin:
      'auth0.com/docs/manage-users/user-migration/bulk-user-exports: each text begins with an apostrophe',
    system: 'csv',
    text:
      'user_id,email,email_verified,given_name,family_name,name,nickname,picture,created_at,updated_at\n' +
      `"'auth0|5f7c8ec7c33c6c004bbafe82","'mona@a0.example",true,"'Mona","'t Hooft","'Mona ""Mo"" Lind","'mo","'${picture}","'${at}","'${at}"\n`,
    people: [
      {
        userId: 'auth0|5f7c8ec7c33c6c004bbafe82',
        user: {
          userName: 'mona@a0.example',
          created: at,
          profile: { firstName: 'Mona', displayName: 'Mona "Mo" Lind', nickName: 'mo' },
          email: { isEmailVerified: true },
          scim: { photos: [{ value: picture }] },
        },
      },
    ],
    lost: [],
  },
  'entra-csv': {
    origin: 'learn.microsoft.com/entra/identity/users/users-bulk-download',
    system: 'csv',
    text:
      'userPrincipalName,displayName,surname,mail,givenName,objectId,userType,jobTitle,department,accountEnabled,usageLocation,streetAddress,' +
      'state,country,physicalDeliveryOfficeName,city,postalCode,telephoneNumber,mobile,alternateEmailAddress\n' +
      `mona@shop.example,Mona Lind,Lind,mona@mail.example,Mona,${uuid},Member,Lead,Tours,True,SE,1 Road,,Sweden,Room 7,Lund,22100,+46 1,+46 70,\n`,
    people: [
      {
        userId: uuid,
        user: {
          userName: 'mona@shop.example',
          email: { email: 'mona@mail.example' },
          phone: { phone: '+46 70' },
          scim: {
            active: true,
            title: 'Lead',
            userType: 'Member',
            phoneNumbers: [{ value: '+46 70' }, { value: '+46 1', type: 'work' }],
            addresses: [{ streetAddress: '1 Road', locality: 'Lund', country: 'Sweden', type: 'work' }],
          },
        },
      },
    ],
    lost: ['physicalDeliveryOfficeName', 'usageLocation'],
  },
  'google-workspace-csv': {
    origin: 'support.google.com/a/answer/40057, column reference',
    system: 'csv',
    text:
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],' +
      'Org Unit Path [Required],Recovery Email,Work Secondary Email,Recovery Phone [MUST BE IN THE E.164 FORMAT],Work Phone,Mobile Phone,' +
      'Work Address,Employee ID,Department,Change Password at Next Sign-In,Status [READ ONLY]\n' +
      'Mona,Lind,mona@gws.example,****,,/Tours,m@home.example,,,+46 1,+46 70,1 Road,E7,Tours,False,Active\n' +
      'Omar,Ek,omar@gws.example,****,,/Tours,,,,,,,,,True,Suspended\n',
    people: [
      {
        user: {
          userName: 'mona@gws.example',
          profile: { firstName: 'Mona', lastName: 'Lind' },
          phone: { phone: '+46 70' },
          scim: {
            active: true,
            employeeNumber: 'E7',
            emails: [{ value: 'mona@gws.example' }, { value: 'm@home.example', type: 'other' }],
            phoneNumbers: [
              { value: '+46 70', type: 'mobile' },
              { value: '+46 1', type: 'work' },
            ],
            addresses: [{ formatted: '1 Road', type: 'work' }],
          },
        },
      },
      { user: { userName: 'omar@gws.example', scim: { active: false } } },
    ],
    lost: ['Org Unit Path [Required]', 'Password [Required]'],
  },
  workos: {
    origin: 'workos.com/docs/reference/authkit/user',
    system: 'json',
    text: json({
      object: 'list',
      data: [
        {
          ...{
            object: 'user',
            id: 'user_01E4ZCR3C56J083X43JQXF3JK5',
            email: 'mona@workos.example',
            first_name: 'Mona',
            last_name: 'Lind',
          },
          ...{
            email_verified: true,
            profile_picture_url: picture,
            last_sign_in_at: at,
            external_id: 'f7',
            created_at: at,
            updated_at: at,
          },
        },
      ],
      list_metadata: { before: null, after: null },
    }),
    people: [
      {
        userId: 'user_01E4ZCR3C56J083X43JQXF3JK5',
        user: {
          userName: 'mona@workos.example',
          email: { isEmailVerified: true },
          scim: { externalId: 'f7' },
        },
      },
    ],
    lost: ['(document) object', 'last_sign_in_at', 'object'],
  },
};
