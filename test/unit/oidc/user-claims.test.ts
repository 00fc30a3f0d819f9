import t from 'tap';
import { personClaims } from '#src/authorization/requested-claims.js';
import { parseScope, plainScopes } from '#src/authorization/scope.js';
import { defaultPasswordPolicy, type Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { userClaims } from '#src/oidc/issuance/user-claims.js';

const user: User = {
  id: 'u1',
  orgId: 'o1',
  version: 1,
  created: new Date(0),
  lastModified: new Date(1_700_000_000_500),
  userName: 'anna',
  active: true,
  name: { givenName: 'Anna', familyName: 'Lind', middleName: 'Maria' },
  displayName: 'Anna Lind',
  nickName: 'Annie',
  profileUrl: 'https://example.com/anna',
  website: 'https://anna.example',
  birthdate: '0000-12-31',
  gender: 'female',
  employeeNumber: '701984',
  costCenter: '4130',
  organization: 'Universal Studios',
  division: 'Theme Park',
  department: 'Tour Operations',
  manager: 'm1',
  preferredLanguage: 'sv',
  timezone: 'Europe/Stockholm',
  emails: [
    { value: 'old@example.com', primary: false },
    { value: 'anna@example.com', primary: true },
  ],
  phoneNumbers: [{ value: '+4670', primary: false }],
  addresses: [{ locality: 'Lund' }, { locality: 'Stockholm', formatted: 'Stockholm', primary: true }],
  photos: [{ value: 'https://example.com/anna.png' }],
};
const organization: Organization = {
  id: 'o1',
  name: 'Example',
  domains: ['example.com', 'example.net'],
  unverifiedDomains: [],
  login: { selfRegistration: false },
  passwordPolicy: defaultPasswordPolicy,
  version: 1,
  created: new Date(0),
  lastModified: new Date(0),
};

/** A client of the user's own organization. */
const own = (scope: string) => ({ scope, clientOrgId: user.orgId });

t.test('each scope tells exactly its claims', async (t) => {
  t.same(userClaims(user, organization, own('openid')), {});
  t.same(userClaims(user, organization, own('profile')), {
    name: 'Anna Lind',
    given_name: 'Anna',
    family_name: 'Lind',
    middle_name: 'Maria',
    nickname: 'Annie',
    preferred_username: 'anna',
    picture: 'https://example.com/anna.png',
    profile: 'https://example.com/anna',
    website: 'https://anna.example',
    birthdate: '0000-12-31',
    gender: 'female',
    locale: 'sv',
    zoneinfo: 'Europe/Stockholm',
    updated_at: 1_700_000_000,
  });
  const { locale: _locale, ...others } = user;
  const several = { ...others, preferredLanguage: 'da, en-gb;q=0.8, en;q=0.7' };
  t.match(userClaims(several, organization, own('profile')), { locale: /^da$/ }, 'the first language');
  const { preferredLanguage: _sv, ...silent } = others;
  const english = { ...silent, preferredLanguage: 'en' };
  t.notOk('locale' in userClaims(english, organization, own('profile')), 'nobody chose the language');
  const chosen = { ...english, preferredLanguageGiven: true as const };
  t.match(userClaims(chosen, organization, own('profile')), { locale: 'en' }, 'English was chosen');
  t.same(userClaims(user, organization, own('email')), { email: 'anna@example.com', email_verified: true });
  t.same(userClaims(user, organization, own('phone')), {
    phone_number: '+4670',
    phone_number_verified: true,
  });
  t.same(userClaims(user, organization, own('address')), {
    address: { formatted: 'Stockholm', locality: 'Stockholm' },
  });
  t.same(userClaims(user, organization, own('urn:service:iam:user:enterprise')), {
    employee_number: '701984',
    cost_center: '4130',
    organization: 'Universal Studios',
    division: 'Theme Park',
    department: 'Tour Operations',
    manager: 'm1',
  });
  const owner = {
    'urn:service:iam:user:resourceowner:id': 'o1',
    'urn:service:iam:user:resourceowner:name': 'Example',
    'urn:service:iam:user:resourceowner:primary_domain': 'example.com',
  };
  t.same(userClaims(user, organization, own('urn:service:iam:user:resourceowner')), owner);
  t.same(userClaims(user, organization, own('urn:service:iam:org:id:o1')), owner);
});

t.test('an application can also ask for each of these claims alone', async (t) => {
  const claims = userClaims(user, organization, own(plainScopes.join(' ')));
  t.same(
    Object.keys(claims).filter((name) => !personClaims.includes(name)),
    [],
  );
});

t.test('what the organization asserts is verified for its own clients alone', async (t) => {
  const foreign = (scope: string) => ({ scope, clientOrgId: 'o2' });
  t.match(userClaims(user, organization, foreign('email')), { email_verified: false });
  t.match(userClaims(user, organization, foreign('phone')), { phone_number_verified: false });
  const proved = { ...user, emails: [{ value: 'anna@example.com', primary: true, verified: true }] };
  t.match(userClaims(proved, organization, foreign('email')), { email_verified: true });
});

t.test('an unverified address is not reported as verified', async (t) => {
  const registered = { ...user, emails: [{ value: 'a@example.com', primary: true, verified: false }] };
  t.same(userClaims(registered, organization, own('email')), {
    email: 'a@example.com',
    email_verified: false,
  });
});

t.test('a person without names and addresses has none of their claims', async (t) => {
  const bare = { ...user, name: {}, emails: [], displayName: 'anna' };
  t.same(userClaims(bare, organization, own('email')), {});
  const profile = userClaims(bare, organization, own('profile'));
  t.match(profile, { name: 'anna', preferred_username: 'anna' });
  for (const name of ['given_name', 'family_name', 'middle_name']) t.notOk(name in profile, name);
});

t.test('unknown values are absent', async (t) => {
  const { phoneNumbers: _phones, addresses: _addresses, nickName: _nick, ...bare } = user;
  t.same(userClaims(bare, undefined, own('phone address urn:service:iam:user:resourceowner')), {});
  t.notOk('nickname' in userClaims(bare, undefined, own('profile')));
});

t.test('scopes are read once each, by their exact form', async (t) => {
  t.same(parseScope('openid  openid email'), {
    known: ['openid', 'email'],
    unknown: [],
    organizations: [],
    projects: [],
  });
  t.same(
    parseScope(
      'urn:service:iam:org:id:o1 urn:service:iam:org:project:id:p1:aud urn:service:iam:org:project:id:p1',
    ),
    {
      known: ['urn:service:iam:org:id:o1', 'urn:service:iam:org:project:id:p1:aud'],
      unknown: ['urn:service:iam:org:project:id:p1'],
      organizations: ['o1'],
      projects: ['p1'],
    },
  );
  for (const text of [
    'OPENID',
    'urn:service:iam:org:id:',
    'urn:service:iam:org:id:a/b',
    'openid\n',
    `urn:service:iam:org:id:${'x'.repeat(201)}`,
  ]) {
    t.same(parseScope(text).known, [], text);
  }
});
