import { isJsonObject } from '#src/platform/json/json-object.js';
import { kratosIdentities } from '../identities/identity-places.js';
import type { PeopleFormat } from '../people-format.js';
import { ConversionError } from '../read-fields.js';
import type { SourceRecord } from '../source-record.js';
import { makePerson } from './person.js';

const system = 'Ory Kratos';

/**
 * `GET /admin/identities?include_credential=password&include_credential=totp` of Ory Kratos. Its identity schema is the
 * operator's. The traits that Ory's examples have are taken: email, username, phone, name, and names under `name`.
 */
export const kratos: PeopleFormat = {
  system,
  members: ['identities'],
  identities: kratosIdentities,
  reader:
    ({ emailVerified }) =>
    (source) => {
      const id = source.text('id');
      if (id === undefined || !isJsonObject(source.look('traits'))) {
        throw new ConversionError(`not a user of ${system}: it has no id or no traits`);
      }
      const email = source.text('traits', 'email');
      const phone = source.text('traits', 'phone') ?? source.text('traits', 'phone_number');
      const identifiers = source.list('credentials', 'password', 'identifiers').filter(isText);
      const isVerified = verifiedAddresses(source);
      const person = makePerson(system, {
        id,
        userNames: [source.text('traits', 'username'), email, identifiers[0], phone],
        names: { ...namesOf(source), email },
        created: source.take('created_at'),
        lastModified: source.take('updated_at'),
        email,
        emailVerified: emailVerified || isVerified(email),
        phone,
        phoneVerified: isVerified(phone),
        active: activeBy(source.text('state')),
        hash: source.text('credentials', 'password', 'config', 'hashed_password'),
        ...readTotp(source.text('credentials', 'totp', 'config', 'totp_url')),
      });
      const known = new Set<unknown>([email, phone, person.record.user.userName]);
      if (identifiers.some((one) => !known.has(one))) {
        source.loseAlso('credentials.password.identifiers[]');
      }
      const addresses = source.list('verifiable_addresses').filter(isJsonObject);
      if (addresses.some(({ value }) => !known.has(value))) source.loseAlso('verifiable_addresses[]');
      return person;
    },
};

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
    source
      .list('verifiable_addresses')
      .filter(isJsonObject)
      .filter((address) => address['verified'] === true)
      .map((address) => address['value']),
  );
  return (value) => value !== undefined && verified.has(value);
}

/** Reads the secret of an authenticator app, if it counts as RFC 6238 does by default: SHA-1, 6 digits, 30 seconds. */
function readTotp(url: string | undefined): { otpSecret?: string; notes?: string[] } {
  if (url === undefined) return {};
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  const secret = parameters.get('secret');
  const isOurs = [
    ['algorithm', 'SHA1'],
    ['digits', '6'],
    ['period', '30'],
  ].every(([name = '', usual]) => [null, usual].includes(parameters.get(name)));
  if (secret !== null && isOurs) return { otpSecret: secret };
  return { notes: ['the authenticator app counts in another way than RFC 6238 does by default; left out'] };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
