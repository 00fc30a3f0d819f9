import type { PeopleFormat } from '../mapping/people-format.js';
import { ConversionError } from '../reading/read-fields.js';
import { takeDates } from '../values/dates.js';
import { isText, makePerson, present, takeLanguage } from './person.js';

const system = 'Microsoft Entra';

/** `GET /v1.0/users` of Microsoft Graph, page by page. It never tells password hashes. */
export const entra: PeopleFormat = {
  system,
  members: ['value'],
  // The caller of Microsoft Graph chooses the attributes. It has them as null where a person has none.
  states: [
    { path: 'profile.firstName', place: ['givenName'] },
    { path: 'profile.lastName', place: ['surname'] },
    { path: 'profile.displayName', place: ['displayName'] },
    { path: 'profile.preferredLanguage', place: ['preferredLanguage'] },
    { path: 'email', place: ['mail'] },
    { path: 'phone', place: ['mobilePhone'] },
    { path: 'scim.title', place: ['jobTitle'] },
    { path: 'scim.department', place: ['department'] },
    { path: 'scim.organization', place: ['companyName'] },
    { path: 'scim.employeeNumber', place: ['employeeId'] },
    { path: 'scim.userType', place: ['employeeType'] },
    { path: 'scim.manager', place: ['manager'] },
    { path: 'scim.addresses', place: ['city'] },
  ],
  reader:
    ({ emailVerified }) =>
    (source) => {
      const userName = source.text('userPrincipalName');
      if (userName === undefined) {
        throw new ConversionError('notPerson', { system, lacks: 'it has no userPrincipalName' });
      }
      const email = source.text('mail');
      const phones = source.list('businessPhones');
      const [business] = phones.filter(isText);
      if (phones.length > 1 || !phones.every(isText)) source.loseAlso('businessPhones[]');
      const mobile = source.text('mobilePhone');
      const address = present({
        streetAddress: source.text('streetAddress'),
        locality: source.text('city'),
        region: source.text('state'),
        postalCode: source.text('postalCode'),
        country: source.text('country'),
      });
      return makePerson(system, {
        id: source.text('id'),
        userNames: [userName],
        names: {
          given: source.text('givenName'),
          family: source.text('surname'),
          full: source.text('displayName'),
          email,
        },
        ...takeDates(source, { created: ['createdDateTime'] }),
        language: takeLanguage(source, 'preferredLanguage'),
        email,
        emailVerified,
        phone: mobile ?? business,
        active: source.flag('accountEnabled'),
        scim: {
          title: source.text('jobTitle'),
          department: source.text('department'),
          organization: source.text('companyName'),
          employeeNumber: source.text('employeeId'),
          userType: source.text('employeeType'),
          manager: source.text('manager', 'id'),
          ...(mobile !== undefined &&
            business !== undefined && {
              phoneNumbers: [
                { value: mobile, type: 'mobile', primary: true, verified: false },
                { value: business, type: 'work', verified: false },
              ],
            }),
          ...(Object.keys(address).length > 0 && {
            addresses: [{ ...address, type: 'work', primary: true }],
          }),
        },
      });
    },
};
