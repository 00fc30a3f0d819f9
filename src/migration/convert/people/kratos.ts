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
      const [identifier] = source.list('credentials', 'password', 'identifiers');
      const isVerified = verifiedAddresses(source);
      return makePerson(system, {
        id,
        userNames: [source.text('traits', 'username'), email, textOf(identifier), phone],
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
