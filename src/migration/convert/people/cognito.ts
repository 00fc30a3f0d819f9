import { isJsonObject } from '#src/platform/json/json-object.js';
import type { PeopleFormat } from '../mapping/people-format.js';
import { scimPaths, statedAlways, statedNames } from '../mapping/stated.js';
import type { valueRules } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import { isEmpty, SourceRecord } from '../reading/source-record.js';
import { takeDates } from '../values/dates.js';
import { makePerson, takeChecked } from './person.js';

const system = 'Amazon Cognito';

/** `aws cognito-idp list-users`, or a table with the header of the pool. It never tells password hashes. */
export const cognito: PeopleFormat = {
  system,
  members: ['Users'],
  factors: [['MFAOptions'], ['UserMFASettingList']],
  table: {
    isFirstLine: (line) => line.includes('cognito:username'),
    /** The header that `aws cognito-idp get-csv-header` tells: the attributes, and two columns of the user. A table has no other date than `updated_at`. */
    read({ 'cognito:username': Username, 'cognito:mfa_enabled': mfaEnabled, updated_at, ...attributes }) {
      return {
        Username,
        UserLastModifiedDate: updated_at,
        ...(!/^false$/i.test(String(mfaEnabled)) && { mfaEnabled }),
        Attributes: Object.entries(attributes)
          .filter(([, Value]) => Value !== '')
          .map(([Name, Value]) => ({ Name, Value })),
      };
    },
  },
  states: statedAlways(
    ...[...statedNames, 'profile.displayName', 'profile.nickName', 'email', 'phone'],
    ...scimPaths([
      'middleName',
      'profileUrl',
      'website',
      'gender',
      'birthdate',
      'locale',
      'timezone',
      'photos',
    ]),
  ),
  reader:
    ({ emailVerified }) =>
    (source) => {
      const userName = source.text('Username');
      if (userName === undefined)
        throw new ConversionError('notPerson', { system, lacks: 'it has no Username' });
      // `admin-get-user` has another name for them than `list-users`.
      const listName = source.look('Attributes') === undefined ? 'UserAttributes' : 'Attributes';
      const list = source.list(listName).filter((one) => !isEmpty(one));
      const attributes = list.filter(isJsonObject);
      // Of two values with one name, the last counts.
      if (new Set(attributes.map(({ Name }) => Name)).size < list.length) source.loseAlso(`${listName}[]`);
      const given = new SourceRecord(
        Object.fromEntries(attributes.map(({ Name, Value }) => [String(Name), Value])),
      );
      const notes: string[] = [];
      const checked = (rule: keyof typeof valueRules, name: string) =>
        takeChecked(given, { rule, path: [name], notes });
      // Tables have these words in capital letters too.
      const isSaid = (name: string) => given.text(name)?.toLowerCase() === 'true';
      const [email, phone] = [given.text('email'), given.text('phone_number')];
      const picture = checked('photo', 'picture');
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
        ...takeDates(source, { created: ['UserCreateDate'], lastModified: ['UserLastModifiedDate'] }),
        email,
        emailVerified: isSaid('email_verified') || emailVerified,
        phone,
        phoneVerified: isSaid('phone_number_verified'),
        notes,
        active: source.flag('Enabled'),
        scim: {
          middleName: given.text('middle_name'),
          profileUrl: checked('profileUrl', 'profile'),
          website: checked('website', 'website'),
          gender: given.text('gender'),
          birthdate: checked('birthdate', 'birthdate'),
          locale: checked('locale', 'locale'),
          timezone: checked('timezone', 'zoneinfo'),
          photos: picture === undefined ? undefined : [{ value: picture, type: 'photo' }],
        },
      });
      source.loseAlso(...[...given.lost()].map((name) => `${listName}.${name}`));
      if (![undefined, person.record.user.userName].includes(preferred)) {
        source.loseAlso(`${listName}.preferred_username`);
      }
      return person;
    },
};
