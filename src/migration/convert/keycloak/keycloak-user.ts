import { fromBase32, toBase32 } from '#src/accounts/index.js';
import { mostPasskeys } from '#src/accounts/person-lists/index.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { HumanUserRecord } from '../../format/human-user.record.js';
import type { ConvertedPerson, Passkeys } from '../mapping/people-format.js';
import { statedAlways, statedNames } from '../mapping/stated.js';
import { passkeyOf } from '../passkeys/passkey.js';
import { importMessage, requireId } from '../reading/check-item.js';
import { asFields, ConversionError, type Fields, parseFields, textOf } from '../reading/read-fields.js';
import { isEmpty, SourceRecord, setOfPaths } from '../reading/source-record.js';
import { datesOf } from '../values/dates.js';
import { isLanguage, languageGiven, tagOf } from '../values/language.js';
import { personNames } from '../values/person-names.js';
import { takeUsualAttributes } from './keycloak-attributes.js';

/** A user of a realm export. */
interface KeycloakUser {
  readonly source: SourceRecord;
  readonly person: ConvertedPerson;
  /** The paths of the groups of the user, as {@link groupPath} has them. */
  readonly groups: readonly string[];
  /** Whether the user has no `enabled`, and is therefore disabled. */
  readonly isSilent: boolean;
}

/** What a realm says of every person. */
export const keycloakStates = statedAlways(...statedNames, 'profile.preferredLanguage', 'email');

/** The paths of credentials that are converted. A credential that is left out is lost as a whole. */
const taken = setOfPaths([
  // What the admin API says about its own caller, and about the form of a user.
  ...['access', 'userProfileMetadata'].map((name) => [name]),
  ...[
    ...['type', 'subType', 'value', 'temporary', 'secretData', 'credentialData', 'hashedSaltedValue', 'salt'],
    ...['hashIterations', 'algorithm', 'counter', 'digits', 'period'],
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
  { emailVerified, rpId }: { emailVerified: boolean; rpId?: string | undefined },
): KeycloakUser | undefined {
  const fields = parseFields(text);
  if (textOf(fields, ['serviceAccountClientId']) !== undefined) return undefined;
  const source = new SourceRecord({ ...fields }, taken);
  const email = source.text('email');
  const userName = source.text('username') ?? email;
  const userId = source.text('id');
  if (userName === undefined) throw new ConversionError('noUserName', { detail: 'no username' });
  const notes: string[] = [];
  const enabled = enabledOf(source);
  const isVerified = flagOf(source, 'emailVerified') === true;
  const preferredLanguage = language(source, notes);
  const { phone, scim: usual, ...named } = takeUsualAttributes(source, notes);
  const scim = {
    ...usual,
    ...(enabled !== undefined && { active: enabled }),
    ...languageGiven(preferredLanguage),
  };
  const { hasFactor, passkeys, ...credentials } = readCredentials(source, notes, { userId, rpId });
  const record: HumanUserRecord = {
    ...(userId !== undefined && { userId: requireId(userId) }),
    user: {
      userName,
      ...datesOf({ created: takeCreated(source) }, notes),
      profile: {
        ...personNames({
          given: source.text('firstName'),
          family: source.text('lastName'),
          email,
        }),
        ...named,
        ...(preferredLanguage !== undefined && { preferredLanguage }),
      },
      ...(email !== undefined && { email: { email, isEmailVerified: isVerified || emailVerified } }),
      ...(phone !== undefined && { phone }),
      ...credentials,
      ...(Object.keys(scim).length > 0 && { scim }),
    },
  };
  const given = source.list('groups').filter((path) => !isEmpty(path));
  const groups = given.filter((path) => typeof path === 'string');
  if (groups.length < given.length) source.loseAlso('groups[]');
  const person = { record, notes, passkeys, hasFactor: hasFactor || source.look('totp') === true };
  const isSilent = (source.look('enabled') ?? source.look('status') ?? undefined) === undefined;
  return { source, person, groups: [...new Set(groups.map(groupPath))], isSilent };
}

/** A path of a group with a slash before it and none behind it. An import of Keycloak finds a group by a path without slashes too. */
export function groupPath(path: string): string {
  return `/${path.trim().replace(/^\//, '').replace(/\/$/, '')}`;
}

/**
 * Takes whether the user may sign in. Keycloak takes a user without `enabled` for disabled (`DefaultExportImportManager.createUser`). A value that
 * is no flag says nothing.
 */
function enabledOf(source: SourceRecord): boolean | undefined {
  const given = source.look('enabled');
  if (given !== undefined && given !== null) return flagOf(source, 'enabled');
  // The word of the first alpha version.
  return source.look('status') === 'ENABLED' && source.take('status') !== undefined;
}

/** Takes a flag. An import of Keycloak takes it as a text too. */
function flagOf(source: SourceRecord, name: string): boolean | undefined {
  const value = source.look(name);
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  const flag = { true: true, false: false }[String(word)];
  if (flag !== undefined) source.take(name);
  return flag;
}

/** Takes the time of creation. Keycloak counts milliseconds, and its import takes them as a text too. */
function takeCreated(source: SourceRecord): unknown {
  const given = source.look('createdTimestamp');
  const milliseconds = typeof given === 'string' && /^ *\d{1,16} *$/.test(given) ? Number(given) : given;
  if (typeof milliseconds !== 'number') return given;
  const date = new Date(milliseconds);
  const created = Number.isNaN(date.getTime()) ? given : date.toISOString();
  if (datesOf({ created }, []).created !== undefined) source.take('createdTimestamp');
  return created;
}

/** Takes the language. The oldest versions have single values of attributes. */
function language(source: SourceRecord, notes: string[]): string | undefined {
  const given = source.look('attributes', 'locale');
  const [tag, ...others] = Array.isArray(given) ? given : [given];
  if (typeof tag !== 'string' || tag.trim() === '') return undefined;
  if (!isLanguage(tag.trim())) {
    notes.push('the attribute locale is no language; left out');
    return undefined;
  }
  source.take('attributes', 'locale');
  if (!others.every((one) => isEmpty(one))) source.loseAlso('attributes.locale[]');
  return tagOf(tag.trim());
}

function readCredentials(
  source: SourceRecord,
  notes: string[],
  options: PasskeyOptions,
): Credentials & { hasFactor: boolean; passkeys: Passkeys } {
  const given = source.look('credentials');
  const credentials = listOf(given).filter(isJsonObject);
  const password = credentials.find(({ type }) => type === 'password');
  const codes = credentials.filter(({ type }) => type === 'otp' || type === 'totp');
  const keys = credentials.flatMap((one) => {
    const passkey = readPasskey(one, options);
    return passkey === undefined ? [] : [[one, passkey] as const];
  });
  const passkeys = keys.slice(0, mostPasskeys).map(([, passkey]) => passkey);
  const isTaken = (one: unknown) => keys.slice(0, mostPasskeys).some(([taken]) => taken === one);
  const others = credentials.filter((one) => one !== password && !codes.includes(one) && !isTaken(one));
  // Other credentials lose their name and date.
  for (const name of ['userLabel', 'createdDate']) {
    if (credentials.every((one) => isEmpty(one[name]) || isTaken(one)))
      source.take('credentials', '[]', name);
  }
  if (others.length > 0) notes.push(`${others.length} other credentials cannot be taken over`);
  if (codes.length > 1) notes.push('only the first of several authenticator apps is taken over');
  const [code] = codes;
  const taken = password && readPassword(password, notes);
  const oneTime = code && readOneTimeCode(code, notes);
  const isLeftOut = (given: unknown, read: Credentials | undefined) =>
    given !== undefined && Object.keys(read ?? {}).length === 0;
  if (others.length > 0 || codes.length > 1 || isLeftOut(password, taken) || isLeftOut(code, oneTime)) {
    source.loseAlso('credentials[]');
  }
  const actions = source.list('requiredActions').filter((action) => !isEmpty(action));
  const temporary = password?.['temporary'];
  const mustChange = String(temporary) === 'true' || actions.includes('UPDATE_PASSWORD');
  const saysSo = Array.isArray(source.look('requiredActions')) || /^(true|false)$/.test(String(temporary));
  const undone = actions.filter((action) => action !== 'UPDATE_PASSWORD');
  if (undone.length > 0) source.loseAlso('requiredActions[]');
  if (undone.length > 0) notes.push(`the required actions ${undone.join(', ').slice(0, 200)} are left out`);
  return {
    ...taken,
    ...(taken !== undefined && saysSo && { passwordChangeRequired: mustChange }),
    ...oneTime,
    hasFactor: credentials.some(({ type }) => isFactor(type)),
    passkeys,
  };
}

/** Whether Keycloak asks for a credential of this type after the password. */
function isFactor(type: unknown): boolean {
  return ['otp', 'totp', 'webauthn', 'recovery-authn-codes'].includes(String(type));
}

interface PasskeyOptions {
  readonly userId: string | undefined;
  readonly rpId?: string | undefined;
}

/** Reads a WebAuthn credential (`WebAuthnCredentialModel`). The user handle is the identifier of the user (`WebAuthnRegister`). */
function readPasskey(credential: Fields, { userId, rpId }: PasskeyOptions): Passkeys[number] | undefined {
  const { type } = credential;
  if (type !== 'webauthn' && type !== 'webauthn-passwordless') return undefined;
  const data = nested(credential, 'credentialData');
  return passkeyOf({
    id: data['credentialId'],
    publicKey: data['credentialPublicKey'],
    counter: data['counter'],
    transports: data['transports'],
    aaguid: data['aaguid'],
    userHandle: userId === undefined ? undefined : Buffer.from(userId).toString('base64url'),
    rpId,
    label: credential['userLabel'],
    passwordless: type === 'webauthn-passwordless',
    created: credential['createdDate'],
  });
}

/** Reads a password hash, or a password in plain text that a person wrote into the file. */
function readPassword(credential: Fields, notes: string[]): Credentials | undefined {
  const clear = credential['value'];
  if (typeof clear === 'number') return { password: String(clear) };
  if (typeof clear === 'string' && clear !== '') return { password: clear };
  const hashedPassword = { value: JSON.stringify(credential) };
  const data = nested(credential, 'credentialData');
  const algorithm = textOf(data, ['algorithm']) ?? textOf(credential, ['algorithm']) ?? 'unknown';
  // The mapping reads it, and refuses one that is malformed.
  if (/argon2|bcrypt|pbkdf2/i.test(algorithm) || readPasswordHash(hashedPassword.value) !== undefined)
    return { hashedPassword };
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
  notes.push(`the authenticator app is left out; ${importMessage('OTP-UNREADABLE')}`);
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
