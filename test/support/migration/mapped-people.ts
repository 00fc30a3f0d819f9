import { bcryptHash } from './imports.js';

/** A cell for each target of a mapping, by the name of the target. No two are alike, so that none can stand in another one's place. */
const cells: Readonly<Record<string, string>> = {
  id: 'person-7',
  userName: 'mona',
  'name.givenName': 'Ramona',
  'name.familyName': 'Lind',
  'name.formatted': 'Dr. Ramona Q. Lind III',
  'name.middleName': 'Q.',
  'name.honorificPrefix': 'Dr.',
  'name.honorificSuffix': 'III',
  nickName: 'Moni',
  displayName: 'Ramona at work',
  preferredLanguage: 'nl',
  gender: 'female',
  email: 'mona@csv.example',
  emailVerified: 'yes',
  phone: '+3120555',
  phoneVerified: 'no',
  active: '0',
  created: '2017-07-14T02:40:00.000Z',
  lastModified: '2020-09-13T12:26:40.000Z',
  password: '',
  passwordHash: bcryptHash,
  passwordChangeRequired: 'true',
  otpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  externalId: 'ext-7',
  title: 'Lead',
  userType: 'Employee',
  profileUrl: 'https://people.example/mona',
  website: 'https://mona.example',
  birthdate: '1990-02-03',
  locale: 'de-CH',
  timezone: 'Europe/Zurich',
  employeeNumber: 'E-7',
  costCenter: '4130',
  organization: 'Museums',
  division: 'Art',
  department: 'Tours',
  manager: 'person-8',
  group: 'staff',
  roles: 'guide',
  emails: 'mona@home.example',
  phoneNumbers: '+3120777',
  photos: 'https://people.example/mona.jpg',
  ims: 'mona-chat',
  entitlements: 'desk',
  'addresses.streetAddress': '1 Museum Road',
  'addresses.locality': 'Amsterdam',
  'addresses.region': 'NH',
  'addresses.postalCode': '1071',
  'addresses.country': 'NL',
  'addresses.formatted': '1 Museum Road, Amsterdam',
};

/** Somebody with a password in plain text, and with the language that is also the default. */
const others: typeof cells = {
  id: 'person-8',
  userName: 'lou',
  email: 'lou@csv.example',
  preferredLanguage: 'en',
  password: 'Correct-Horse-8',
};

/** The targets that the mapping has. */
export const mappedTargets = Object.keys(cells);

const lines = [mappedTargets, ...[cells, others].map((row) => mappedTargets.map((name) => row[name] ?? ''))];

/** Two people, and the mapping of each column to the target of its name. */
export const mappedTable = {
  text: `${lines.map((line) => line.join(';')).join('\n')}\n`,
  delimiter: ';',
  map: JSON.stringify({
    attributes: mappedTargets.map((name) => ({ from: name, to: name })),
  }),
};

/** What an import gets of the first person. */
export const mappedPerson = {
  userId: 'person-7',
  user: {
    userName: 'mona',
    created: '2017-07-14T02:40:00.000Z',
    lastModified: '2020-09-13T12:26:40.000Z',
    profile: {
      firstName: 'Ramona',
      lastName: 'Lind',
      displayName: 'Ramona at work',
      preferredLanguage: 'nl',
      nickName: 'Moni',
      gender: 'female',
    },
    email: { email: 'mona@csv.example', isEmailVerified: true },
    phone: { phone: '+3120555', isPhoneVerified: false },
    hashedPassword: { value: bcryptHash },
    passwordChangeRequired: true,
    otpCode: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    scim: {
      active: false,
      externalId: 'ext-7',
      formatted: 'Dr. Ramona Q. Lind III',
      middleName: 'Q.',
      honorificPrefix: 'Dr.',
      honorificSuffix: 'III',
      profileUrl: 'https://people.example/mona',
      website: 'https://mona.example',
      birthdate: '1990-02-03',
      title: 'Lead',
      employeeNumber: 'E-7',
      costCenter: '4130',
      organization: 'Museums',
      division: 'Art',
      department: 'Tours',
      manager: 'person-8',
      userType: 'Employee',
      locale: 'de-CH',
      timezone: 'Europe/Zurich',
      roles: [{ value: 'guide' }],
      emails: [
        { value: 'mona@csv.example', primary: true, verified: true },
        { value: 'mona@home.example', primary: false, verified: false },
      ],
      phoneNumbers: [
        { value: '+3120555', primary: true, verified: false },
        { value: '+3120777', primary: false, verified: false },
      ],
      photos: [{ value: 'https://people.example/mona.jpg', primary: true }],
      ims: [{ value: 'mona-chat' }],
      entitlements: [{ value: 'desk' }],
      addresses: [
        {
          streetAddress: '1 Museum Road',
          locality: 'Amsterdam',
          region: 'NH',
          postalCode: '1071',
          country: 'NL',
          formatted: '1 Museum Road, Amsterdam',
          primary: true,
        },
      ],
    },
  },
};
