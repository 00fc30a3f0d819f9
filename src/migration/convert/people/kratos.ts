import { isJsonObject } from '#src/platform/json/json-object.js';
import type { PeopleFormat } from '../convert-people.js';
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
        email,
        emailVerified: emailVerified || isVerified(email),
        phone,
        phoneVerified: isVerified(phone),
        active: source.text('state') !== 'inactive',
        hash: source.text('credentials', 'password', 'config', 'hashed_password'),
        otpSecret: /[?&]secret=([A-Za-z2-7=]+)/.exec(
          source.text('credentials', 'totp', 'config', 'totp_url') ?? '',
        )?.[1],
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

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
