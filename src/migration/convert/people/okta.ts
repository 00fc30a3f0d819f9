import type { PeopleFormat } from '../mapping/people-format.js';
import { scimPaths, statedAlways, statedNames } from '../mapping/stated.js';
import { ConversionError } from '../reading/read-fields.js';
import { takeDates } from '../values/dates.js';
import { makePerson, takeChecked, takeLanguage } from './person.js';

const system = 'Okta';

/** The states in which a user of Okta cannot sign in. */
const inactive = new Set(['SUSPENDED', 'DEPROVISIONED', 'STAGED']);

/** `GET /api/v1/users` of Okta, page by page. It never tells password hashes. */
export const okta: PeopleFormat = {
  system,
  members: ['users'],
  states: statedAlways(
    ...[
      ...statedNames,
      'profile.displayName',
      'profile.nickName',
      'profile.preferredLanguage',
      'email',
      'phone',
    ],
    ...scimPaths([
      ...[
        'middleName',
        'honorificPrefix',
        'honorificSuffix',
        'title',
        'userType',
        'profileUrl',
        'locale',
        'timezone',
      ],
      ...['employeeNumber', 'costCenter', 'organization', 'division', 'department', 'manager', 'addresses'],
    ]),
  ),
  reader:
    ({ emailVerified }) =>
    (source) => {
      const login = source.text('profile', 'login');
      if (login === undefined)
        throw new ConversionError('notPerson', { system, lacks: 'it has no profile.login' });
      const of = (name: string) => source.text('profile', name);
      const notes: string[] = [];
      const checked = (rule: 'profileUrl' | 'locale' | 'timezone') =>
        takeChecked(source, { rule, path: ['profile', rule], notes });
      const email = of('email');
      const [second, mobile] = [of('secondEmail'), of('mobilePhone')];
      // The type says which address of the profile it is.
      const emails = source.items(['credentials', 'emails'], ['value', 'status', 'type']);
      if (emails.some(({ value }) => value !== email && value !== second))
        source.loseAlso('credentials.emails[].value');
      const verified = (address: string | undefined) =>
        emails.some(({ value, status }) => value === address && status === 'VERIFIED');
      const isVerified = emailVerified || verified(email);
      const status = source.text('status');
      if (email === undefined && second !== undefined) source.loseAlso('profile.secondEmail');
      const address = {
        streetAddress: of('streetAddress'),
        locality: of('city'),
        region: of('state'),
        postalCode: of('zipCode'),
        country: of('countryCode'),
        formatted: of('postalAddress'),
      };
      return makePerson(system, {
        id: source.text('id'),
        userNames: [login],
        names: {
          given: of('firstName'),
          family: of('lastName'),
          full: of('displayName'),
          nick: of('nickName'),
          email,
        },
        ...takeDates(source, { created: ['created'], lastModified: ['lastUpdated'] }),
        language: takeLanguage(source, 'profile', 'preferredLanguage'),
        email,
        emailVerified: isVerified,
        phone: of('primaryPhone') ?? mobile,
        notes,
        active: status === undefined ? undefined : !inactive.has(status),
        scim: {
          middleName: of('middleName'),
          honorificPrefix: of('honorificPrefix'),
          honorificSuffix: of('honorificSuffix'),
          title: of('title'),
          userType: of('userType'),
          profileUrl: checked('profileUrl'),
          locale: checked('locale'),
          timezone: checked('timezone'),
          employeeNumber: of('employeeNumber'),
          costCenter: of('costCenter'),
          organization: of('organization'),
          division: of('division'),
          department: of('department'),
          manager: of('managerId'),
          ...(email !== undefined &&
            second !== undefined && {
              emails: [
                { value: email, primary: true, type: 'work', verified: isVerified },
                { value: second, type: 'other', verified: verified(second) },
              ],
            }),
          ...(mobile !== undefined &&
            of('primaryPhone') !== undefined && {
              phoneNumbers: [
                { value: of('primaryPhone'), primary: true, type: 'work', verified: false },
                { value: mobile, type: 'mobile', verified: false },
              ],
            }),
          ...(Object.values(address).some((part) => part !== undefined) && {
            addresses: [{ ...withoutAbsent(address), type: 'work', primary: true }],
          }),
        },
      });
    },
};

function withoutAbsent(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
