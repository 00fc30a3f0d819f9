import { fusionauthIdentities } from '../identities/identity-layouts.js';
import type { ConvertedPerson, PeopleFormat } from '../mapping/people-format.js';
import { scimPaths, statedAlways, statedNames } from '../mapping/stated.js';
import type { valueRules } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import { isEmpty, type SourceRecord } from '../reading/source-record.js';
import { hasPassed, takeDates } from '../values/dates.js';
import { isLanguage } from '../values/language.js';
import { isText, makePerson, takeChecked } from './person.js';

const system = 'FusionAuth';

/** The users of a search, or of an import file, of FusionAuth. Only the database and import files have the hashes. Second factors are lost. */
export const fusionauth: PeopleFormat = {
  system,
  members: ['users'],
  states: statedAlways(
    ...[...statedNames, 'profile.displayName', 'profile.preferredLanguage', 'email', 'phone'],
    ...scimPaths(['middleName', 'birthdate', 'timezone', 'photos']),
  ),
  identities: fusionauthIdentities,
  factors: [['twoFactor', 'methods']],
  reader:
    ({ emailVerified }) =>
    (source) => {
      const [userName, email] = [source.text('username'), source.text('email')];
      if (userName === undefined && email === undefined) {
        throw new ConversionError('notPerson', { system, lacks: 'it has neither username nor email' });
      }
      requireOwnMembers(source.names());
      const languages = source.list('preferredLanguages').filter((one) => !isEmpty(one));
      const [language] = languages.filter(isText);
      const isTaken = languages.length === 0 || (language !== undefined && isLanguage(language));
      if (languages.length > 1 || !isTaken) source.loseAlso('preferredLanguages[]');
      const { hash, clear, notes } = hashOf(source);
      const checked = (rule: keyof typeof valueRules, name: string) =>
        takeChecked(source, { rule, path: [name], notes });
      const photo = checked('photo', 'imageUrl');
      const person = makePerson(system, {
        id: source.text('id'),
        userNames: [userName, email],
        names: {
          given: source.text('firstName'),
          family: source.text('lastName'),
          full: source.text('fullName'),
          email,
        },
        ...takeDates(source, { created: ['insertInstant'], lastModified: ['lastUpdateInstant'] }),
        language,
        email,
        emailVerified: emailVerified || source.flag('verified') === true,
        phone: source.text('mobilePhone'),
        active: isExpired(source) ? false : source.flag('active'),
        hash,
        passwordChangeRequired: source.flag('passwordChangeRequired'),
        scim: {
          middleName: source.text('middleName'),
          birthdate: checked('birthdate', 'birthDate'),
          timezone: checked('timezone', 'timezone'),
          photos: photo === undefined ? undefined : [{ value: photo, type: 'photo' }],
        },
        notes,
      });
      return clear === undefined ? person : withPassword(person, clear);
    },
};

/** Whether the account has ended: a moment in milliseconds. An end in the future is lost. */
function isExpired(source: SourceRecord): boolean {
  const isPast = hasPassed(String(source.look('expiry') ?? ''));
  if (isPast) for (const name of ['expiry', 'active']) source.take(name);
  return isPast;
}

/** Members of a user that no other system has beside a user name or an address. */
const ownMembers = new Set([
  ...[
    'active',
    'birthDate',
    'encryptionScheme',
    'expiry',
    'factor',
    'firstName',
    'fullName',
    'imageUrl',
    'insertInstant',
  ],
  ...[
    'lastLoginInstant',
    'lastName',
    'lastUpdateInstant',
    'memberships',
    'middleName',
    'mobilePhone',
    'password',
  ],
  ...[
    'passwordChangeRequired',
    'passwordLastUpdateInstant',
    'preferredLanguages',
    'registrations',
    'timezone',
  ],
  ...['tenantId', 'twoFactor', 'usernameStatus', 'verified', 'identityProviderLinks'],
]);
/** Members that users of many systems have. */
const sharedMembers = new Set(['id', 'username', 'email', 'data']);

/**
 * A name with an underscore within it is of none that FusionAuth has. Databases and tools put one before names of their own, such as `_id`.
 * @throws ConversionError for a user of another system
 */
function requireOwnMembers(names: readonly string[]): void {
  const isOwn = names.some((name) => ownMembers.has(name));
  const isOther = names.some((name) => !ownMembers.has(name) && !sharedMembers.has(name));
  if (names.some((name) => name.replace(/^_+/, '').includes('_')) || (isOther && !isOwn))
    throw new ConversionError('otherSystem', { system });
}

function withPassword(person: ConvertedPerson, password: string): ConvertedPerson {
  return { ...person, record: { ...person.record, user: { ...person.record.user, password } } };
}

/** The parts of a hash, as FusionAuth has them in columns of their own. */
interface HashParts {
  readonly salt: string;
  readonly factor: string;
  readonly tag: string;
}

const pbkdf2 =
  (digest: 'sha256' | 'sha512') =>
  ({ salt, factor, tag }: HashParts) =>
    `$pbkdf2-${digest}$${factor}$${salt}$${tag}`;

/**
 * How a hash of each scheme is written in a form of docs/password-hashes.md. Absent: `phpass-md5` and `phpass-sha512`. Their description leaves
 * open how salts and digests are encoded.
 */
const schemes: ReadonlyMap<string, (parts: HashParts) => string> = new Map([
  ['bcrypt', ({ salt, factor, tag }: HashParts) => `$2a$${factor.padStart(2, '0')}$${salt}${tag}`],
  ['salted-pbkdf2-hmac-sha256', pbkdf2('sha256')],
  ['salted-pbkdf2-hmac-sha256-512', pbkdf2('sha256')],
  ['salted-pbkdf2-hmac-sha512-512', pbkdf2('sha512')],
  ['salted-md5', ({ salt, factor, tag }) => `$salted-md5$i=${factor}$${salt}$${tag}`],
  ['salted-sha256', ({ salt, factor, tag }) => `$salted-sha256$i=${factor}$${salt}$${tag}`],
  // The salt is the key. The scheme has no use for the factor.
  ['salted-hmac-sha256', ({ salt, tag }) => `$hmac-sha256$${tag}$${salt}`],
]);

const withoutHash = 'the user sets a password at the first login';

/** Takes the hash, and writes it in its usual form. `clear`: the password is no hash. */
function hashOf(source: SourceRecord): { hash?: string; clear?: string; notes: string[] } {
  if (isEmpty(source.look('password'))) return { notes: [] };
  const isHashed = ['encryptionScheme', 'salt', 'factor'].some((name) => !isEmpty(source.look(name)));
  // An import file may have passwords in plain text.
  if (!isHashed && typeof source.look('password') === 'string')
    return { clear: String(source.take('password')), notes: [] };
  const scheme = source.look('encryptionScheme');
  const known = typeof scheme === 'string' ? scheme : 'unknown';
  const write = schemes.get(known);
  if (write === undefined) {
    const name = JSON.stringify(known.slice(0, 100));
    return { notes: [`password hashes of ${name} cannot be taken over; ${withoutHash}`] };
  }
  // A hash that was made without a salt has an empty one. FusionAuth takes no hash without this member.
  if (typeof source.look('salt') !== 'string')
    return { notes: [`password hashes without their salt cannot be taken over; ${withoutHash}`] };
  source.take('encryptionScheme');
  const [salt = '', factor = '', tag = ''] = ['salt', 'factor', 'password'].map((name) => source.text(name));
  return { hash: write({ salt, factor, tag }), notes: [] };
}
