import { isJsonObject } from '#src/platform/json/json-object.js';
import type { PeopleFormat } from '../people-format.js';
import { ConversionError } from '../read-fields.js';
import { SourceRecord } from '../source-record.js';
import { makePerson } from './person.js';

const system = 'Amazon Cognito';

/** `aws cognito-idp list-users`, or a table with the header of the pool. It never tells password hashes. */
export const cognito: PeopleFormat = {
  system,
  members: ['Users'],
  table: {
    isFirstLine: (line) => line.includes('cognito:username'),
    /** The header that `aws cognito-idp get-csv-header` tells: the attributes, and two columns of the user. A table has no other date than `updated_at`. */
    read({ 'cognito:username': Username, 'cognito:mfa_enabled': mfaEnabled, updated_at, ...attributes }) {
      return {
        Username,
        UserLastModifiedDate: updated_at,
        ...(mfaEnabled !== 'false' && { mfaEnabled }),
        Attributes: Object.entries(attributes)
          .filter(([, Value]) => Value !== '')
          .map(([Name, Value]) => ({ Name, Value })),
      };
    },
  },
  reader:
    ({ emailVerified }) =>
    (source) => {
      const userName = source.text('Username');
      if (userName === undefined) throw new ConversionError(`not a user of ${system}: it has no Username`);
      const attributes = source.list('Attributes').filter(isJsonObject);
      const given = new SourceRecord(
        Object.fromEntries(attributes.map(({ Name, Value }) => [String(Name), Value])),
      );
      const [email, phone, picture] = [
        given.text('email'),
        given.text('phone_number'),
        given.text('picture'),
      ];
      const [id, preferred] = [given.text('sub'), given.text('preferred_username')];
      const person = makePerson(system, {
        id,
        // Pools that sign in with an address have an identifier as Username.
        userNames: [userName === id ? email : userName, preferred, phone, userName],
        names: {
          given: given.text('given_name'),
          family: given.text('family_name'),
          full: given.text('name'),
          nick: given.text('nickname'),
          email,
        },
        created: source.take('UserCreateDate'),
        lastModified: source.take('UserLastModifiedDate'),
        email,
        emailVerified: emailVerified || given.text('email_verified') === 'true',
        phone,
        phoneVerified: given.text('phone_number_verified') === 'true',
        active: source.flag('Enabled'),
        scim: {
          middleName: given.text('middle_name'),
          profileUrl: given.text('profile'),
          website: given.text('website'),
          gender: given.text('gender'),
          birthdate: given.text('birthdate'),
          locale: given.text('locale')?.replaceAll('_', '-'),
          timezone: given.text('zoneinfo'),
          photos: picture === undefined ? undefined : [{ value: picture, type: 'photo' }],
        },
      });
      source.loseAlso(...[...given.lost()].map((name) => `Attributes.${name}`));
      if (![undefined, person.record.user.userName].includes(preferred)) {
        source.loseAlso('Attributes.preferred_username');
      }
      return person;
    },
};
