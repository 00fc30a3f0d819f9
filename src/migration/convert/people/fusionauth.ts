import { fusionauthIdentities } from '../identities/identity-places.js';
import type { PeopleFormat } from '../people-format.js';
import { ConversionError } from '../read-fields.js';
import type { SourceRecord } from '../source-record.js';
import { makePerson } from './person.js';

const system = 'FusionAuth';

/** The users of a search, or of an import file, of FusionAuth. Only the database and import files have the hashes. Second factors are lost. */
export const fusionauth: PeopleFormat = {
  system,
  members: ['users'],
  identities: fusionauthIdentities,
  reader:
    ({ emailVerified }) =>
    (source) => {
      const [userName, email] = [source.text('username'), source.text('email')];
      if (userName === undefined && email === undefined) {
        throw new ConversionError(`not a user of ${system}: it has neither username nor email`);
      }
      const [language, ...others] = source
        .list('preferredLanguages')
        .filter((value) => typeof value === 'string');
      if (others.length > 0) source.loseAlso('preferredLanguages[]');
      const photo = source.text('imageUrl');
      const { hash, notes } = hashOf(source);
      return makePerson(system, {
        id: source.text('id'),
        userNames: [userName, email],
        names: {
          given: source.text('firstName'),
          family: source.text('lastName'),
          full: source.text('fullName'),
          email,
        },
        created: source.take('insertInstant'),
        lastModified: source.take('lastUpdateInstant'),
        language,
        email,
        emailVerified: emailVerified || source.flag('verified') === true,
        phone: source.text('mobilePhone'),
        active: source.flag('active'),
        hash,
        passwordChangeRequired: source.flag('passwordChangeRequired'),
        scim: {
          middleName: source.text('middleName'),
          birthdate: source.text('birthDate'),
          timezone: source.text('timezone'),
          photos: photo === undefined ? undefined : [{ value: photo, type: 'photo' }],
        },
        notes,
      });
    },
};

/** Writes the hash in its usual form. */
function hashOf(source: SourceRecord): { hash?: string; notes: string[] } {
  const [scheme, tag] = [source.text('encryptionScheme'), source.text('password')];
  const [salt, factor] = [source.text('salt') ?? '', source.text('factor') ?? ''];
  if (tag === undefined) return { notes: [] };
  if (scheme === 'bcrypt') return { hash: `$2a$${factor.padStart(2, '0')}$${salt}${tag}`, notes: [] };
  const [, digest] = /^salted-pbkdf2-hmac-(sha256|sha512)(?:-512)?$/.exec(scheme ?? '') ?? [];
  if (digest !== undefined) return { hash: `$pbkdf2-${digest}$${factor}$${salt}$${tag}`, notes: [] };
  const name = JSON.stringify(scheme?.slice(0, 100) ?? 'unknown');
  return {
    notes: [`password hashes of ${name} cannot be taken over; the user sets a password at the first login`],
  };
}
