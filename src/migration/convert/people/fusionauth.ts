import type { valueRules } from '../check-item.js';
import { fusionauthIdentities } from '../identities/identity-places.js';
import type { PeopleFormat } from '../people-format.js';
import { ConversionError } from '../read-fields.js';
import { isEmpty, type SourceRecord } from '../source-record.js';
import { takeDates } from './dates.js';
import { isLanguage } from './language.js';
import { isText, makePerson, takeChecked } from './person.js';

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
      const languages = source.list('preferredLanguages').filter((one) => !isEmpty(one));
      const [language] = languages.filter(isText);
      const isTaken = languages.length === 0 || (language !== undefined && isLanguage(language));
      if (languages.length > 1 || !isTaken) source.loseAlso('preferredLanguages[]');
      const { hash, notes } = hashOf(source);
      const checked = (rule: keyof typeof valueRules, name: string) =>
        takeChecked(source, { rule, path: [name], notes });
      const photo = checked('photo', 'imageUrl');
      return makePerson(system, {
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
        active: source.flag('active'),
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
    },
};

/** Takes the hash, and writes it in its usual form. */
function hashOf(source: SourceRecord): { hash?: string; notes: string[] } {
  if (isEmpty(source.look('password'))) return { notes: [] };
  const scheme = source.look('encryptionScheme');
  const known = typeof scheme === 'string' ? scheme : 'unknown';
  const [, digest] = /^salted-pbkdf2-hmac-(sha256|sha512)(?:-512)?$/.exec(known) ?? [];
  if (known !== 'bcrypt' && digest === undefined) {
    const name = JSON.stringify(known.slice(0, 100));
    return {
      notes: [`password hashes of ${name} cannot be taken over; the user sets a password at the first login`],
    };
  }
  source.take('encryptionScheme');
  const [salt, factor, tag] = ['salt', 'factor', 'password'].map((name) => source.text(name) ?? '');
  const hash =
    digest === undefined
      ? `$2a$${factor?.padStart(2, '0')}$${salt}${tag}`
      : `$pbkdf2-${digest}$${factor}$${salt}$${tag}`;
  return { hash, notes: [] };
}
