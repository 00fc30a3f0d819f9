import { mostPasskeys } from '#src/accounts/person-lists/index.js';
import { foldCase } from '#src/directory/index.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { kratosIdentities } from '../identities/identity-layouts.js';
import type { Passkeys, PeopleFormat } from '../mapping/people-format.js';
import { statedAlways, statedNames } from '../mapping/stated.js';
import { passkeyOf } from '../passkeys/passkey.js';
import { ConversionError } from '../reading/read-fields.js';
import { flagIn, isEmpty, type SourceRecord } from '../reading/source-record.js';
import { takeDates } from '../values/dates.js';
import { isOtpSecret, isText, makePerson } from './person.js';

const system = 'Ory Kratos';

/**
 * `GET /admin/identities?include_credential=password&include_credential=totp` of Ory Kratos. Its identity schema is the
 * operator's. The traits that Ory's examples have are taken: email, username, phone, name, and names under `name`.
 */
export const kratos: PeopleFormat = {
  system,
  members: ['identities'],
  states: statedAlways(...statedNames, 'profile.displayName', 'email', 'phone'),
  identities: kratosIdentities,
  factors: ['totp', 'lookup_secret'].map((kind) => ['credentials', kind, 'config']),
  reader:
    ({ emailVerified, rpId }) =>
    (source) => {
      const id = source.text('id');
      if (id === undefined || !isJsonObject(source.look('traits'))) {
        throw new ConversionError('notPerson', { system, lacks: 'it has no id or no traits' });
      }
      const email = source.text('traits', 'email');
      const phone = source.text('traits', 'phone') ?? source.text('traits', 'phone_number');
      const identifiers = source
        .list('credentials', 'password', 'identifiers')
        .filter((one) => !isEmpty(one));
      const isVerified = verifiedAddresses(source);
      const person = makePerson(system, {
        id,
        userNames: [source.text('traits', 'username'), email, identifiers.find(isText), phone],
        names: { ...namesOf(source), email },
        ...takeDates(source, { created: ['created_at'], lastModified: ['updated_at'] }),
        email,
        emailVerified: emailVerified || isVerified(email),
        phone,
        phoneVerified: isVerified(phone),
        active: activeBy(source.text('state')),
        hash: source.text('credentials', 'password', 'config', 'hashed_password'),
        ...takeTotp(source),
      });
      const known = new Set([email, phone, person.record.user.userName].map(asKratosKeeps));
      if (identifiers.some((one) => !known.has(asKratosKeeps(one)))) {
        source.loseAlso('credentials.password.identifiers[]');
      }
      if (addressesOf(source).some(({ value }) => !known.has(asKratosKeeps(value))))
        source.loseAlso('verifiable_addresses[].value');
      const passkeys = takePasskeys(source, rpId);
      return { ...person, passkeys, hasFactor: passkeys.some(({ passwordless }) => passwordless === false) };
    },
};

/**
 * Takes the WebAuthn credentials, which are in two credentials of an identity. Fields: `CredentialWebAuthn` of ory/kratos,
 * `identity/credentials_webauthn.go`. Go writes bytes in base64.
 */
function takePasskeys(source: SourceRecord, rpId: string | undefined): Passkeys {
  const taken = new Map<string, Passkeys[number]>();
  for (const kind of ['passkey', 'webauthn']) {
    const config = ['credentials', kind, 'config'];
    const given = source.look(...config, 'credentials');
    const userHandle = source.look(...config, 'user_handle');
    const found = (Array.isArray(given) ? given : []).map((one) =>
      passkeyOfKratos(one, { userHandle, rpId, isPasskey: kind === 'passkey' }),
    );
    const isWhole = found.every((one) => one !== undefined);
    if (Array.isArray(given) && isWhole) {
      source.take(...config, 'credentials');
      source.take(...config, 'user_handle');
      source.take('credentials', kind, 'identifiers');
    }
    for (const one of found) if (one !== undefined && taken.size < mostPasskeys) taken.set(one.id, one);
    if (found.length > mostPasskeys) source.loseAlso(`${config.join('.')}.credentials[]`);
  }
  return [...taken.values()];
}

function passkeyOfKratos(
  given: unknown,
  { userHandle, rpId, isPasskey }: { userHandle: unknown; rpId: string | undefined; isPasskey: boolean },
): Passkeys[number] | undefined {
  if (!isJsonObject(given)) return undefined;
  const { authenticator, flags } = given;
  const [of, state] = [isJsonObject(authenticator) ? authenticator : {}, isJsonObject(flags) ? flags : {}];
  return passkeyOf({
    id: given['id'],
    publicKey: given['public_key'],
    counter: of['sign_count'],
    transports: given['transport'],
    aaguid: uuidOf(of['aaguid']),
    userHandle,
    rpId,
    label: given['display_name'],
    passwordless: isPasskey || given['is_passwordless'] === true,
    backupEligible: state['backup_eligible'],
    backedUp: state['backup_state'],
    created: given['added_at'],
  });
}

/** The 16 bytes of an AAGUID as a UUID. */
function uuidOf(given: unknown): string | undefined {
  const hex = typeof given === 'string' ? Buffer.from(given, 'base64').toString('hex') : '';
  if (hex.length !== 32) return undefined;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function namesOf(source: SourceRecord) {
  const name = source.look('traits', 'name');
  if (typeof name === 'string') return { full: source.text('traits', 'name') };
  return {
    given: source.text('traits', 'name', 'first') ?? source.text('traits', 'first_name'),
    family: source.text('traits', 'name', 'last') ?? source.text('traits', 'last_name'),
  };
}

function activeBy(state: string | undefined): boolean | undefined {
  return state === undefined ? undefined : state !== 'inactive';
}

/** Returns the function that says whether an address or number is verified. */
function verifiedAddresses(source: SourceRecord): (value: string | undefined) => boolean {
  const verified = new Set(
    addressesOf(source)
      .filter(isVerifiedAddress)
      .map((address) => asKratosKeeps(address['value'])),
  );
  return (value) => value !== undefined && verified.has(asKratosKeeps(value));
}

/** Kratos writes an address and an identifier in lower case, and the trait as it was given (`x.NormalizeEmailIdentifier` and others). */
function asKratosKeeps(value: unknown): unknown {
  return typeof value === 'string' ? foldCase(value.trim()) : value;
}

/** States of an address: a message was never sent, was sent, or was answered. */
const addressStates = ['pending', 'sent', 'completed'];

/** Whether an address is verified. An address that does not say so has a state that does. */
function isVerifiedAddress({ verified, status }: JsonObject): boolean {
  return flagIn(verified) ?? (isEmpty(verified) && status === 'completed');
}

/** The kind of an address follows from its value. What it says about its verification in other words is lost. */
function addressesOf(source: SourceRecord): JsonObject[] {
  const path = 'verifiable_addresses';
  const addresses = source.items([path], ['value', 'verified', 'via', 'status']);
  for (const { verified, status } of addresses) {
    if (!isEmpty(verified) && flagIn(verified) === undefined) source.loseAlso(`${path}[].verified`);
    const isKnown = isEmpty(status) || addressStates.includes(String(status));
    const agrees = flagIn(verified) === undefined || (status === 'completed') === flagIn(verified);
    if (!isKnown || (!isEmpty(status) && !agrees)) source.loseAlso(`${path}[].status`);
  }
  return addresses;
}

/** Takes the secret of an authenticator app, if it counts as RFC 6238 does by default: SHA-1, 6 digits, 30 seconds. */
function takeTotp(source: SourceRecord): { otpSecret?: string; notes?: string[] } {
  const url = source.text('credentials', 'totp', 'config', 'totp_url');
  if (url === undefined) return {};
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const secret = parameters.get('secret');
  const isOurs = [
    ['algorithm', 'SHA1'],
    ['digits', '6'],
    ['period', '30'],
  ].every(([name = '', usual]) => [null, usual].includes(parameters.get(name)));
  if (secret === null || !isOurs || !isOtpSecret(secret)) source.loseAlso('credentials.totp.config.totp_url');
  if (secret !== null && isOurs) return { otpSecret: secret };
  return { notes: ['the authenticator app counts in another way than RFC 6238 does by default; left out'] };
}
