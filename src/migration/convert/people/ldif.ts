import { isDisabled } from '../ldif/is-disabled.js';
import { hasOperationalAttributes } from '../ldif/operational-attributes.js';
import { type Attributes, readAttributes } from '../ldif/read-attributes.js';
import { readUserPassword } from '../ldif/read-user-password.js';
import { visitLdif } from '../ldif/visit-ldif.js';
import type { ConvertedPerson, PeopleFormat } from '../mapping/people-format.js';
import type { SourceRecord } from '../reading/source-record.js';
import { isLanguage } from '../values/language.js';
import { makePerson, present } from './person.js';

const system = 'LDAP';
/** An import takes no longer list. */
const mostItems = 100;

/** LDIF of any directory: inetOrgPerson (RFC 2798), posixAccount (RFC 2307), and users of Active Directory. */
export const ldif: PeopleFormat = {
  system,
  members: [],
  shape: 'LDIF has entries with the object class inetOrgPerson, posixAccount, user or another of people',
  visit: visitLdif,
  foldsNames: true,
  makesIdentifiers: true,
  reader:
    ({ emailVerified }) =>
    (source) =>
      readLdifPerson(source, emailVerified),
};

function readLdifPerson(source: SourceRecord, emailVerified: boolean): ConvertedPerson {
  const attributes = readAttributes(source);
  const { all, one, id, dates } = attributes;
  // `memberof` is told lost when a group of it is not in the input.
  for (const name of ['dn', 'objectclass', 'memberof']) source.take(name);
  const [login, principal, mails] = [
    one('uid') ?? one('samaccountname'),
    one('userprincipalname'),
    [...new Set(all('mail'))],
  ];
  const [cn, given, family, full] = [one('cn'), one('givenname'), one('sn'), one('displayname')];
  const [email] = mails;
  const userName = login ?? principal ?? email ?? cn;
  const phones = phonesOf(attributes);
  const address = addressOf(attributes);
  const language = languageOf(source, attributes);
  const password = readUserPassword(source);
  const isRefused = isDisabled(source, password);
  const person = makePerson(system, {
    id: id(),
    userNames: [userName],
    ...dates(),
    names: { given, family, full: full ?? (cn === userName ? undefined : cn), email },
    language,
    email,
    emailVerified,
    phone: phones[0]?.value,
    active: isRefused === undefined ? undefined : !isRefused,
    hash: password.hash,
    passwordChangeRequired: changeRequired(source),
    notes: password.notes,
    scim: {
      ...workOf(attributes),
      ...(mails.length > 1 && {
        emails: listOf(
          mails.map((value) => ({ value })),
          emailVerified,
        ),
      }),
      ...(phones.length > 1 && { phoneNumbers: listOf(phones, false) }),
      ...(Object.keys(address).length > 0 && { addresses: [{ ...address, type: 'work', primary: true }] }),
    },
  });
  if (mails.length > mostItems) source.loseAlso('mail');
  if (phones.length > mostItems) source.loseAlso('telephonenumber');
  if (principal !== undefined && ![userName, email].includes(principal)) source.loseAlso('userprincipalname');
  const whole = [given, family].filter((part) => part !== undefined).join(' ');
  if (cn !== undefined && ![userName, full ?? cn, whole].includes(cn)) source.loseAlso('cn');
  if (password.clear === undefined) return person;
  const user = { ...person.record.user, password: password.clear };
  return { ...person, record: { ...person.record, user } };
}

function phonesOf({ all }: Attributes): { value: string; type: string }[] {
  return [
    ...all('mobile').map((value) => ({ value, type: 'mobile' })),
    ...all('telephonenumber').map((value) => ({ value, type: 'work' })),
    ...all('homephone').map((value) => ({ value, type: 'home' })),
    ...all('facsimiletelephonenumber').map((value) => ({ value, type: 'fax' })),
    ...all('pager').map((value) => ({ value, type: 'pager' })),
  ];
}

function addressOf({ one }: Attributes): Record<string, unknown> {
  return present({
    streetAddress: one('street') ?? one('streetaddress'),
    locality: one('l'),
    region: one('st'),
    postalCode: one('postalcode'),
    country: one('c'),
    // A line ends with a dollar sign (RFC 4517 section 3.3.28).
    formatted: one('postaladdress')?.replaceAll(/ *\$ */g, '\n'),
  });
}

/** The first language. There may be a list of languages with weights (RFC 2798 section 2.7). */
function languageOf(source: SourceRecord, { one }: Attributes): string | undefined {
  const languages = one('preferredlanguage');
  const language = languages?.split(/[,;]/)[0]?.trim();
  if (languages !== undefined && (language !== languages || !isLanguage(language)))
    source.loseAlso('preferredlanguage');
  return language;
}

/** What the directory says of the person's work, in the words of SCIM. */
function workOf({ one }: Attributes): Readonly<Record<string, string | undefined>> {
  return {
    title: one('title'),
    employeeNumber: one('employeenumber') ?? one('employeeid'),
    userType: one('employeetype'),
    department: one('departmentnumber') ?? one('department'),
    organization: one('o') ?? one('company'),
    division: one('division'),
    honorificPrefix: one('personaltitle'),
    honorificSuffix: one('generationqualifier'),
  };
}

/** Whether the person must choose another password. The policy of the server removes `pwdReset` when the person has done so. */
function changeRequired(source: SourceRecord): boolean | undefined {
  const isTold = source.look('pwdreset') !== undefined || hasOperationalAttributes(source);
  return isTold ? readAttributes(source).isTrue('pwdreset') : undefined;
}

/** The first values, the very first as the primary one. */
function listOf<Item extends object>(items: readonly Item[], verified: boolean): object[] {
  return items.slice(0, mostItems).map((item, place) => ({ ...item, primary: place === 0, verified }));
}
