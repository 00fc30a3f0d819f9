import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import type { Json } from '../../support/scim/scim-client.js';

/** Filters against the engine. The users are chosen so that a wrong query would confuse them. */

const { tenant, clock } = await openScim(t);
const scim = await tenant();
const other = await tenant();

const people: Record<string, Json> = {
  ann: {
    externalId: 'EXT-1',
    name: { givenName: 'Ann', familyName: 'Straße' },
    displayName: 'Ann (Admin) [x] {1} a.b*c+d?^$|\\',
    nickName: 'İpek',
    title: 'ΟΔΥΣΣΕΥΣ',
    userType: 'Employee',
    preferredLanguage: 'en-US',
    active: true,
    emails: [
      { value: 'Ann@Work.example', type: 'Work', primary: true },
      { value: 'ann@home.example', type: 'home' },
    ],
    phoneNumbers: [{ value: '+1 555 0100', type: 'work' }],
  },
  bob: {
    externalId: 'ext-1',
    name: { givenName: 'Bob', familyName: 'Strasse' },
    displayName: 'Bob "the \\ builder"',
    nickName: '😀😎',
    title: 'Boss',
    userType: 'Contractor',
    preferredLanguage: 'de',
    active: false,
    emails: [
      { value: 'bob@home.example', type: 'work', primary: false },
      { value: 'ann@work.example.org', type: 'home', primary: true },
    ],
    phoneNumbers: [{ value: '555-0199' }, { value: '+44 20 7946 0000', type: 'home' }],
  },
  cy: {
    name: { givenName: 'Çy', familyName: 'Anna' },
    displayName: 'zz\u{10FFFF}\u{10FFFF}tail',
    title: 'boss',
    active: true,
    emails: [{ value: 'cy@work.example' }],
  },
  'ann-marie': {
    externalId: 'EXT-10',
    name: { givenName: 'ANN-Marie', familyName: "O'Neil-Ann" },
    displayName: 'zz\u{10FFFF}',
    nickName: 'ipek',
    active: false,
    emails: [{ value: 'marie@other.example', type: 'other' }],
  },
};
const created: Record<string, Json> = {};
for (const [userName, person] of Object.entries(people)) {
  created[userName] = await scim.create({ userName, ...person });
  clock.advance(60);
}
// The same people in another organization. No filter may find them.
for (const [userName, person] of Object.entries(people))
  await other.create({ userName: `other-${userName}`, ...person });

const all = 'ann ann-marie bob cy';
const id = (name: string): string => created[name].id;
const at = (name: string): string => created[name].meta.created;

/** Filter → users in alphabetical order, or status and scimType. */
const matrix: Record<string, Record<string, string>> = {
  userName: {
    'userName eq "ANN"': 'ann',
    'userName ne "ann"': 'ann-marie bob cy',
    'userName co "n-m"': 'ann-marie',
    'userName co "N"': 'ann ann-marie',
    'userName sw "An"': 'ann ann-marie',
    'userName ew "E"': 'ann-marie',
    'userName pr': all,
    'USERNAME EQ "Bob"': 'bob',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName eq "bob"': 'bob',
    'userName eq "an"': '',
    'userName sw ""': '400 invalidFilter',
    'userName gt "a"': '400 invalidFilter',
    'userName eq 7': '400 invalidFilter',
    'userName eq true': '400 invalidFilter',
  },
  id: {
    [`id eq "${id('bob')}"`]: 'bob',
    [`id eq "${id('bob').toUpperCase()}"`]: '',
    [`id ne "${id('bob')}"`]: 'ann ann-marie cy',
    [`id co "${id('bob').slice(9)}"`]: 'bob',
    [`id sw "${id('cy')}"`]: 'cy',
    [`id ew "${id('cy').slice(20)}"`]: 'cy',
    'id pr': all,
  },
  externalId: {
    'externalId eq "EXT-1"': 'ann',
    'externalId eq "ext-1"': 'bob',
    'externalId ne "EXT-1"': 'ann-marie bob cy',
    'externalId pr': 'ann ann-marie bob',
    'not (externalId pr)': 'cy',
    'externalId eq null': 'cy',
    'externalId ne null': 'ann ann-marie bob',
    'externalId sw "EXT"': '400 invalidFilter',
    'externalId co "X"': '400 invalidFilter',
    'externalId ew "1"': '400 invalidFilter',
  },
  'name.familyName': {
    'name.familyName eq "straße"': 'ann',
    'name.familyName eq "STRASSE"': 'bob',
    'name.familyName ne "strasse"': 'ann ann-marie cy',
    'name.familyName co "ann"': 'ann-marie cy',
    'name.familyName sw "STRA"': 'ann bob',
    'name.familyName ew "E"': 'ann bob',
    'name.familyName eq "o\'neil-ann"': 'ann-marie',
    'name.familyName pr': all,
  },
  'name.givenName': {
    'name.givenName eq "ann"': 'ann',
    'name.givenName eq "çY"': 'cy',
    'name.givenName ne "ann"': 'ann-marie bob cy',
    'name.givenName co "-M"': 'ann-marie',
    'name.givenName sw "ann"': 'ann ann-marie',
    'name.givenName ew "Y"': 'cy',
  },
  displayName: {
    'displayName eq "ann (admin) [X] {1} A.B*C+D?^$|\\\\"': 'ann',
    'displayName co "a.b*c+d?^$|\\\\"': 'ann',
    'displayName co ".*"': '',
    'displayName co "(admin) [x]"': 'ann',
    'displayName sw "bob \\"the"': 'bob',
    'displayName ew "builder\\""': 'bob',
    'displayName co "\\\\ b"': 'bob',
    'displayName ne "zz\u{10FFFF}"': 'ann bob cy',
    'displayName sw "zz"': 'ann-marie cy',
    'displayName sw "zz\u{10FFFF}"': 'ann-marie cy',
    'displayName sw "zz\u{10FFFF}\u{10FFFF}"': 'cy',
    'displayName sw "\u{10FFFF}"': '',
    'displayName ew "\u{10FFFF}"': 'ann-marie',
    'displayName co "\u{10FFFF}t"': 'cy',
    'displayName sw "^"': '',
    'displayName sw "."': '',
  },
  nickName: {
    'nickName eq "İPEK"': 'ann',
    'nickName eq "i̇pek"': 'ann',
    'nickName eq "IPEK"': 'ann-marie',
    'nickName ne "ipek"': 'ann bob cy',
    'nickName co "😎"': 'bob',
    'nickName sw "😀"': 'bob',
    'nickName ew "😎"': 'bob',
    'nickName ew "PEK"': 'ann ann-marie',
    'nickName pr': 'ann ann-marie bob',
    'not (nickName pr)': 'cy',
  },
  title: {
    'title eq "οδυσσευς"': 'ann',
    'title eq "οδυσσευσ"': 'ann',
    'title sw "ΟΔΥΣ"': 'ann',
    'title sw "οδυς"': 'ann',
    'title ew "Σ"': 'ann',
    'title eq "BOSS"': 'bob cy',
    'title ne "boss"': 'ann ann-marie',
    'title co "oS"': 'bob cy',
    'title pr': 'ann bob cy',
  },
  userType: {
    'userType eq "employee"': 'ann',
    'userType ne "employee"': 'ann-marie bob cy',
    'userType co "TRACT"': 'bob',
    'userType sw "con"': 'bob',
    'userType ew "ee"': 'ann',
    'userType pr': 'ann bob',
  },
  preferredLanguage: {
    'preferredLanguage eq "EN"': 'ann-marie cy',
    'preferredLanguage sw "en"': 'ann ann-marie cy',
    'preferredLanguage ne "de"': 'ann ann-marie cy',
    'preferredLanguage ew "us"': 'ann',
    'preferredLanguage co "-"': 'ann',
  },
  active: {
    'active eq true': 'ann cy',
    'active eq false': 'ann-marie bob',
    'active ne true': 'ann-marie bob',
    'active eq "true"': 'ann cy',
    'active eq "False"': 'ann-marie bob',
    'active eq True': 'ann cy',
    'active pr': all,
    'active eq "yes"': '400 invalidFilter',
    'active eq 1': '400 invalidFilter',
    'active gt false': '400 invalidFilter',
    'active co "t"': '400 invalidFilter',
  },
  'meta.created': {
    [`meta.created eq "${at('bob')}"`]: 'bob',
    [`meta.created gt "${at('bob')}"`]: 'ann-marie cy',
    [`meta.created ge "${at('bob')}"`]: 'ann-marie bob cy',
    [`meta.created lt "${at('bob')}"`]: 'ann',
    [`meta.created le "${at('bob')}"`]: 'ann bob',
    [`meta.created eq "${at('bob').replace('Z', '+00:00')}"`]: 'bob',
    'meta.created gt "2011-05-13T04:42:34Z"': all,
    'meta.created lt "2011-05-13T04:42:34+02:00"': '',
    'meta.created pr': all,
    'meta.created eq "yesterday"': '400 invalidFilter',
    'meta.created gt "2011-02-30T00:00:00Z"': '400 invalidFilter',
    'meta.created gt 5': '400 invalidFilter',
    'meta.created co "2011"': '400 invalidFilter',
  },
  'meta.lastModified': {
    [`meta.lastModified eq "${at('cy')}"`]: 'cy',
    [`meta.lastModified gt "${at('cy')}"`]: 'ann-marie',
    [`meta.lastModified ge "${at('cy')}"`]: 'ann-marie cy',
    [`meta.lastModified lt "${at('cy')}"`]: 'ann bob',
    [`meta.lastModified le "${at('cy')}"`]: 'ann bob cy',
  },
  emails: {
    'emails eq "ANN@work.example"': 'ann',
    'emails.value eq "ann@home.example"': 'ann',
    'emails ne "ann@work.example"': 'ann-marie bob cy',
    'emails co "@WORK"': 'ann bob cy',
    'emails sw "ann@"': 'ann bob',
    'emails.value ew ".Example"': all,
    'emails.value ew "work.example"': 'ann cy',
    'emails pr': all,
    'emails sw "ann@w" and emails ew "e.example"': 'ann bob',
    'emails.value eq "ann"': '',
  },
  'emails[...]': {
    'emails[type eq "work"]': 'ann bob',
    'emails[type eq "WORK" and value eq "ann@work.example"]': 'ann',
    'emails[value eq "ann@WORK.example" and type eq "home"]': '',
    'emails[type eq "work" and value co "home"]': 'bob',
    'emails[type eq "home" and value co "home"]': 'ann',
    'emails[type eq "work" and value sw "ann"]': 'ann',
    'emails[type eq "home" and value ew "ORG"]': 'bob',
    'emails[type eq "work" and value ne "ann@work.example"]': 'bob',
    'emails[type eq "work"].value eq "BOB@home.example"': 'bob',
    'emails[type eq "work"].value ne "bob@home.example"': 'ann ann-marie cy',
    'emails[type eq "work"].value co "HOME"': 'bob',
    'emails[type eq "home"].value sw "ann@"': 'ann bob',
    'emails[type eq "home"].value ew "example"': 'ann',
    'emails[type eq "work"].value pr': 'ann bob',
    'emails[type eq "other"] and active eq false': 'ann-marie',
    'emails[primary eq true and value co "work"]': 'ann bob cy',
    'emails[type eq "work" and primary eq true]': 'ann',
    'emails[type eq "work" and not (primary eq true)]': 'bob',
    'emails[type eq "home" or type eq "other"]': 'ann ann-marie bob',
    'emails[not (type pr)]': 'cy',
    'emails[type sw "W"]': 'ann bob',
    'emails[type eq "wor"]': '',
    'emails[type eq "work" and type eq "home"]': '',
    'not (emails[type eq "work"])': 'ann-marie cy',
    'emails[type eq "w.rk"]': '',
    'emails[display eq "x"]': '400 invalidFilter',
    'emails[emails[type eq "x"]]': '400 invalidFilter',
    'name[givenName eq "Ann"]': '400 invalidFilter',
    'emails[]': '400 invalidFilter',
  },
  phoneNumbers: {
    'phoneNumbers.value eq "+15550100"': 'ann',
    'phoneNumbers.value eq "+1 (555) 01-00"': 'ann',
    'phoneNumbers.value ne "+15550100"': 'ann-marie bob cy',
    'phoneNumbers.value co "794 6"': 'bob',
    'phoneNumbers.value sw "555"': 'bob',
    'phoneNumbers.value ew "01-00"': 'ann',
    'phoneNumbers pr': 'ann bob',
    'phoneNumbers[type eq "home"]': 'bob',
    'phoneNumbers[type eq "home" and value sw "+44"]': 'bob',
    'phoneNumbers[type eq "home" and value sw "555"]': '',
  },
  'and, or, not and grouping': {
    'userName eq "ann" or userName eq "bob" and active eq true': 'ann',
    '(userName eq "ann" or userName eq "bob") and active eq false': 'bob',
    'active eq true and title eq "boss" or userName eq "ann-marie"': 'ann-marie cy',
    'not (active eq true)': 'ann-marie bob',
    'not (active eq true) and not (userName sw "ann")': 'bob',
    'NOT (active eq true or userType eq "contractor")': 'ann-marie',
    'not (not (userName eq "cy"))': 'cy',
    '((((userName eq "cy"))))': 'cy',
    'userName eq "ann" AND active eq true And title pr': 'ann',
    '  userName   eq   "ann"  ': 'ann',
    'not userName eq "ann"': '400 invalidFilter',
    'userName eq "ann" and': '400 invalidFilter',
    'userName eq "ann" userName eq "bob"': '400 invalidFilter',
    '(userName eq "ann"': '400 invalidFilter',
    'userName eq "ann")': '400 invalidFilter',
    'and userName eq "ann"': '400 invalidFilter',
  },
  'what no attribute is': {
    'password pr': '400 invalidFilter',
    'password eq "x"': '400 invalidFilter',
    'orgId eq "x"': '400 invalidFilter',
    'search.userName eq "ann"': '400 invalidFilter',
    '_id eq "x"': '400 invalidFilter',
    '$where eq "1"': '400 invalidFilter',
    '__proto__ pr': '400 invalidFilter',
    'constructor pr': '400 invalidFilter',
    'constructor.name eq "x"': '400 invalidFilter',
    'toString pr': '400 invalidFilter',
    'emails[__proto__ pr]': '400 invalidFilter',
    'emails[constructor eq "x"]': '400 invalidFilter',
    'meta eq "x"': '400 invalidFilter',
    'name eq "Ann"': '400 invalidFilter',
    'locale eq "en"': '400 invalidFilter',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber eq "1"': '400 invalidFilter',
    'emails.type eq "work"': '400 invalidFilter',
  },
  'literals that try to be more': {
    'userName eq "$where"': '',
    'userName eq "__proto__"': '',
    'userName eq "ann\\"} , $or: [{}]"': '',
    'userName sw "$"': '',
    'userName eq "\\u0061nn"': 'ann',
    'userName eq "\\u0000"': '400 invalidFilter',
    'userName co "\\ud800"': '400 invalidFilter',
    'userName co "\u0000"': '400 invalidFilter',
    'userName eq "\n"': '400 invalidFilter',
    "userName eq 'ann'": '400 invalidFilter',
    'userName eq ann': '400 invalidFilter',
    'userName eq "ann': '400 invalidFilter',
    'userName eq {"$ne":""}': '400 invalidFilter',
    'userName eq ["ann"]': '400 invalidFilter',
    'userName eq "\\x"': '400 invalidFilter',
    'userName eq 1e999': '400 invalidFilter',
    [`userName eq "${'a'.repeat(980)}"`]: '',
    [`userName co "${'.*'.repeat(480)}"`]: '',
    [`userName eq "${'a'.repeat(1000)}"`]: '400 invalidFilter',
    [`${'('.repeat(400)}userName pr${')'.repeat(400)}`]: '400 invalidFilter',
    [`${'not ('.repeat(150)}userName pr${')'.repeat(150)}`]: '400 invalidFilter',
    [Array(35).fill('userName eq "bob"').join(' or ')]: 'bob',
    [Array(71).fill('active pr').join(' and ')]: all,
  },
};

for (const [group, filters] of Object.entries(matrix)) {
  t.test(group, async (t) => {
    for (const [filter, expected] of Object.entries(filters)) {
      t.equal(await scim.found(filter), expected, filter.length > 120 ? `${filter.slice(0, 120)}…` : filter);
    }
  });
}

t.test('a filter does not select what only another organization has', async (t) => {
  for (const filter of [
    'userName sw "other"',
    'not (userName sw "ann")',
    'id pr or userName sw "other-ann"',
  ]) {
    t.notMatch(await scim.found(filter), /other/, filter);
  }
});

t.test('letter case folds in type and value of e-mail addresses whatever the script', async (t) => {
  const scim = await tenant();
  await scim.create({
    userName: 'umlaut',
    emails: [{ value: 'Ärger@Größe.example', type: 'BÜRO', primary: true }],
  });
  for (const filter of [
    'emails eq "ärger@grÖßE.example"',
    'emails[type eq "büro"]',
    'emails[type eq "büro" and value eq "ÄRGER@größe.example"]',
    'emails[type sw "BÜ"]',
    'emails[value eq "ÄRGER@größe.example" and primary eq true]',
    'emails[primary eq true and value sw "ä"]',
    'emails[type eq "BÜRO" and value ew "GRÖßE.EXAMPLE"]',
  ]) {
    t.equal(await scim.found(filter), 'umlaut', filter);
  }
});
