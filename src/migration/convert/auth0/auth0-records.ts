import { foldCase } from '#src/directory/index.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { ConvertedPerson } from '../mapping/people-format.js';
import { statedAlways, statedNames } from '../mapping/stated.js';
import { isOtpSecret } from '../people/person.js';
import { checkPerson, importMessage, requireId } from '../reading/check-item.js';
import { asFields, ConversionError, type Fields, parseFields, textOf } from '../reading/read-fields.js';
import { lostBesides, SourceRecord, setOfPaths } from '../reading/source-record.js';
import { datesOf, takeDates } from '../values/dates.js';
import { personNames } from '../values/person-names.js';
import { takeOwnHash } from './auth0-own-hash.js';

/**
 * The database connection with the folded address, user name and telephone number. Each is empty if it is unknown. Two people may have one
 * address in two databases, so it says who somebody is only within one.
 */
type NamesWithin = readonly [address: string, userName: string, number: string];

/** A line of Auth0's user export. */
export interface Auth0User extends ConvertedPerson {
  readonly source: SourceRecord;
  /** The identifier without the name of the database connection. The hash of the user has the same key. */
  readonly key: string;
  /** Whether the user is of another identity provider, and so has no password in Auth0. */
  readonly isElsewhere: boolean;
  /** Names within the database connection. Empty for a user of another identity provider, and for one who has a hash. */
  readonly names: NamesWithin;
}

/** A line of Auth0's export of password hashes. */
export interface Auth0Hash {
  readonly key: string;
  /** Another identifier of the user, in the form of the key; empty if there is none. */
  readonly altKey: string;
  readonly names: NamesWithin;
  readonly hash: string;
  /** The paths that reach nothing. */
  readonly lost: ReadonlySet<string>;
}

/** The names of each field: that of the API, and those that exports use by default. */
const names = {
  id: ['user_id', 'Id', 'id', 'ID', 'User ID', '_id', '_ID', 'userId'],
  userName: ['username', 'Username'],
  email: ['email', 'Email'],
  emailVerified: ['email_verified', 'Email Verified', 'emailVerified'],
  given: ['given_name', 'Given Name', 'givenName'],
  family: ['family_name', 'Family Name', 'familyName'],
  nick: ['nickname', 'Nickname'],
  full: ['name', 'Name'],
  phone: ['phone_number', 'Phone Number'],
  phoneVerified: ['phone_verified', 'Phone Verified'],
  blocked: ['blocked', 'Blocked'],
  connection: ['connection', 'Connection'],
  created: ['created_at', 'Created At'],
  lastModified: ['updated_at', 'Updated At'],
  hash: ['passwordHash', 'password_hash'],
  altId: ['alt_id'],
};

/** The paths of a user that only say who it is and where it is from. */
const taken = setOfPaths([
  ...[...names.id, ...names.connection].map((name) => [name]),
  // Of the first identity. It says the same as the identifier.
  ...['provider', 'user_id', 'connection', 'isSocial'].map((name) => ['identities', '[]', name]),
]);

/** The paths of a hash that are converted, or that only say whose it is. */
const takenOfHash = setOfPaths([
  ...[names.id, names.userName, names.email, names.emailVerified, names.phone, names.connection]
    .concat([names.hash, names.altId])
    .flatMap((paths) => paths.map((path) => [path])),
  ...['type', 'value', 'verified'].map((name) => ['identifiers', '[]', name]),
]);

const database = 'auth0|';

/** What an export of users says of every person. */
export const auth0States = statedAlways(
  ...statedNames,
  'profile.displayName',
  'profile.nickName',
  'email',
  'phone',
);

/** @throws ConversionError */
export function readAuth0User(line: string, { emailVerified }: { emailVerified: boolean }): Auth0User {
  const fields = parseFields(line);
  const source = new SourceRecord(fields, taken);
  const userId = identifierOf(fields);
  const text = (known: readonly string[]) => firstOf(known, (name) => source.text(name));
  const flag = (known: readonly string[]) => firstOf(known, (name) => source.flag(name));
  const [email, phone, ownName] = [text(names.email), text(names.phone), text(names.userName)];
  const userName = ownName ?? email ?? phone;
  if (userName === undefined)
    throw new ConversionError('notPerson', {
      system: 'Auth0',
      detail: 'no username, e-mail address or telephone number',
    });
  const blocked = flag(names.blocked);
  const notes: string[] = [];
  const ownHash = takeOwnHash(source, notes);
  const isVerified = flag(names.emailVerified) === true;
  const isPhoneVerified = flag(names.phoneVerified) === true;
  const fullName = text(names.full);
  const record: HumanUserRecord = {
    userId,
    user: {
      userName,
      ...datesOf(
        takeDates(source, {
          created: dateIn(fields, 'created'),
          lastModified: dateIn(fields, 'lastModified'),
        }),
        notes,
      ),
      profile: personNames({
        given: text(names.given),
        family: text(names.family),
        full: fullName,
        nick: text(names.nick),
        email,
      }),
      ...(email !== undefined && { email: { email, isEmailVerified: isVerified || emailVerified } }),
      ...(phone !== undefined && { phone: { phone, isPhoneVerified } }),
      ...(ownHash !== undefined && { hashedPassword: { value: ownHash } }),
      ...takeAuthenticator(source, notes),
      ...(blocked !== undefined && { scim: { active: !blocked } }),
    },
  };
  const isElsewhere = userId.includes('|') && !userId.startsWith(database);
  const identifiers = [email, ownName, phone] as const;
  return {
    source,
    record,
    fullName,
    notes,
    key: keyOf(userId),
    isElsewhere,
    names:
      isElsewhere || ownHash !== undefined
        ? ['', '', '']
        : usable(namesWithin(connectionOf(fields), identifiers)),
  };
}

/** @throws ConversionError when the import would refuse the user, who has no hash here and may get one */
export function checkAuth0User(
  record: HumanUserRecord,
  { isElsewhere }: Pick<Auth0User, 'isElsewhere'>,
): void {
  checkPerson(record, !isElsewhere);
}

/** Takes the authenticator app of `mfa_factors`, in which a file for Auth0's bulk import has second factors. */
function takeAuthenticator(source: SourceRecord, notes: string[]): { otpCode?: string } {
  const factors = source.items(['mfa_factors'], []).map((factor) => asFields(factor['totp']));
  const secret = factors.map((totp) => textOf(totp ?? {}, ['secret'])).find((one) => one !== undefined);
  if (secret === undefined) return {};
  if (!isOtpSecret(secret)) {
    notes.push(`the authenticator app is left out; ${importMessage('OTP-UNREADABLE')}`);
    return {};
  }
  source.take('mfa_factors', '[]', 'totp', 'secret');
  return { otpCode: secret.replaceAll(/[\s=]/g, '').toUpperCase() };
}

function firstOf<Value>(
  known: readonly string[],
  read: (name: string) => Value | undefined,
): Value | undefined {
  for (const name of known) {
    const value = read(name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Where a date is: as the API has it, or in the extended JSON of MongoDB. Empty if there is none. */
function dateIn(fields: Fields, date: 'created' | 'lastModified'): readonly string[] {
  const name = names[date].find((known) => fields[known] !== undefined && fields[known] !== null);
  if (name === undefined) return [];
  return asFields(fields[name])?.['$date'] === undefined ? [name] : [name, '$date'];
}

function namesWithin(
  connection: string | undefined,
  [email, userName, phone]: readonly [string | undefined, string | undefined, string | undefined],
): NamesWithin {
  const within = (name: string | undefined) =>
    name === undefined ? '' : `${connection ?? ''} ${foldCase(name)}`;
  return [within(email), within(userName), within(phone?.replaceAll(/[^+\d]/g, ''))];
}

/** The names that can be kept in lines. A mapping may have replaced the others, so they are no error. */
function usable([address, userName, number]: NamesWithin): NamesWithin {
  const withoutBreaks = (name: string) => (/[\t\n]/.test(name) ? '' : name);
  return [withoutBreaks(address), withoutBreaks(userName), withoutBreaks(number)];
}

/** The database of a user. The API names it among the identities, exports in a column. */
function connectionOf(fields: Fields): string | undefined {
  const identities = fields['identities'];
  const ofDatabase = Array.isArray(identities)
    ? identities.map(asFields).find((identity) => identity?.['provider'] === 'auth0')
    : undefined;
  return textOf(ofDatabase ?? {}, names.connection) ?? textOf(fields, names.connection);
}

/** @throws ConversionError */
export function readAuth0Hash(line: string): Auth0Hash {
  const fields = parseFields(line);
  const hash = textOf(fields, names.hash);
  if (hash === undefined) throw new ConversionError('other', { detail: 'no passwordHash' });
  const altId = textOf(fields, names.altId);
  const plain = [names.email, names.userName, names.phone].map((known) => textOf(fields, known));
  const [email, userName, phone] = [
    plain[0] ?? identifierOfType(fields, 'email'),
    plain[1] ?? identifierOfType(fields, 'username'),
    plain[2] ?? identifierOfType(fields, 'phone_number') ?? identifierOfType(fields, 'phone'),
  ];
  const within = namesWithin(textOf(fields, names.connection), [email, userName, phone]);
  if (within.some((name) => /[\t\n]/.test(name)))
    throw new ConversionError('other', {
      detail: 'an address, a name or the connection has control characters',
    });
  return {
    key: keyOf(identifierOf(fields)),
    altKey: altId === undefined ? '' : keyOf(requireId(altId)),
    names: within,
    hash,
    lost: lostBesides(fields, takenOfHash),
  };
}

/** The first value of a type in `identifiers`, such as `{ "type": "email", "value": "..." }`. */
function identifierOfType(fields: Fields, type: string): string | undefined {
  const list = fields['identifiers'];
  const found = (Array.isArray(list) ? list : []).map(asFields).find((one) => one?.['type'] === type);
  return textOf(found ?? {}, ['value']);
}

/** Returns the identifier of a record. It is a string, or `{ "$oid": "..." }` in the extended JSON of MongoDB. */
function identifierOf(fields: Fields): string {
  const nested = names.id.map((name) => asFields(fields[name])).find((value) => value !== undefined);
  const id = textOf(fields, names.id) ?? textOf(nested ?? {}, ['$oid']);
  if (id === undefined) throw new ConversionError('noIdentifier');
  return requireId(id);
}

function keyOf(id: string): string {
  return id.startsWith(database) ? id.slice(database.length) : id;
}
