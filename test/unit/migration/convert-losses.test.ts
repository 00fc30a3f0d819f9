import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import { convertPeople } from '#src/migration/convert/convert-people.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import { scimFormat } from '#src/migration/convert/people/scim.js';
import { convertZitadel } from '#src/migration/convert/zitadel/convert-zitadel.js';
import { firebaseParameters } from '../../support/migration/exports.js';
import { type Leaf, leavesOf } from '../../support/migration/real/count-losses.js';

/**
 * A count of everything that an export says. It shares no code with the conversions. Each value stands in the body of the import, or
 * arrives in another form that the test lists, or is told as lost. A loss has its path, the number of records, and the line of the first.
 */

type Json = Record<string, unknown>;
/** A record as the count sees it: where it begins, and its values. */
interface Counted {
  readonly line: number;
  readonly leaves: readonly Leaf[];
}

interface Converted {
  readonly body: string;
  readonly records: readonly Counted[];
  readonly report: Pick<ConversionReport, 'losses' | 'problems' | 'written'>;
}

interface System {
  /** The records of a person each, or of what a system has beside people. */
  readonly records: readonly Json[];
  /** Paths whose values arrive in another form: flags, dates, hashes, and words for what they say. */
  readonly otherForm: RegExp;
  /** Paths that only say which record it is, or where it is from, whatever they have. */
  readonly opaque?: RegExp;
  convert(t: Test, records: readonly Json[]): Promise<Converted>;
}

function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

const usual = { emailVerified: false, skipInvalid: true, strict: false };
const lines = (records: readonly Json[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const counted = (records: readonly Json[]) =>
  records.map((record, at) => ({ line: at + 1, leaves: leavesOf(record) }));
const bodyIn = (path: string, { written }: ConversionReport) => (written ? readFileSync(path, 'utf8') : '');

/** Converts people, one on each line. */
const people = (name: string, more: { hashParameters?: string; text?: typeof lines } = {}) =>
  async function convert(t: Test, records: readonly Json[]): Promise<Converted> {
    const format = peopleFormats[name];
    if (format === undefined) throw new Error(`There is no ${name}`);
    const folder = folderOf(t);
    const [path, target] = [join(folder, 'in'), join(folder, 'out')];
    const { text = lines, ...options } = more;
    writeFileSync(path, text(records));
    const input = { users: [path], ...usual, emailVerified: true, ...options };
    const report = await convertPeople(format, input, {
      path: target,
      orgId: 'o',
      timeout: '1m',
      multiline: false,
    });
    return { body: bodyIn(target, report), records: counted(records), report };
  };

const bcrypt = (fill: string) => `$2b$10$${fill.repeat(53)}`;

const kratos: Json = {
  id: 'kr-1',
  schema_id: 'person-v1',
  state: 'inactive',
  state_changed_at: '2023-11-14T22:13:22Z',
  traits: {
    email: 'ada@kr.example',
    username: 'ada-kr',
    phone: '+43 1 100',
    name: { first: 'Ada-kr', last: 'Lind-kr' },
    newsletter: true,
    tags: ['t1', 't2'],
  },
  verifiable_addresses: [
    { id: 'va-1', value: 'ada@kr.example', verified: true, via: 'email', status: 'completed' },
    { id: 'va-2', value: '+43 1 200', verified: false, via: 'sms', created_at: '2023-11-14T22:13:23Z' },
  ],
  recovery_addresses: [{ id: 'ra-1', value: 'rec@kr.example', via: 'email' }],
  metadata_public: { plan: 'gold' },
  metadata_admin: null,
  created_at: '2023-11-14T22:13:20Z',
  updated_at: '2023-11-14T22:13:21Z',
  credentials: {
    password: {
      type: 'password',
      identifiers: ['ada@kr.example', 'ada-second'],
      config: { hashed_password: bcrypt('k') },
      version: 7,
    },
    totp: {
      type: 'totp',
      identifiers: ['kr-1-totp'],
      config: { totp_url: 'otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&digits=6' },
    },
    webauthn: { identifiers: ['key-1'], config: { credentials: [{ id: 'AAEC' }] } },
  },
};

const okta: Json = {
  id: 'ok-1',
  status: 'SUSPENDED',
  created: '2013-06-24T16:39:18.000Z',
  activated: '2013-06-24T16:39:19.000Z',
  lastUpdated: '2013-07-24T16:39:18.000Z',
  type: { id: 'oty-1' },
  profile: {
    firstName: 'Isaac-ok',
    lastName: 'Brock-ok',
    displayName: 'Isaac B. Ok',
    email: 'isaac@ok.example',
    login: 'isaac-login@ok.example',
    secondEmail: 'second@ok.example',
    mobilePhone: '555-1',
    primaryPhone: '555-2',
    preferredLanguage: 'de-AT',
    locale: 'de-AT',
    timezone: 'Europe/Vienna',
    employeeNumber: '701984',
    department: 'Engineering-ok',
    city: 'Oslo-ok',
    shoeSize: 43,
    teams: ['red', 'blue'],
  },
  credentials: {
    password: {},
    provider: { type: 'OKTA', name: 'OKTA-1' },
    emails: [
      { value: 'isaac@ok.example', status: 'VERIFIED', type: 'PRIMARY' },
      { value: 'second@ok.example', status: 'VERIFIED', type: 'SECONDARY' },
      { value: 'third@ok.example', status: 'VERIFIED', type: 'OTHER', note: 'n-1' },
    ],
    recovery_question: { question: 'Which colour?' },
  },
  _links: { self: { href: 'https://ok.example/ok-1' } },
};

const cognito: Json = {
  Username: 'co-1',
  Attributes: [
    { Name: 'sub', Value: 'co-1' },
    { Name: 'email', Value: 'mary@co.example' },
    { Name: 'email_verified', Value: 'true' },
    { Name: 'phone_number', Value: '+15550100' },
    { Name: 'phone_number_verified', Value: 'false' },
    { Name: 'given_name', Value: 'Mary-co' },
    { Name: 'preferred_username', Value: 'mm-co' },
    { Name: 'zoneinfo', Value: 'Europe/Oslo' },
    { Name: 'custom:plan', Value: 'gold-co' },
    { Name: 'address', Value: 'Street 1' },
  ],
  UserCreateDate: 1548089817.683,
  UserLastModifiedDate: 'later',
  Enabled: false,
  UserStatus: 'CONFIRMED',
  MFAOptions: [{ DeliveryMedium: 'SMS' }],
};

const entra: Json = {
  id: 'en-1',
  userPrincipalName: 'adams@en.example',
  mail: 'mail@en.example',
  givenName: 'Adams-en',
  surname: 'Room-en',
  displayName: 'Conf Room En',
  businessPhones: ['+1 425 1', '+1 425 2'],
  mobilePhone: '+1 425 3',
  preferredLanguage: 'no language at all',
  accountEnabled: false,
  createdDateTime: 'long ago',
  officeLocation: '18/2111',
  jobTitle: 'Keeper-en',
  manager: { id: 'boss-en', displayName: 'Boss En' },
  identities: [{ signInType: 'federated', issuer: 'x.example' }],
  city: 'Seattle-en',
};

const fusionauth: Json = {
  id: 'fu-1',
  active: false,
  username: 'johnny-fu',
  email: 'johnny@fu.example',
  verified: true,
  fullName: 'John F. Usion',
  firstName: 'John-fu',
  birthDate: '1976-05-30',
  insertInstant: 1_500_000_000_000,
  lastUpdateInstant: 1_400_000_000_000,
  preferredLanguages: ['de', 'fr'],
  timezone: 'America/Denver',
  encryptionScheme: 'phpass-md5',
  factor: 20_000,
  salt: 'c2FsdC1mdQ==',
  password: 'aGFzaC1mdQ==',
  data: { favoriteColor: 'Red-fu' },
  memberships: [{ groupId: 'g-fu' }],
  twoFactor: { methods: [{ method: 'authenticator', secret: 'c2VjcmV0LWZ1' }] },
};

const firebase: Json = {
  localId: 'fi-1',
  email: 'maria@fi.example',
  emailVerified: true,
  passwordHash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  salt: '42xEC+ixf3L2lw==',
  // Firebase takes any text. An address is a name to show, but no first name.
  displayName: 'maria.old@fi.example',
  photoUrl: 'https://fi.example/maria.jpg',
  createdAt: '1500000000000',
  lastSignedInAt: '1600000000000',
  phoneNumber: '+41446681800',
  disabled: true,
  customAttributes: '{"admin":true}',
  mfaInfo: [{ mfaEnrollmentId: 'm-1', phoneInfo: '+41446681801' }],
  providerUserInfo: [{ providerId: 'google.com', rawId: 'raw-fi', displayName: 'M. Fi' }],
};

const keycloak: Json = {
  username: 'ada-kc',
  enabled: 'false',
  emailVerified: 'true',
  email: 'ada@kc.example',
  firstName: 'Ada-kc',
  createdTimestamp: '1511213805851',
  totp: true,
  attributes: { locale: 'de', badge: ['7', '8'] },
  credentials: [
    {
      id: 'cred-1',
      type: 'password',
      userLabel: 'mine',
      createdDate: 1_511_213_805_852,
      secretData: JSON.stringify({ value: bcrypt('c'), salt: '' }),
      credentialData: JSON.stringify({ algorithm: 'bcrypt', hashIterations: 10 }),
      config: { device: ['phone'] },
    },
    { id: 'cred-2', type: 'webauthn', secretData: '{"value":"y"}', credentialData: '{"counter":1}' },
  ],
  requiredActions: ['VERIFY_EMAIL'],
  realmRoles: ['user'],
  clientRoles: { account: ['view-profile'] },
  federatedIdentities: [{ identityProvider: 'hub', userId: 'h-1' }],
  groups: ['/nowhere'],
  notBefore: 0,
};

const scim: Json = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  id: 'sc-1',
  externalId: 'ext-sc',
  userName: 'barbara-sc',
  name: { formatted: 'Ms. B. Jensen', givenName: 'Barbara-sc', familyName: 'Jensen-sc' },
  displayName: 'Babs Sc',
  emails: [
    { value: 'babs@sc.example', type: 'work', primary: true, note: 'n-sc' },
    { value: 'home@sc.example', type: 'home' },
  ],
  addresses: [{ locality: 'Hollywood-sc', type: 'work', floor: '4' }],
  groups: [{ value: 'g-sc', display: 'Tour Guides' }],
  x509Certificates: [{ value: 'MIIC' }],
  preferredLanguage: 'en',
  active: false,
  password: 'never-told-sc',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': {
    employeeNumber: '701-sc',
    manager: { value: 'boss-sc', displayName: 'Boss Sc' },
    badge: 'b-sc',
  },
  'urn:example:own': { shoe: 'large' },
  meta: { resourceType: 'User', created: '2010-01-23T04:56:22Z', lastModified: 'never', version: 'W/"1"' },
};

const auth0User: Json = {
  user_id: 'auth0|au-1',
  email: 'cara@au.example',
  email_verified: true,
  name: 'Cara A. Uth',
  nickname: 'cara-au',
  given_name: { first: 'Given-au' },
  created_at: 'not yet',
  updated_at: '2021-03-05T16:34:49.502Z',
  blocked: true,
  picture: 'https://au.example/cara.png',
  identities: [
    { provider: 'auth0', user_id: 'au-1', connection: 'db', isSocial: false },
    { provider: 'github', user_id: 'gh-1', connection: 'github', isSocial: true, access_token: 'gho-1' },
  ],
  app_metadata: { roles: ['b-au'] },
  user_metadata: { hobby: 'chess-au' },
  logins_count: 3,
};
const auth0Hash: Json = {
  _id: { $oid: 'au-1' },
  email: 'cara@au.example',
  email_verified: true,
  passwordHash: bcrypt('a'),
  password_set_date: { $date: '2021-03-05T16:34:50.502Z' },
  tenant: 'dev-au',
  connection: 'db',
  _tmp_is_unique: true,
};

const zitadel: Json = {
  userId: 'zi-1',
  user: {
    userName: 'road-zi',
    profile: {
      firstName: 'Road-zi',
      lastName: 'Runner-zi',
      displayName: 'Road R.',
      preferredLanguage: 'roadish!',
      gender: 'GENDER_FEMALE',
      avatar: 'a-zi',
    },
    email: { email: 'road@zi.example', isEmailVerified: true },
    phone: { phone: '+41 79 1', isPhoneVerified: true },
    hashedPassword: { value: bcrypt('z'), algorithm: 'bcrypt' },
    password: 'Clear-Zi-1',
    otpCode: 'not base32!',
    passwordChangeRequired: true,
    idps: [{ configId: 'idp-zi' }],
  },
};

const ldif: Json = {
  dn: 'uid=mona,ou=people,dc=li,dc=example',
  objectclass: ['inetOrgPerson', 'posixAccount'],
  uid: ['mona-li', 'mona2-li'],
  cn: ['Mona L. Indif'],
  sn: ['Lind-li'],
  mail: ['mona@li.example', 'm.lind@li.example'],
  telephonenumber: ['+46 70 1', '+46 70 2'],
  preferredlanguage: ['sv-SE, en;q=0.8'],
  departmentnumber: ['Research-li', 'Labs-li'],
  uidnumber: ['1001'],
  createtimestamp: ['19000101000000Z'],
  modifytimestamp: ['20200101000000Z'],
  pwdreset: ['TRUE'],
  userpassword: ['{SASL}mona@li.example.realm'],
  description: ['A note'],
};

const csv: Json = {
  userName: 'bo-cs',
  email: 'bo@cs.example',
  emailVerified: 'yes',
  'name.givenName': 'Bo-cs',
  badge: 'B-1',
  group: 'lab-cs;yard-cs',
  active: 'no',
};

const systems: Record<string, System> = {
  kratos: {
    records: [kratos],
    otherForm:
      /^(?:state|created_at|updated_at|verifiable_addresses\[\]\.(?:verified|via|status)|credentials\.totp\.config\.totp_url)$/,
    convert: people('kratos'),
  },
  okta: {
    records: [okta],
    otherForm: /^(?:status|created|lastUpdated|credentials\.emails\[\]\.(?:status|type))$/,
    convert: people('okta'),
  },
  cognito: {
    records: [cognito],
    otherForm: /^(?:UserCreateDate|Enabled|Attributes\.(?:email_verified|phone_number_verified))$/,
    opaque: /^Attributes/,
    async convert(t, records) {
      const { records: seen, ...rest } = await people('cognito')(t, records);
      // The report names an attribute, not its place in the list.
      const named = records.map(({ Attributes, ...others }) => {
        const byName = (Attributes as Json[]).map(({ Name, Value }) => [String(Name), Value]);
        return { ...others, Attributes: Object.fromEntries(byName) };
      });
      return { ...rest, records: seen.map((one, at) => ({ ...one, leaves: leavesOf(named[at]) })) };
    },
  },
  entra: { records: [entra], otherForm: /^accountEnabled$/, convert: people('entra') },
  fusionauth: {
    records: [fusionauth],
    otherForm: /^(?:active|verified|insertInstant)$/,
    convert: people('fusionauth'),
  },
  firebase: {
    records: [firebase],
    // Links to other providers become metadata, whose value is JSON.
    otherForm:
      /^(?:emailVerified|disabled|createdAt|passwordHash|salt|providerUserInfo\[\]\.(?:providerId|rawId))$/,
    convert: people('firebase', { hashParameters: firebaseParameters }),
  },
  keycloak: {
    records: [keycloak],
    otherForm:
      /^(?:enabled|emailVerified|createdTimestamp|federatedIdentities\[\]\.(?:identityProvider|userId)|attributes\.locale|credentials\[\]\.(?:type|secretData|credentialData))$/,
    opaque: /^credentials\[\]\./,
    async convert(t, records) {
      const folder = folderOf(t);
      const [path, target] = [join(folder, 'in'), join(folder, 'out')];
      writeFileSync(path, `{"realm":"shop","users":[\n${lines(records).trim().replaceAll('\n', ',\n')}\n]}`);
      const output = { path: target, orgId: 'o', timeout: '1m', multiline: false };
      const report = await convertKeycloak({ realm: [path], ...usual, emailVerified: true }, output);
      const seen = records.map((record, at) => ({ line: at + 2, leaves: leavesOf(record) }));
      return { body: bodyIn(target, report), records: seen, report };
    },
  },
  scim: {
    records: [scim],
    otherForm:
      /^(?:schemas\[\]|groups\[\]\..*|active|meta\..*|emails\[\]\.primary|urn:.*:User\.manager\.displayName)$/,
    opaque: /^(?:schemas|groups|meta\.|urn:.*\.manager\.|active$)/,
    async convert(t, records) {
      const client = {
        get: async (url: string) => ({
          totalResults: url.includes('/Users') ? records.length : 0,
          startIndex: 1,
          Resources: url.includes('/Users') ? records : [],
        }),
      };
      const target = join(folderOf(t), 'out');
      const input = { users: ['x/Users', 'x/Groups'], ...usual, emailVerified: true };
      const output = { path: target, orgId: 'o', timeout: '1m', multiline: false };
      const report = await convertPeople(scimFormat(client), input, output);
      return { body: bodyIn(target, report), records: counted(records), report };
    },
  },
  auth0: {
    records: [auth0User, auth0Hash],
    otherForm:
      /^(?:email_verified|blocked|updated_at|_id\.\$oid|connection|identities\[\]\.(?:provider|user_id|connection|isSocial))$/,
    opaque: /^(?:user_id|_id|connection|identities\[\]|email|passwordHash$)/,
    async convert(t, [user, ...others]) {
      const folder = folderOf(t);
      const write = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      const [users, passwords] = [
        write('users', lines([user ?? {}])),
        write('passwords', `\n${lines(others)}`),
      ];
      const target = join(folder, 'out');
      const output = { path: target, orgId: 'o', timeout: '1m', multiline: false };
      const report = await convertAuth0({ users, passwords, ...usual, emailVerified: true }, output);
      // The hash stands on the second line of its file.
      return { body: bodyIn(target, report), records: counted([user ?? {}, ...others]), report };
    },
  },
  zitadel: {
    records: [zitadel],
    otherForm:
      /^orgs\[\]\.humanUsers\[\]\.user\.(?:email\.isEmailVerified|phone\.isPhoneVerified|passwordChangeRequired|profile\.gender|hashedPassword\.algorithm)$/,
    opaque: /^(?:user\.hashedPassword\.algorithm|user\.profile\.gender)$/,
    async convert(t, records) {
      const folder = folderOf(t);
      const [path, target] = [join(folder, 'in'), join(folder, 'out')];
      const list = lines(records).trim().replaceAll('\n', ',\n');
      writeFileSync(path, `{"orgs":[{"orgId":"zo","org":{"name":"Zo"},"humanUsers":[\n${list}\n]}]}`);
      const report = await convertZitadel(
        { export: path, ...usual, emailVerified: true },
        { path: target, timeout: '1m', multiline: false },
      );
      const seen = records.map((record, at) => ({
        line: at + 2,
        leaves: leavesOf(record).map(([name, value]) => [`orgs[].humanUsers[].${name}`, value] as const),
      }));
      return { body: bodyIn(target, report), records: seen, report };
    },
  },
  ldif: {
    records: [ldif],
    otherForm: /^(?:dn|objectclass|modifytimestamp|pwdreset)$/,
    opaque: /./,
    async convert(t, records) {
      const text = (given: readonly Json[]) =>
        given
          .map((record) =>
            Object.entries(record)
              .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}\n`))
              .join(''),
          )
          .join('\n');
      const { records: seen, ...rest } = await people('ldif', { text })(t, records);
      // An attribute has its name, however many values it has.
      const leaves = (one: Counted) =>
        one.leaves.map(([name, value]) => [name.replace('[]', ''), value] as const);
      return { ...rest, records: seen.map((one) => ({ ...one, leaves: leaves(one) })) };
    },
  },
  csv: {
    records: [csv],
    otherForm: /^(?:emailVerified|active|group)$/,
    opaque: /./,
    async convert(t, records) {
      const names = Object.keys(records[0] ?? {});
      const row = (record: Json) => names.map((name) => record[name]).join(',');
      const text = (given: readonly Json[]) => [names.join(','), ...given.map(row), ''].join('\n');
      const { records: seen, ...rest } = await people('csv', { text })(t, records);
      return { ...rest, records: seen.map((one) => ({ ...one, line: one.line + 1 })) };
    },
  },
};

/** Whether a path is in an object or a list with another path. */
function isWithin(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

/** Compares the report of a conversion with the count. Returns what differs. */
function disagreements(
  { body, records, report: { losses = [] } }: Converted,
  otherForm: (path: string) => boolean,
): string[] {
  const told = losses.filter(({ path }) => !path.startsWith('(realm)'));
  const exact = new Set(told.map(({ path }) => path));
  /** The path under which a lost value is told: its own, or that of something outer that is left out as a whole. */
  const toldAs = (path: string) => {
    if (exact.has(path)) return path;
    return told.find((one) => isWithin(path, one.path))?.path ?? path;
  };
  // A flag of the export cannot be told from another one.
  // The names of attributes are no values of people.
  const { statedAttributes: _, ...arriving } = body === '' ? {} : JSON.parse(body);
  const arrived = new Set(leavesOf(arriving).map(([, value]) => String(value)));
  const isThere = (value: unknown) => typeof value !== 'boolean' && arrived.has(String(value));
  const expected = new Map<string, { records: number; line: number }>();
  const missing = new Set<string>();
  for (const { line, leaves } of records) {
    const lost = leaves.filter(([path, value]) => !otherForm(path) && !isThere(value));
    // The second one of two values may be left out although the first arrives.
    const also = leaves.filter(([path]) => otherForm(path) && exact.has(toldAs(path)));
    for (const [path] of [...lost, ...also]) missing.add(path);
    for (const path of new Set([...lost, ...also].map(([path]) => toldAs(path)))) {
      const known = expected.get(path) ?? { records: 0, line };
      expected.set(path, { ...known, records: known.records + 1 });
    }
  }
  const words = ({ records: count, line }: { records: number; line: number }) => `${count} from line ${line}`;
  const both = [...new Set([...expected.keys(), ...exact])].sort();
  return both.flatMap((path) => {
    const [own, report] = [expected.get(path), told.find((one) => one.path === path)];
    if (own === undefined && report !== undefined) {
      const isRight = [...missing].some((one) => isWithin(one, path));
      return isRight ? [] : [`${path}: told, but nothing of it is missing`];
    }
    if (report === undefined) return [`${path}: lost without a word`];
    return own && words(own) === words(report)
      ? []
      : [`${path}: ${words(report)} instead of ${own && words(own)}`];
  });
}

for (const [name, { records, otherForm, convert, opaque = /^$/ }] of Object.entries(systems)) {
  t.test(`an independent count confirms what ${name} loses`, async (t) => {
    const converted = await convert(t, records);
    t.equal(converted.report.written, true, JSON.stringify(converted.report.problems.list()));
    t.same(
      disagreements(converted, (path) => otherForm.test(path)),
      [],
    );
    if (name === 'auth0') return;
    // Two more people like this one, on the next lines.
    const [first = {}] = records;
    const like = (letter: string) =>
      JSON.parse(
        JSON.stringify(first)
          .replaceAll(/-1"/g, `-${letter}"`)
          .replaceAll(/(ada|mona|bo|road|barbara)-/g, `$1${letter}-`),
      );
    const three = await convert(t, [first, like('x'), like('y')]);
    t.same(
      disagreements(three, (path) => otherForm.test(path)),
      [],
      'of three',
    );
  });

  t.test(`values of ${name} of another kind arrive or are told`, async (t) => {
    const [first = {}, ...others] = records;
    const places = placesIn(first).filter((place) => !opaque.test(nameOf(place)));
    for (const place of places) {
      for (const strange of [{ odd: 'Mark-1' }, ['Mark-1', 'Mark-2']]) {
        const changed = withValue(first, place, strange);
        let converted: Converted;
        try {
          converted = await convert(t, [changed, ...others]);
        } catch {
          continue;
        }
        // A record that is refused loses nothing.
        if (!converted.report.written || converted.report.problems.count('error') > 0) continue;
        const name = nameOf(place);
        const isStrange = (path: string) => {
          const own = path.replace(/^orgs\[\]\.humanUsers\[\]\./, '');
          return own === name || isWithin(own, name) || own.startsWith(`${name}:`);
        };
        const found = disagreements(converted, (path) => otherForm.test(path) && !isStrange(path));
        t.same(found.filter(isStrange), [], `${nameOf(place)} as ${JSON.stringify(strange)}`);
      }
    }
  });
}

/** Where a value is: names of members, and places in lists. */
type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return inner.flatMap(([name, one]) => placesIn(one, [...place, name]));
}

/** The path of a place, as a report writes it. */
function nameOf(place: Place): string {
  return place.map((part, at) => (typeof part === 'number' ? '[]' : at === 0 ? part : `.${part}`)).join('');
}

function withValue(record: Json, place: Place, value: unknown): Json {
  const copy = structuredClone(record);
  let inner = copy as Record<string | number, unknown>;
  for (const part of place.slice(0, -1)) inner = inner[part] as Record<string | number, unknown>;
  inner[place.at(-1) ?? ''] = value;
  return copy;
}
