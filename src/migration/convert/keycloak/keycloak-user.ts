import { fromBase32, toBase32 } from '#src/directory/sign-in/second-factor/totp.js';
import { requireLanguageTag } from '#src/directory/users/value-rules.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import { requireId, toldByImport } from '../check-item.js';
import { datesOf } from '../people/dates.js';
import type { ConvertedPerson } from '../people-format.js';
import { personNames } from '../person-names.js';
import {
  asFields,
  ConversionError,
  type Fields,
  flagOf,
  isTrue,
  parseFields,
  textOf,
} from '../read-fields.js';
import { SourceRecord, setOfPaths } from '../source-record.js';

/** A user of a realm export. */
export interface KeycloakUser {
  readonly source: SourceRecord;
  readonly person: ConvertedPerson;
  /** The paths of the groups of the user. */
  readonly groups: readonly string[];
}

/** The paths of a user that are converted. */
const taken = setOfPaths([
  ...['id', 'username', 'email', 'emailVerified', 'firstName', 'lastName'].map((name) => [name]),
  ...['enabled', 'groups', 'requiredActions', 'createdTimestamp'].map((name) => [name]),
  ['attributes', 'locale'],
  // A credential that is left out is lost as a whole.
  ...[
    ...['type', 'subType', 'value', 'temporary', 'secretData', 'credentialData', 'hashedSaltedValue', 'salt'],
    ...['hashIterations', 'algorithm', 'counter', 'digits', 'period', 'config'],
  ].map((name) => ['credentials', '[]', name]),
]);

/** The properties of a user that come from credentials. */
type Credentials = Pick<
  HumanUserRecord['user'],
  'password' | 'hashedPassword' | 'passwordChangeRequired' | 'otpCode'
>;

/**
 * Reads an element of `users`. Returns undefined for the account of a client, which is no person.
 * @throws ConversionError
 */
export function readKeycloakUser(
  text: string,
  { emailVerified }: { emailVerified: boolean },
): KeycloakUser | undefined {
  const fields = parseFields(text);
  if (textOf(fields, ['serviceAccountClientId']) !== undefined) return undefined;
  const email = textOf(fields, ['email']);
  const userName = textOf(fields, ['username']) ?? email;
  const userId = textOf(fields, ['id']);
  if (userName === undefined) throw new ConversionError('no username');
  const enabled = flagOf(fields, ['enabled']);
  const notes: string[] = [];
  const lost: string[] = [];
  const record: HumanUserRecord = {
    ...(userId !== undefined && { userId: requireId(userId) }),
    user: {
      userName,
      ...datesOf({ created: fields['createdTimestamp'] }, notes),
      profile: {
        ...personNames({
          given: textOf(fields, ['firstName']),
          family: textOf(fields, ['lastName']),
          email,
        }),
        ...language(fields, { notes, lost }),
      },
      ...(email !== undefined && {
        email: { email, isEmailVerified: emailVerified || isTrue(fields, ['emailVerified']) },
      }),
      ...readCredentials(fields, { notes, lost }),
      ...(enabled !== undefined && { scim: { active: enabled } }),
    },
  };
  const source = new SourceRecord({ ...fields }, taken);
  source.loseAlso(...lost);
  const groups = listOf(fields['groups']).filter((path) => typeof path === 'string');
  return { source, person: { record, notes }, groups: [...new Set(groups)] };
}

/** What is told about a user: notes, and paths whose values reach nothing. */
interface Told {
  readonly notes: string[];
  readonly lost: string[];
}

function language(fields: Fields, { notes, lost }: Told): { preferredLanguage?: string } {
  const [tag, ...others] = listOf(asFields(fields['attributes'])?.['locale']);
  if (others.length > 0) lost.push('attributes.locale[]');
  if (typeof tag !== 'string' || tag === '') return {};
  try {
    return { preferredLanguage: requireLanguageTag('preferredLanguage', tag) };
  } catch {
    notes.push('the attribute locale is no language; left out');
    lost.push('attributes.locale[]');
    return {};
  }
}

function readCredentials(fields: Fields, { notes, lost }: Told): Credentials {
  const credentials = listOf(fields['credentials']).filter(isJsonObject);
  const password = credentials.find(({ type }) => type === 'password');
  const codes = credentials.filter(({ type }) => type === 'otp' || type === 'totp');
  const others = credentials.filter((one) => one !== password && !codes.includes(one));
  if (others.length > 0) notes.push(`${others.length} other credentials cannot be taken over`);
  if (codes.length > 1) notes.push('only the first of several authenticator apps is taken over');
  const [code] = codes;
  const taken = password && readPassword(password, notes);
  const oneTime = code && readOneTimeCode(code, notes);
  const isLeftOut = (given: unknown, read: Credentials | undefined) =>
    given !== undefined && Object.keys(read ?? {}).length === 0;
  if (others.length > 0 || codes.length > 1 || isLeftOut(password, taken) || isLeftOut(code, oneTime)) {
    lost.push('credentials[]');
  }
  const actions = listOf(fields['requiredActions']);
  const temporary = password?.['temporary'];
  const mustChange = temporary === true || actions.includes('UPDATE_PASSWORD');
  const saysSo = Array.isArray(fields['requiredActions']) || typeof temporary === 'boolean';
  const undone = actions.filter((action) => action !== 'UPDATE_PASSWORD');
  if (undone.length > 0) lost.push('requiredActions[]');
  if (undone.length > 0) notes.push(`the required actions ${undone.join(', ').slice(0, 200)} are left out`);
  return {
    ...taken,
    ...(taken !== undefined && saysSo && { passwordChangeRequired: mustChange }),
    ...oneTime,
  };
}

/** Reads a password hash, or a password in plain text that a person wrote into the file. */
function readPassword(credential: Fields, notes: string[]): Credentials | undefined {
  const clear = credential['value'];
  if (typeof clear === 'string' && clear !== '') return { password: clear };
  const reading = readPasswordHash(JSON.stringify(credential));
  if (typeof reading === 'object') return { hashedPassword: { value: reading.text } };
  if (reading === 'costOutOfBounds') throw new ConversionError(toldByImport('HASH-COST'));
  const data = nested(credential, 'credentialData');
  const algorithm = textOf(data, ['algorithm']) ?? textOf(credential, ['algorithm']) ?? 'unknown';
  if (/argon2|bcrypt|pbkdf2/i.test(algorithm)) throw new ConversionError(toldByImport('HASH-UNREADABLE'));
  notes.push(
    `password hashes of ${JSON.stringify(algorithm)} cannot be taken over; the user sets a password at the first login`,
  );
  return undefined;
}

/** Reads the secret of an authenticator app, if it uses 6 digits, 30 seconds and SHA-1 (RFC 6238). */
function readOneTimeCode(credential: Fields, notes: string[]): Credentials {
  const data = { ...credential, ...nested(credential, 'credentialData') };
  const secret = textOf(nested(credential, 'secretData'), ['value']) ?? textOf(credential, ['value']);
  const isOurs =
    (data['subType'] ?? data['type']) === 'totp' &&
    [undefined, 6].some((digits) => data['digits'] === digits) &&
    [undefined, 30].some((period) => data['period'] === period) &&
    [undefined, 'HmacSHA1'].some((algorithm) => data['algorithm'] === algorithm);
  if (secret === undefined || !isOurs) {
    notes.push('the authenticator app counts in another way than RFC 6238 does by default; left out');
    return {};
  }
  const isBase32 = textOf(data, ['secretEncoding'])?.toUpperCase() === 'BASE32';
  const otpCode = isBase32 ? secret.replace(/=+$/, '') : toBase32(Buffer.from(secret));
  if (fromBase32(otpCode) !== undefined) return { otpCode };
  notes.push(`the authenticator app is left out; ${toldByImport('OTP-UNREADABLE')}`);
  return {};
}

/** Reads a field of a credential that is JSON within JSON. */
function nested(credential: Fields, name: string): Fields {
  const text = textOf(credential, [name]);
  return text === undefined ? (asFields(credential[name]) ?? {}) : parseFields(text);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
