import { hashExamples } from '../keys/hash-examples.js';
import { bcryptHash } from './imports.js';

/** What an import gets of a person, in short. An absent property must be absent. */
export interface ShortPerson {
  readonly userName: string;
  readonly email?: string;
  readonly active?: boolean;
  readonly id?: string;
  readonly externalId?: string;
  /** The beginning of the hash. */
  readonly hash?: string;
  readonly password?: string;
  readonly displayName?: string;
  readonly otp?: string;
}

/** A file of a system for which nobody wrote a mapping. The people are invented. */
interface SystemExport {
  /** Where its owner documents the form. */
  readonly origin: string;
  readonly system: 'csv' | 'json';
  readonly text: string;
  readonly people: readonly ShortPerson[];
  /** The notes and errors. None if it is absent. */
  readonly told?: readonly RegExp[];
  /** Some of what reaches nothing. */
  readonly lost?: readonly string[];
  readonly groups?: readonly string[];
}

const json = (value: unknown) => JSON.stringify(value);
/** The first example of a form. */
const like = (start: string) => hashExamples.find(({ hash }) => hash.startsWith(start))?.hash ?? start;
const short = (hash: string) => hash.slice(0, 8);

const bcrypt = bcryptHash;
const uuid = '3b9c2f0e-6a51-4c3a-9a0e-5d8f0f3f1a01';
const otherUuid = '3b9c2f0e-6a51-4c3a-9a0e-5d8f0f3f1a02';
const at = '2024-05-01T10:00:00.000Z';
const salt = 'a8f5f167f44f4964e6c998dee827110c9d3f2b6a7c5e8d0f1a2b3c4d5e6f7081';
const longKey = salt.repeat(16);
const ofDrupal = like('$S$');
const ofDjango = like('pbkdf2_sha256$');
const argon2 = like('$argon2id$');

/** A user of Appwrite. */
const appwrite = (name: string, more: object) => ({
  ...{
    $id: `68a1c0de${name}`,
    $createdAt: at,
    $updatedAt: at,
    name,
    registration: at,
    status: true,
    labels: [],
  },
  ...{ passwordUpdate: at, email: `${name}@appwrite.example`, phone: '', emailVerification: true },
  ...{ phoneVerification: false, mfa: false, prefs: { theme: 'dark' }, accessedAt: at },
  targets: [{ $id: 't', userId: 'u', providerType: 'email', identifier: `${name}@appwrite.example` }],
  ...more,
});

/** Files whose columns nobody named for us: what the guess must make of them. */
export const systemExports: Readonly<Record<string, SystemExport>> = {
  'Drupal, table users_field_data': {
    origin:
      'drupal/core, modules/user/src/UserStorageSchema.php; user.install, user_schema(): login is the time of the last sign-in',
    system: 'json',
    text: json([
      {
        ...{
          uid: '2',
          langcode: 'en',
          preferred_langcode: 'en',
          name: 'Mona Lind',
          pass: ofDrupal,
          mail: 'mona@drupal.example',
        },
        ...{ timezone: 'Europe/Stockholm', status: '1', created: '1714557600', changed: '1714557601' },
        ...{ access: '1714557602', login: '1714557603', init: 'first@drupal.example', default_langcode: '1' },
      },
      {
        ...{
          uid: '3',
          langcode: 'en',
          preferred_langcode: 'en',
          name: 'omar',
          pass: bcrypt,
          mail: 'omar@drupal.example',
        },
        ...{
          timezone: 'UTC',
          status: '0',
          created: '1714557600',
          changed: '1714557601',
          access: '0',
          login: '0',
        },
        ...{ init: 'omar@drupal.example', default_langcode: '1' },
      },
    ]),
    people: [
      {
        userName: 'Mona Lind',
        email: 'mona@drupal.example',
        active: true,
        externalId: '2',
        hash: short(ofDrupal),
      },
      { userName: 'omar', email: 'omar@drupal.example', active: false, externalId: '3', hash: short(bcrypt) },
    ],
    lost: ['login 2', 'init 2'],
  },
  'Drupal, a table with three columns': {
    origin: 'drupal.org, Views data export of users: uid, name, mail',
    system: 'csv',
    text: 'uid,name,mail\n17,mona,mona@drupal.example\n18,omar,omar@drupal.example\n',
    people: [
      { userName: 'mona', email: 'mona@drupal.example', externalId: '17' },
      { userName: 'omar', email: 'omar@drupal.example', externalId: '18' },
    ],
  },
  'Drupal, REST': {
    origin: 'drupal.org/docs, core modules, REST: GET /user/2?_format=json',
    system: 'json',
    text: json([
      {
        ...{
          uid: [{ value: 2 }],
          uuid: [{ value: uuid }],
          name: [{ value: 'mona' }],
          mail: [{ value: 'mona@drupal.example' }],
        },
        ...{
          status: [{ value: true }],
          created: [{ value: at, format: 'Y-m-d\\TH:i:sP' }],
          roles: [{ target_id: 'editor' }],
        },
      },
    ]),
    people: [{ userName: 'mona', email: 'mona@drupal.example', active: true, id: uuid, externalId: '2' }],
  },
  'a directory as a table': {
    origin: 'RFC 4519: uid is a user name. The columns of ldapsearch tools that write CSV',
    system: 'csv',
    text:
      'dn,objectClass,uid,cn,sn,givenName,mail,userPassword,telephoneNumber,memberOf\n' +
      `"uid=mona,ou=people,dc=ldap,dc=example",inetOrgPerson,mona,Mona Lind,Lind,Mona,mona@ldap.example,${like('{SSHA}')},+46 8 1,"cn=staff,ou=groups,dc=ldap,dc=example"\n`,
    people: [{ userName: 'mona', email: 'mona@ldap.example', hash: '$sha1$pf', displayName: 'Mona Lind' }],
    groups: ['cn=staff,ou=groups,dc=ldap,dc=example'],
    lost: ['dn 1', 'objectClass 1'],
  },
  'Active Directory by csvde': {
    origin: 'learn.microsoft.com, csvde; userAccountControl: 514 and 66050 are disabled accounts',
    system: 'csv',
    text:
      'DN,objectClass,cn,sn,givenName,displayName,memberOf,sAMAccountName,userAccountControl,mail,whenCreated\n' +
      '"CN=Mona Lind,CN=Users,DC=ad,DC=example",user,Mona Lind,Lind,Mona,Mona Lind,"CN=Staff,DC=ad,DC=example;CN=Lab,DC=ad,DC=example",mona,512,mona@ad.example,20240501100000.0Z\n' +
      '"CN=Omar Ek,CN=Users,DC=ad,DC=example",user,Omar Ek,Ek,Omar,Omar Ek,,omar,514,omar@ad.example,20240501100000.0Z\n' +
      '"CN=Pia Ek,CN=Users,DC=ad,DC=example",user,Pia Ek,Ek,Pia,Pia Ek,,pia,66050,pia@ad.example,20240501100000.0Z\n' +
      '"CN=Zoe Ek,CN=Users,DC=ad,DC=example",user,Zoe Ek,Ek,Zoe,Zoe Ek,,zoe,66048,zoe@ad.example,20240501100000.0Z\n',
    people: [
      { userName: 'mona', email: 'mona@ad.example', active: true, displayName: 'Mona Lind' },
      { userName: 'omar', email: 'omar@ad.example', active: false, displayName: 'Omar Ek' },
      { userName: 'pia', email: 'pia@ad.example', active: false, displayName: 'Pia Ek' },
      { userName: 'zoe', email: 'zoe@ad.example', active: true, displayName: 'Zoe Ek' },
    ],
    groups: ['CN=Staff,DC=ad,DC=example', 'CN=Lab,DC=ad,DC=example'],
  },
  Appwrite: {
    origin:
      'appwrite.io/docs/references, Users, User object; the hashes of appwrite/appwrite, tests/unit/Auth/AuthTest.php',
    system: 'json',
    text: json({
      total: 6,
      users: [
        appwrite('ada', {
          password: argon2,
          hash: 'argon2',
          hashOptions: { type: 'argon2', memoryCost: 2_048 },
        }),
        appwrite('bea', {
          password: '144fa7eaa4904e8ee120651997f70dcc',
          hash: 'md5',
          hashOptions: { type: 'md5' },
        }),
        appwrite('cid', {
          password: '$P$BVKPmJBZuLch27D4oiMRTEykGLQ9tX0',
          hash: 'phpass',
          hashOptions: { type: 'phpass' },
        }),
        appwrite('dan', {
          password:
            'b448ad7ba88b653b5b56b8053a06806724932d0751988bc9cd0ef7ff059e8ba8a020e1913b7069a650d3f99a1559aba0221f2c277826919513a054e76e339028',
          hash: 'scrypt',
          hashOptions: {
            type: 'scrypt',
            salt: 'some-salt',
            length: 64,
            costCpu: 16_384,
            costMemory: 12,
            costParallel: 2,
          },
        }),
        appwrite('eli', {
          password:
            'EPKgfALpS9Tvgr/y1ki7ubY4AEGJeWL3teakrnmOacN4XGiyD00lkzEHgqCQ71wGxoi/zb7Y9a4orOtvMV3/Jw==',
          hash: 'scryptMod',
          hashOptions: {
            ...{ type: 'scryptMod', salt: '56dFqW+kswqktw==', saltSeparator: 'Bw==' },
            signerKey:
              'XyEKE9RcTDeLEsL/RjwPDBv/RqDl8fb3gpYEOQaPihbxf1ZAtSOHCjuAAa7Q3oHpCYhXSN9tizHgVOwn6krflQ==',
          },
        }),
        appwrite('fay', {
          password:
            '2455118438cb125354b89bb5888346e9bd23355462c40df393fab514bf2220b5a08e4e2d7b85d7327595a450d0ac965cc6661152a46a157c66d681bed20a4735',
          hash: 'sha',
          hashOptions: { type: 'sha', version: 'sha3-512' },
          status: false,
        }),
        // The API does not tell the version, and the digits are of SHA-2 or SHA-3.
        appwrite('gus', { password: 'ab'.repeat(64), hash: 'sha', hashOptions: { type: 'sha' } }),
      ],
    }),
    people: [
      ...(
        [
          ['ada', short(argon2)],
          ['bea', '$md5$FE+'],
          ['cid', '$P$BVKPm'],
          ['dan', '$scrypt$'],
          ['eli', '$firescr'],
          ['fay', '$sha3-51'],
        ] as const
      ).map(([name, hash]) => ({
        ...{
          userName: `${name}@appwrite.example`,
          email: `${name}@appwrite.example`,
          active: name !== 'fay',
        },
        ...{ externalId: `68a1c0de${name}`, hash, displayName: name },
      })),
    ],
    told: [/HASH-UNREADABLE/],
    lost: ['prefs.theme 6'],
  },
  Joomla: {
    origin: 'joomla/joomla-cms, installation/sql/mysql/base.sql, #__users',
    system: 'csv',
    text:
      'id,name,username,email,password,block,sendEmail,registerDate,lastvisitDate,activation,params,lastResetTime,resetCount,otpKey,otep,requireReset,authProvider\n' +
      `42,Mona Lind,mona,mona@joomla.example,${bcrypt},0,1,2024-05-01 10:00:00,,,{},,0,,,0,\n` +
      `43,Omar Ek,omar,omar@joomla.example,5f57c79f592801d21209723d99d7eaad:J0omlaSalt,1,0,2024-05-01 10:00:00,0000-00-00 00:00:00,,{},,0,,,1,\n`,
    people: [
      {
        ...{
          userName: 'mona',
          email: 'mona@joomla.example',
          active: true,
          externalId: '42',
          hash: short(bcrypt),
        },
        displayName: 'Mona Lind',
      },
      {
        ...{
          userName: 'omar',
          email: 'omar@joomla.example',
          active: false,
          externalId: '43',
          hash: '5f57c79f',
        },
        displayName: 'Omar Ek',
      },
    ],
  },
  Moodle: {
    origin:
      'moodle/moodle, lib/db/install.xml, table user: confirmed, deleted and suspended; timezone 99 is that of the server',
    system: 'csv',
    text:
      'id,auth,confirmed,policyagreed,deleted,suspended,mnethostid,username,password,idnumber,firstname,lastname,email,emailstop,phone1,phone2,institution,department,address,city,country,lang,timezone,picture,timecreated,timemodified\n' +
      `7,manual,1,0,0,0,1,mona,${bcrypt},,Mona,Lind,mona@moodle.example,0,+46 8 123456,+46 70 1234567,Lab,Physics,,Lund,SE,en,99,0,1714557600,1714557601\n` +
      `8,manual,1,0,0,1,1,omar,${like('$6$')},,Omar,Ek,omar@moodle.example,0,,,,,,Lund,SE,sv,99,0,1714557600,1714557601\n`,
    people: [
      { userName: 'mona', email: 'mona@moodle.example', active: true, externalId: '7', hash: short(bcrypt) },
      {
        userName: 'omar',
        email: 'omar@moodle.example',
        active: false,
        externalId: '8',
        hash: like('$6$').slice(0, 8),
      },
    ],
  },
  Discourse: {
    origin:
      'discourse/discourse, app/jobs/regular/export_csv_file.rb, HEADER_ATTRS_FOR user_list: suspended_till may be over',
    system: 'csv',
    text:
      'id,name,username,email,title,created_at,last_seen_at,last_posted_at,last_emailed_at,trust_level,approved,suspended_at,suspended_till,blocked,active,admin,moderator,ip_address,staged,secondary_emails\n' +
      '1,Mona Lind,mona,mona@discourse.example,,2024-05-01 10:00:00 UTC,,,,1,false,,,,true,false,false,,false,\n' +
      '2,Omar Ek,omar,omar@discourse.example,,2024-05-01 10:00:00 UTC,,,,1,false,2024-06-01 10:00:00 UTC,2099-01-01 00:00:00 UTC,,true,false,false,,false,\n' +
      '3,Pia Ek,pia,pia@discourse.example,,2024-05-01 10:00:00 UTC,,,,1,false,2024-06-01 10:00:00 UTC,2024-07-01 00:00:00 UTC,,true,false,false,,false,\n' +
      '4,Zoe Ek,zoe,zoe@discourse.example,,2024-05-01 10:00:00 UTC,,,,1,false,2024-06-01 10:00:00 UTC,,,true,false,false,,false,\n',
    people: (
      [
        ['mona', 'Mona Lind', true],
        ['omar', 'Omar Ek', false],
        ['pia', 'Pia Ek', true],
        ['zoe', 'Zoe Ek', false],
      ] as const
    ).map(([userName, displayName, active], place) => ({
      ...{
        userName,
        email: `${userName}@discourse.example`,
        active,
        externalId: `${place + 1}`,
        displayName,
      },
    })),
  },
  'Gitea, table user': {
    origin:
      'go-gitea/gitea, models/user/user.go: name is the user name, login_name that of an outside source, prohibit_login a lock',
    system: 'json',
    text: json(
      ['mona', 'omar'].map((name, place) => ({
        ...{
          id: place + 1,
          lower_name: name,
          name,
          full_name: place === 0 ? 'Mona Lind' : '',
          email: `${name}@gitea.example`,
        },
        ...{
          keep_email_private: 0,
          passwd: '3f'.repeat(50),
          passwd_hash_algo: 'pbkdf2$50000$50',
          must_change_password: 0,
        },
        ...{
          login_type: 0,
          login_source: 0,
          login_name: '',
          type: 0,
          location: '',
          website: '',
          rands: 'aB3kZ9xQ1p',
        },
        ...{
          salt: 'ZgH0qT2u1w',
          language: 'en-US',
          created_unix: 1_714_557_600,
          updated_unix: 1_714_557_601,
        },
        ...{ is_active: 1, is_admin: 0, is_restricted: 0, prohibit_login: place, avatar: '0c1f5e8e' },
      })),
    ),
    people: [
      {
        userName: 'mona',
        email: 'mona@gitea.example',
        active: true,
        externalId: '1',
        displayName: 'Mona Lind',
      },
      { userName: 'omar', email: 'omar@gitea.example', active: false, externalId: '2' },
    ],
    told: [/"passwd" has hashes and "salt" their salts/],
    lost: ['passwd 2', 'salt 2'],
  },
  GitLab: {
    origin:
      'docs.gitlab.com/api/users, List users: state is active, blocked, blocked_pending_approval, ldap_blocked, banned or deactivated',
    system: 'json',
    text: json(
      (['active', 'blocked', 'blocked_pending_approval', 'ldap_blocked'] as const).map((state, place) => ({
        ...{
          id: place + 1,
          username: `u${place}`,
          name: `U ${place}`,
          state,
          locked: false,
          avatar_url: null,
        },
        ...{
          web_url: 'https://gitlab.example/u',
          created_at: at,
          bio: '',
          public_email: '',
          website_url: '',
        },
        ...{
          organization: '',
          job_title: '',
          confirmed_at: at,
          email: `u${place}@gitlab.example`,
          external: false,
        },
        ...{ commit_email: `u${place}@users.gitlab.example`, two_factor_enabled: false, is_admin: false },
        ...{
          identities: [{ provider: 'ldap', extern_uid: 'x' }],
          created_by: { id: 9, username: 'root', name: 'Root' },
        },
      })),
    ),
    people: [0, 1, 2, 3].map((place) => ({
      ...{
        userName: `u${place}`,
        email: `u${place}@gitlab.example`,
        active: place === 0,
        externalId: `${place + 1}`,
      },
      displayName: `U ${place}`,
    })),
  },
  'Mattermost, mmctl user list --json': {
    origin: 'developers.mattermost.com/api-documentation, User: delete_at is 0 for people who are there',
    system: 'json',
    text: json(
      ['mona', 'omar'].map((username, place) => ({
        ...{
          id: `${place}xmw9f8zj7yr5cmqk3uqg1ea4w`,
          create_at: 1_714_557_600_000,
          update_at: 1_714_557_600_000,
        },
        ...{ delete_at: place === 0 ? 0 : 1_714_557_600_000, username, auth_data: '', auth_service: '' },
        ...{
          email: `${username}@mattermost.example`,
          email_verified: true,
          nickname: '',
          first_name: '',
          last_name: '',
        },
        ...{ position: '', roles: 'system_user', locale: 'en', mfa_active: false },
        timezone: { automaticTimezone: 'Europe/Stockholm', manualTimezone: '', useAutomaticTimezone: 'true' },
      })),
    ),
    people: [
      { userName: 'mona', email: 'mona@mattermost.example', active: true, id: '0xmw9f8zj7yr5cmqk3uqg1ea4w' },
      { userName: 'omar', email: 'omar@mattermost.example', active: false, id: '1xmw9f8zj7yr5cmqk3uqg1ea4w' },
    ],
  },
  'Mattermost, bulk export': {
    origin: 'docs.mattermost.com, bulk loading tool, user object; other lines are teams and channels',
    system: 'json',
    text: [
      { type: 'version', version: 1 },
      { type: 'team', team: { name: 'lab', display_name: 'Lab', type: 'O' } },
      {
        type: 'user',
        user: {
          ...{
            username: 'mona',
            email: 'mona@mattermost.example',
            auth_service: '',
            nickname: '',
            first_name: 'Mona',
          },
          ...{
            last_name: 'Lind',
            position: '',
            roles: 'system_user',
            locale: 'en',
            teams: [{ name: 'lab', roles: '' }],
          },
        },
      },
      {
        type: 'post',
        post: { team: 'lab', channel: 'town', user: 'mona', message: 'hi', create_at: 1_714_557_600_000 },
      },
    ]
      .map(json)
      .join('\n'),
    people: [{ userName: 'mona', email: 'mona@mattermost.example' }],
    told: [/^1 error/, /^2 error/, /^4 error/],
    groups: ['lab'],
  },
  'Nextcloud, occ user:list --info': {
    origin: 'docs.nextcloud.com, occ command, user:list --info --output=json: user_id is what people type',
    system: 'json',
    text: json({
      mona: {
        ...{
          user_id: 'mona',
          display_name: 'Mona Lind',
          email: 'mona@nextcloud.example',
          cloud_id: 'mona@cloud.example',
        },
        ...{ enabled: true, groups: ['lab'], quota: 'none', last_seen: at, backend: 'Database' },
      },
      omar: {
        ...{ user_id: 'omar', display_name: 'Omar Ek', email: null, cloud_id: 'omar@cloud.example' },
        ...{ enabled: false, groups: [], quota: 'none', last_seen: at, backend: 'Database' },
      },
    }),
    people: [
      { userName: 'mona', email: 'mona@nextcloud.example', active: true, displayName: 'Mona Lind' },
      { userName: 'omar', active: false, displayName: 'Omar Ek' },
    ],
    groups: ['lab'],
  },
  'Nextcloud, table oc_users': {
    origin: 'nextcloud/server, core/Migrations: uid, displayname, password, uid_lower',
    system: 'csv',
    text: `uid,displayname,password,uid_lower\nMona,Mona Lind,"3|${argon2}",mona\n`,
    people: [{ userName: 'Mona', hash: short(argon2), displayName: 'Mona Lind' }],
  },
  'Rocket.Chat': {
    origin:
      'RocketChat/Rocket.Chat, packages/core-typings/src/IUser.ts, by mongoexport: status is whether somebody is online',
    system: 'json',
    text: json([
      {
        ...{
          _id: 'Qw7kSmTCZiw5KDx3L',
          createdAt: { $date: at },
          username: 'mona',
          name: 'Mona Lind',
          type: 'user',
        },
        ...{ status: 'offline', active: true, roles: ['user'], utcOffset: 2, __rooms: ['GENERAL'] },
        emails: [{ address: 'mona@rocket.example', verified: true }],
        services: {
          password: { bcrypt },
          email2fa: { enabled: true },
          resume: { loginTokens: [{ hashedToken: 'x' }] },
        },
      },
    ]),
    people: [
      {
        ...{ userName: 'mona', email: 'mona@rocket.example', active: true, id: 'Qw7kSmTCZiw5KDx3L' },
        ...{ hash: 'bcrypt_s', displayName: 'Mona Lind' },
      },
    ],
  },
  Zulip: {
    origin: 'zulip.com/api/get-users: email may be made up, delivery_email is the real one',
    system: 'json',
    text: json({
      members: ['mona', 'omar'].map((name, place) => ({
        ...{
          user_id: place + 7,
          delivery_email: `${name}@zulip.example`,
          email: `user${place + 7}@chat.example`,
        },
        ...{ full_name: name === 'mona' ? 'Mona Lind' : 'Omar Ek', date_joined: at, is_active: place === 0 },
        ...{ is_owner: false, is_bot: false, role: 400, avatar_url: null, timezone: 'Europe/Stockholm' },
      })),
    }),
    people: [
      {
        userName: 'mona@zulip.example',
        email: 'mona@zulip.example',
        active: true,
        externalId: '7',
        displayName: 'Mona Lind',
      },
      {
        userName: 'omar@zulip.example',
        email: 'omar@zulip.example',
        active: false,
        externalId: '8',
        displayName: 'Omar Ek',
      },
    ],
  },
  Parse: {
    origin: 'parse-community/parse-server, src/Adapters/Storage/Mongo: _User by mongoexport --jsonArray',
    system: 'json',
    text: json([
      {
        ...{
          _id: 'kRf81GxQ2b',
          username: 'mona',
          email: 'mona@parse.example',
          emailVerified: false,
          _hashed_password: bcrypt,
        },
        ...{
          _wperm: ['kRf81GxQ2b'],
          _rperm: ['*'],
          _acl: { kRf81GxQ2b: { r: true, w: true } },
          _created_at: { $date: at },
        },
        ...{ _email_verify_token: 'Zk3', _perishable_token: 'Zk3', _session_token: 'r:1' },
      },
    ]),
    people: [
      { userName: 'mona', email: 'mona@parse.example', externalId: 'kRf81GxQ2b', hash: short(bcrypt) },
    ],
  },
  PocketBase: {
    origin:
      'pocketbase.io/docs/authentication, records of an auth collection, from the table users: nobody needs a username',
    system: 'json',
    text: json(
      ['mona', ''].map((username, place) => ({
        ...{
          avatar: 'mona_8f1.png',
          created: '2024-05-01 10:00:00.123Z',
          email: `u${place}@pocket.example`,
          emailVisibility: 0,
        },
        ...{ id: `abc12def34ghi5${place}`, name: '', password: bcrypt, tokenKey: 'kT'.repeat(25) },
        ...{ updated: '2024-05-01 10:00:00.123Z', username, verified: 1 },
      })),
    ),
    people: [
      { userName: 'mona', email: 'u0@pocket.example', externalId: 'abc12def34ghi50', hash: short(bcrypt) },
      {
        userName: 'u1@pocket.example',
        email: 'u1@pocket.example',
        externalId: 'abc12def34ghi51',
        hash: short(bcrypt),
      },
    ],
  },
  'Nhost, Hasura': {
    origin: 'nhost/hasura-auth, migrations: auth.users',
    system: 'csv',
    text:
      'id,created_at,updated_at,last_seen,disabled,display_name,avatar_url,locale,email,phone_number,password_hash,email_verified,phone_number_verified,new_email,otp_hash,default_role,is_anonymous,totp_secret,active_mfa_type,metadata\n' +
      `${uuid},2024-05-01 10:00:00+00,2024-05-01 10:00:00+00,,false,Mona Lind,,en,mona@nhost.example,,${bcrypt},true,false,other@nhost.example,,user,false,,,{}\n` +
      `${otherUuid},2024-05-01 10:00:00+00,2024-05-01 10:00:00+00,,true,Omar Ek,,en,omar@nhost.example,,${bcrypt},true,false,,,user,false,,,{}\n`,
    people: [
      {
        ...{
          userName: 'mona@nhost.example',
          email: 'mona@nhost.example',
          active: true,
          id: uuid,
          hash: short(bcrypt),
        },
        displayName: 'Mona Lind',
      },
      {
        ...{
          userName: 'omar@nhost.example',
          email: 'omar@nhost.example',
          active: false,
          id: otherUuid,
          hash: short(bcrypt),
        },
        displayName: 'Omar Ek',
      },
    ],
  },
  'NextAuth with Prisma': {
    origin:
      'authjs.dev/getting-started/adapters/prisma, model User, with a column password as its tutorials have it',
    system: 'json',
    text: json([
      {
        id: 'clx1k2m3n0000abcd1234efgh',
        name: 'Mona Lind',
        email: 'mona@next.example',
        emailVerified: at,
        image: null,
        password: bcrypt,
      },
      {
        id: 'clx1k2m3n0001abcd1234efgh',
        name: 'Omar Ek',
        email: 'omar@next.example',
        emailVerified: null,
        image: null,
        password: null,
      },
    ]),
    people: [
      {
        ...{
          userName: 'mona@next.example',
          email: 'mona@next.example',
          id: 'clx1k2m3n0000abcd1234efgh',
          hash: short(bcrypt),
        },
        displayName: 'Mona Lind',
      },
      {
        ...{ userName: 'omar@next.example', email: 'omar@next.example', id: 'clx1k2m3n0001abcd1234efgh' },
        displayName: 'Omar Ek',
      },
    ],
  },
  'Passport-Local Mongoose': {
    origin: 'saintedlama/passport-local-mongoose, README: hash and salt, 512 bytes of PBKDF2 in hexadecimal',
    system: 'json',
    text: json([
      {
        _id: { $oid: '5f1d7f0e9c43b7e9a570d4a6' },
        username: 'mona',
        email: 'mona@passport.example',
        hash: longKey,
        salt,
      },
    ]),
    people: [{ userName: 'mona', email: 'mona@passport.example', id: '5f1d7f0e9c43b7e9a570d4a6' }],
    told: [/"hash" has hashes and "salt" their salts/],
    lost: ['hash 1', 'salt 1'],
  },
  Laravel: {
    origin:
      'laravel/laravel, database/migrations, create_users_table; laravel/fortify, two_factor_secret is encrypted',
    system: 'csv',
    text:
      'id,name,email,email_verified_at,password,two_factor_secret,two_factor_recovery_codes,remember_token,created_at,updated_at\n' +
      `1,Mona Lind,mona@laravel.example,2024-05-01 10:00:00,${bcrypt.replace('$2b$', '$2y$')},eyJpdiI6IlpXa0xM0w9PSIsInZhbHVlIjoiMTgwOSJ9,eyJpdiI6IjEi,abc,2024-05-01 10:00:00,2024-05-01 10:00:00\n`,
    people: [
      {
        ...{
          userName: 'mona@laravel.example',
          email: 'mona@laravel.example',
          externalId: '1',
          hash: '$2y$10$a'.slice(0, 4),
        },
        displayName: 'Mona Lind',
      },
    ],
    lost: ['two_factor_secret 1'],
  },
  'Rails with Devise': {
    origin:
      'heartcombo/devise, lib/generators/active_record/devise_generator.rb: unconfirmed_email is not the person’s yet',
    system: 'csv',
    text:
      'id,email,encrypted_password,reset_password_token,sign_in_count,confirmation_token,confirmed_at,unconfirmed_email,failed_attempts,unlock_token,locked_at,created_at,updated_at\n' +
      `1,mona@devise.example,${bcrypt},,3,,2024-05-01 10:00:00,new@devise.example,0,,,2024-05-01 10:00:00,2024-05-01 10:00:00\n` +
      `2,omar@devise.example,${bcrypt},,3,,2024-05-01 10:00:00,,0,,2024-05-02 10:00:00,2024-05-01 10:00:00,2024-05-01 10:00:00\n`,
    people: [
      {
        userName: 'mona@devise.example',
        email: 'mona@devise.example',
        active: true,
        externalId: '1',
        hash: short(bcrypt),
      },
      {
        userName: 'omar@devise.example',
        email: 'omar@devise.example',
        active: false,
        externalId: '2',
        hash: short(bcrypt),
      },
    ],
    lost: ['unconfirmed_email 1'],
  },
  'Django, dumpdata auth': {
    origin:
      'docs.djangoproject.com, django-admin dumpdata: records of all models in one list, groups by their numbers',
    system: 'json',
    text: json([
      { model: 'auth.group', pk: 1, fields: { name: 'editors', permissions: [1] } },
      {
        model: 'auth.user',
        pk: 7,
        fields: {
          ...{
            password: ofDjango,
            last_login: null,
            is_superuser: false,
            username: 'mona',
            first_name: 'Mona',
            last_name: 'Lind',
          },
          ...{
            email: 'mona@django.example',
            is_staff: true,
            is_active: true,
            date_joined: at,
            groups: [1],
            user_permissions: [],
          },
        },
      },
      {
        model: 'auth.user',
        pk: 8,
        fields: {
          ...{
            password: `!${'a'.repeat(40)}`,
            last_login: null,
            is_superuser: false,
            username: 'omar',
            first_name: '',
            last_name: '',
          },
          ...{
            email: 'omar@django.example',
            is_staff: false,
            is_active: false,
            date_joined: at,
            groups: [],
            user_permissions: [],
          },
        },
      },
    ]),
    people: [
      { userName: 'mona', email: 'mona@django.example', active: true, externalId: '7', hash: '$pbkdf2-' },
      { userName: 'omar', email: 'omar@django.example', active: false, externalId: '8' },
    ],
    told: [/^1 error/],
  },
  'Django with allauth and people without user names': {
    origin: 'docs.allauth.org: account.emailaddress has the addresses of people once more',
    system: 'json',
    text: json([
      {
        model: 'account.emailaddress',
        pk: 1,
        fields: { user: 7, email: 'mona@django.example', verified: true, primary: true },
      },
      {
        model: 'people.user',
        pk: 7,
        fields: { password: ofDjango, email: 'mona@django.example', is_active: true },
      },
      {
        model: 'account.emailaddress',
        pk: 2,
        fields: { user: 7, email: 'second@django.example', verified: true, primary: false },
      },
    ]),
    people: [
      {
        userName: 'mona@django.example',
        email: 'mona@django.example',
        active: true,
        externalId: '7',
        hash: '$pbkdf2-',
      },
    ],
    told: [/^1 error/, /^1 error/],
  },
  'Flask-Security': {
    origin:
      'flask-security-too.readthedocs.io, models: fs_uniquifier is no identifier of the person, tf_totp_secret is encrypted',
    system: 'json',
    text: json([
      {
        ...{
          id: 1,
          email: 'mona@flask.example',
          username: null,
          password: like('$pbkdf2-sha512$'),
          active: true,
        },
        ...{
          fs_uniquifier: '9f2d1c0e9c43b7e9a570d4a65f1d7f0e',
          confirmed_at: at,
          last_login_at: at,
          tf_totp_secret: '{"enckey":{"c":14}}',
        },
        ...{ create_datetime: at, update_datetime: at },
      },
    ]),
    people: [
      {
        userName: 'mona@flask.example',
        email: 'mona@flask.example',
        active: true,
        externalId: '1',
        hash: '$pbkdf2-',
      },
    ],
  },
  Strapi: {
    origin: 'docs.strapi.io, Users & Permissions, up_users; the API adds the role as an object',
    system: 'json',
    text: json(
      [false, true].map((blocked, place) => ({
        ...{
          id: place + 1,
          documentId: `znrlzntu9ei5onjvwfaalu2${place}`,
          username: `u${place}`,
          email: `u${place}@strapi.example`,
        },
        ...{
          provider: 'local',
          password: bcrypt,
          resetPasswordToken: null,
          confirmed: true,
          blocked,
          createdAt: at,
          updatedAt: at,
        },
        role: {
          id: 1,
          documentId: 'x',
          name: 'Authenticated',
          description: 'Default role',
          type: 'authenticated',
        },
      })),
    ),
    people: [0, 1].map((place) => ({
      ...{
        userName: `u${place}`,
        email: `u${place}@strapi.example`,
        active: place === 0,
        externalId: `${place + 1}`,
      },
      hash: short(bcrypt),
    })),
  },
  Directus: {
    origin:
      'docs.directus.io, directus_users: status is draft, invited, unverified, active, suspended or archived',
    system: 'json',
    text: json({
      data: (['active', 'invited', 'suspended', 'unverified'] as const).map((status, place) => ({
        ...{
          id: `${uuid.slice(0, -1)}${place}`,
          first_name: 'U',
          last_name: `${place}`,
          email: `u${place}@directus.example`,
        },
        ...{
          password: place === 0 ? argon2 : '**********',
          location: null,
          title: null,
          avatar: otherUuid,
          language: 'en-US',
        },
        ...{
          tfa_secret: place === 0 ? 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' : null,
          status,
          role: otherUuid,
          token: null,
        },
        ...{ provider: 'default', external_identifier: null, last_access: at },
      })),
    }),
    people: [0, 1, 2, 3].map((place) => ({
      ...{ userName: `u${place}@directus.example`, email: `u${place}@directus.example`, active: place === 0 },
      ...{ id: `${uuid.slice(0, -1)}${place}` },
      ...(place === 0 && { hash: short(argon2), otp: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }),
    })),
    lost: ['(password hash) 3'],
  },
  'Ghost, members': {
    origin: 'ghost.org/help/import-members, the export of members',
    system: 'csv',
    text:
      'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers\n' +
      '5f1d7f0e9c43b7e9a570d4a6,mona@ghost.example,Mona Lind,,true,false,,2024-05-01T10:00:00.000Z,,vip,\n',
    people: [
      {
        ...{
          userName: 'mona@ghost.example',
          email: 'mona@ghost.example',
          active: true,
          id: '5f1d7f0e9c43b7e9a570d4a6',
        },
        displayName: 'Mona Lind',
      },
    ],
  },
  'Ghost, users': {
    origin: 'ghost.org, Ghost JSON: db[0].data.users, whose status is active, inactive, locked or warn-1',
    system: 'json',
    text: json([
      {
        ...{
          id: '5f1d7f0e9c43b7e9a570d4a6',
          name: 'Mona Lind',
          slug: 'mona',
          password: bcrypt,
          email: 'mona@ghost.example',
        },
        ...{ profile_image: null, bio: null, status: 'warn-1', created_at: at, last_seen: at },
      },
      {
        ...{
          id: '5f1d7f0e9c43b7e9a570d4a7',
          name: 'Omar Ek',
          slug: 'omar',
          password: bcrypt,
          email: 'omar@ghost.example',
        },
        ...{ profile_image: null, bio: null, status: 'locked', created_at: at, last_seen: at },
      },
    ]),
    people: [
      {
        ...{
          userName: 'mona@ghost.example',
          email: 'mona@ghost.example',
          active: true,
          id: '5f1d7f0e9c43b7e9a570d4a6',
        },
        ...{ hash: short(bcrypt), displayName: 'Mona Lind' },
      },
      {
        ...{
          userName: 'omar@ghost.example',
          email: 'omar@ghost.example',
          active: false,
          id: '5f1d7f0e9c43b7e9a570d4a7',
        },
        ...{ hash: short(bcrypt), displayName: 'Omar Ek' },
      },
    ],
  },
  'Keystone 6': {
    origin: 'keystonejs.com/docs, password field: the API tells only whether there is one',
    system: 'json',
    text: json([
      {
        id: 'clx1k2m3n0000abcd1234efgh',
        name: 'Mona Lind',
        email: 'mona@keystone.example',
        password: { isSet: true },
      },
    ]),
    people: [
      {
        ...{
          userName: 'mona@keystone.example',
          email: 'mona@keystone.example',
          id: 'clx1k2m3n0000abcd1234efgh',
        },
        displayName: 'Mona Lind',
      },
    ],
    lost: ['password.isSet 1'],
  },
  'OpenStack Keystone': {
    origin: 'docs.openstack.org/api-ref/identity/v3, List users: name is the user name',
    system: 'json',
    text: json({
      links: { next: null },
      users: [
        ['mona', true],
        ['omar', false],
      ].map(([name, enabled], place) => ({
        ...{
          id: `9f2d1c0e9c43b7e9a570d4a65f1d7f0${place}`,
          name,
          domain_id: 'default',
          enabled,
          password_expires_at: null,
        },
        ...{ options: {}, links: { self: 'https://os.example/v3/users/x' } },
      })),
    }),
    people: [{ userName: 'omar', active: false, id: '9f2d1c0e9c43b7e9a570d4a65f1d7f01' }],
    told: [/HASH-MISSING/],
  },
  'FusionAuth, as any JSON': {
    origin:
      'fusionauth.io/docs/apis/users, with the columns of its database: a hash needs its salt, factor and scheme',
    system: 'json',
    text: json({
      users: [
        {
          ...{
            id: uuid,
            username: 'mona',
            email: 'mona@fusion.example',
            verified: true,
            active: true,
            fullName: 'Mona Lind',
          },
          ...{
            encryptionScheme: 'salted-pbkdf2-hmac-sha256',
            factor: 100_000,
            salt: '1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc=',
          },
          password: 'QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI=',
          registrations: [{ applicationId: otherUuid, roles: ['user'], username: 'other' }],
        },
      ],
    }),
    people: [
      { userName: 'mona', email: 'mona@fusion.example', active: true, id: uuid, displayName: 'Mona Lind' },
    ],
    told: [/"password" has hashes and "salt" their salts/],
    lost: ['encryptionScheme 1', 'password 1', 'salt 1'],
  },
  'Okta, as a table': {
    origin:
      'help.okta.com, Import users from a CSV file, the template: state is a part of the address, manager another person',
    system: 'csv',
    text:
      'login,firstName,lastName,middleName,honorificPrefix,email,title,displayName,secondEmail,mobilePhone,primaryPhone,streetAddress,city,state,zipCode,countryCode,preferredLanguage,userType,employeeNumber,costCenter,organization,division,department,managerId,manager\n' +
      'mona@okta.example,Mona,Lind,,,mona@okta.example,Chief,Mona Lind,home@okta.example,,,Way 1,Salem,OR,97301,US,en,,17,,Acme,,Lab,boss@okta.example,The Boss\n',
    people: [{ userName: 'mona@okta.example', email: 'mona@okta.example', displayName: 'Mona Lind' }],
    lost: ['managerId 1'],
  },
  OneLogin: {
    origin:
      'developers.onelogin.com/api-docs, List users: status 1 is active, 2 suspended, 3 locked; state is an approval',
    system: 'csv',
    text:
      'id,firstname,lastname,email,username,status,state,samaccountname,userprincipalname,member_of,distinguished_name,external_id,manager_ad_id,locked_until,created_at\n' +
      '171,Mona,Lind,mona@onelogin.example,mona,1,1,,,,,,,,2024-05-01T10:00:00Z\n' +
      '172,Omar,Ek,omar@onelogin.example,omar,2,1,,,,,,,,2024-05-01T10:00:00Z\n',
    people: [
      { userName: 'mona', email: 'mona@onelogin.example', active: true, externalId: '171' },
      { userName: 'omar', email: 'omar@onelogin.example', active: true, externalId: '172' },
    ],
    told: [/"status" may say who is not active/],
  },
  JumpCloud: {
    origin:
      'docs.jumpcloud.com/api, systemusers: unix_uid is a number, state is STAGED, ACTIVATED or SUSPENDED',
    system: 'json',
    text: json({
      totalCount: 3,
      results: (['ACTIVATED', 'STAGED', 'SUSPENDED'] as const).map((state, place) => ({
        ...{
          _id: `5f1d7f0e9c43b7e9a570d4a${place}`,
          username: `u${place}`,
          email: `u${place}@jump.example`,
          displayname: `U ${place}`,
        },
        ...{
          activated: place !== 1,
          suspended: place === 2,
          account_locked: false,
          state,
          unix_uid: 5_001 + place,
        },
        ...{
          firstname: 'U',
          lastname: `${place}`,
          jobTitle: '',
          manager: '5f1d7f0e9c43b7e9a570d4af',
          sudo: false,
        },
        ...{
          recoveryEmail: { address: `home${place}@jump.example`, verified: true },
          created: at,
          totp_enabled: false,
        },
      })),
    }),
    people: [0, 1, 2].map((place) => ({
      ...{
        userName: `u${place}`,
        email: `u${place}@jump.example`,
        active: place === 0,
        displayName: `U ${place}`,
      },
      id: `5f1d7f0e9c43b7e9a570d4a${place}`,
    })),
    lost: ['recoveryEmail.address 3'],
  },
  PingOne: {
    origin:
      'apidocs.pingidentity.com/pingone, Read users: lifecycle.status, account.status and names in parts',
    system: 'json',
    text: json({
      _embedded: {
        users: [0, 1].map((place) => ({
          ...{
            id: `${uuid.slice(0, -1)}${place}`,
            environment: { id: otherUuid },
            population: { id: otherUuid },
          },
          ...{
            username: `u${place}`,
            email: `u${place}@ping.example`,
            enabled: true,
            mfaEnabled: false,
            createdAt: at,
          },
          ...{ name: { given: 'U', family: `${place}` }, lifecycle: { status: 'ACCOUNT_OK' } },
          ...{
            account: { canAuthenticate: place === 0, status: place === 0 ? 'OK' : 'LOCKED' },
            verifyStatus: 'NOT_INITIATED',
          },
          identityProvider: { type: 'PING_ONE' },
        })),
      },
    }),
    people: [0, 1].map((place) => ({
      ...{
        userName: `u${place}`,
        email: `u${place}@ping.example`,
        active: place === 0,
        id: `${uuid.slice(0, -1)}${place}`,
      },
    })),
    lost: ['environment.id 2', 'population.id 2'],
  },
  'Cognito, as a table': {
    origin: 'docs.aws.amazon.com/cognito, the header of aws cognito-idp get-csv-header',
    system: 'csv',
    text:
      'cognito:username,name,given_name,family_name,middle_name,nickname,preferred_username,profile,picture,website,email,email_verified,gender,birthdate,zoneinfo,locale,phone_number,phone_number_verified,address,updated_at,cognito:mfa_enabled\n' +
      'mona,,Mona,Lind,,,,,,,mona@cognito.example,true,,,,,,,,,false\n',
    people: [{ userName: 'mona', email: 'mona@cognito.example' }],
  },
  'Firebase Admin SDK': {
    origin: 'firebase.google.com/docs/auth/admin/manage-users, listUsers: uid is an identifier',
    system: 'json',
    text: json({
      users: [
        {
          ...{
            uid: 'pH3kQ9sLx2Zt7VbN4mYc8RdW1eF5',
            email: 'mona@firebase.example',
            emailVerified: true,
            displayName: 'Mona Lind',
          },
          ...{
            disabled: false,
            metadata: { lastSignInTime: null, creationTime: 'Wed, 01 May 2024 10:00:00 GMT' },
          },
          ...{
            passwordHash:
              'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
          },
          ...{ passwordSalt: '42xEC+ixf3L2lw==', tokensValidAfterTime: null },
          providerData: [
            { uid: '113', displayName: 'M', email: 'mona@gmail.example', providerId: 'google.com' },
          ],
        },
      ],
    }),
    people: [
      {
        ...{
          userName: 'mona@firebase.example',
          email: 'mona@firebase.example',
          active: true,
          id: 'pH3kQ9sLx2Zt7VbN4mYc8RdW1eF5',
        },
        displayName: 'Mona Lind',
      },
    ],
    told: [/"passwordHash" has hashes and "passwordSalt" their salts/],
    lost: ['providerData[].uid 1', 'providerData[].email 1'],
  },
  'Firebase, a table without names of columns': {
    origin: 'firebase.google.com/docs/cli/auth, auth:export --format=csv: the first line is a person',
    system: 'csv',
    text: 'a1,mona@firebase.example,true,Mona Lind\nb2,omar@firebase.example,true,Omar Ek\n',
    people: [],
    told: [/the first line has an address/],
  },
  'Azure AD B2C': {
    origin:
      'learn.microsoft.com/graph/api/user-list: the user principal name is made up, the address is in identities',
    system: 'json',
    text: json({
      value: [
        {
          ...{
            id: uuid,
            userPrincipalName: `${uuid}@tenant.onmicrosoft.com`,
            displayName: 'Mona Lind',
            givenName: 'Mona',
          },
          ...{
            surname: 'Lind',
            mail: null,
            otherMails: ['mona@b2c.example'],
            accountEnabled: true,
            createdDateTime: at,
          },
          identities: [
            {
              signInType: 'emailAddress',
              issuer: 'tenant.onmicrosoft.com',
              issuerAssignedId: 'mona@b2c.example',
            },
          ],
        },
      ],
    }),
    people: [
      {
        ...{ userName: `${uuid}@tenant.onmicrosoft.com`, email: 'mona@b2c.example', active: true, id: uuid },
        displayName: 'Mona Lind',
      },
    ],
  },
  'Google Workspace': {
    origin: 'support.google.com/a, Download users: a mask where a password belongs, and three states',
    system: 'csv',
    text:
      'First Name [Required],Last Name [Required],Email Address [Required],Password [Required],Password Hash Function [UPLOAD ONLY],Org Unit Path [Required],New Primary Email [UPLOAD ONLY],Status [READ ONLY],Last Sign In [READ ONLY],Recovery Email\n' +
      'Mona,Lind,mona@google.example,****,,/,,Active,2024/05/01 10:00:00,home@google.example\n' +
      'Omar,Ek,omar@google.example,****,,/,,Suspended,Never logged in,\n' +
      'Pia,Ek,pia@google.example,****,,/,,Archived,Never logged in,\n',
    people: [
      { userName: 'mona@google.example', email: 'mona@google.example', active: true },
      { userName: 'omar@google.example', email: 'omar@google.example', active: false },
      { userName: 'pia@google.example', email: 'pia@google.example', active: false },
    ],
  },
  'Clerk, without a mapping': {
    origin:
      'clerk.com/docs/reference/backend/user/create-user, password_hasher: the salt of pbkdf2_sha256 is base64',
    system: 'csv',
    text:
      'id,first_name,last_name,username,primary_email_address,password_digest,password_hasher\n' +
      'user_2a,Mona,Lind,,mona@clerk.example,pbkdf2_sha256$1000$c2FsdHNhbHRzYWx0$sBlrix6xutpOvLv5TVlse1enVQJDW+aUll4S0n/Obag=,pbkdf2_sha256\n' +
      'user_2b,Omar,Ek,omar,omar@clerk.example,pbkdf2_sha256$1000$c2FsdHNhbHRzYWx0$sBlrix6xutpOvLv5TVlse1enVQJDW+aUll4S0n/Obag=,pbkdf2_sha256_django\n' +
      'user_2c,Pia,Ek,pia,pia@clerk.example,awscognito#pool#client#pia,awscognito\n',
    people: [
      {
        userName: 'mona@clerk.example',
        email: 'mona@clerk.example',
        externalId: 'user_2a',
        hash: '$pbkdf2-',
      },
      { userName: 'omar', email: 'omar@clerk.example', externalId: 'user_2b', hash: '$pbkdf2-' },
    ],
    told: [/HASH-UNREADABLE/],
  },
};
