import type { ConvertedPerson, PeopleFormat } from '../mapping/people-format.js';
import { scimPaths, statedAlways, statedNames } from '../mapping/stated.js';
import type { valueRules } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import { isEmpty, type SourceRecord } from '../reading/source-record.js';
import { type ListedValue, readValues } from '../scim/read-values.js';
import type { ScimClient } from '../scim/scim-client.js';
import { isOfGroups, visitScim } from '../scim/visit-scim.js';
import { takeDates } from '../values/dates.js';
import { makePerson, present, takeChecked, takeLanguage } from './person.js';

const system = 'SCIM';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** The extension of Muster. */
const service = 'urn:ietf:params:scim:schemas:extension:service:2.0:User';

/** A SCIM server: the users of RFC 7643 sections 4.1 and 4.3, and the groups of section 4.2. It never tells password hashes. */
export function scimFormat(client: ScimClient): PeopleFormat {
  return {
    system,
    members: [],
    shape: 'the server has none, or the token may not see them',
    visit: ({ path }, visitor) => visitScim(client, path, visitor),
    mayBeEmpty: isOfGroups,
    makesIdentifiers: true,
    states: statedAlways(
      ...[
        ...statedNames,
        'profile.displayName',
        'profile.nickName',
        'profile.preferredLanguage',
        'profile.gender',
        'email',
        'phone',
      ],
      ...scimPaths([
        ...[
          'externalId',
          'formatted',
          'middleName',
          'honorificPrefix',
          'honorificSuffix',
          'profileUrl',
          'title',
        ],
        ...['userType', 'locale', 'timezone', 'employeeNumber', 'costCenter', 'organization', 'division'],
        ...[
          'department',
          'manager',
          'website',
          'birthdate',
          'ims',
          'photos',
          'addresses',
          'roles',
          'entitlements',
        ],
      ]),
    ),
    reader:
      ({ emailVerified }) =>
      (source) =>
        readScimPerson(source, emailVerified),
  };
}

function readScimPerson(source: SourceRecord, emailVerified: boolean): ConvertedPerson {
  const userName = source.text('userName');
  if (userName === undefined)
    throw new ConversionError('notPerson', { system: 'SCIM', lacks: 'it has no userName' });
  // Groups name their members, and the others follow from the address.
  for (const name of ['schemas', 'groups']) source.take(name);
  for (const part of ['resourceType', 'location', 'version']) source.take('meta', part);
  const emails = readValues(source, 'emails').map((email) => ({ ...email, verified: emailVerified }));
  const phones = readValues(source, 'phoneNumbers').map((phone) => ({ ...phone, verified: false }));
  const [email, phone] = [primaryOf(emails), primaryOf(phones)];
  const displayName = source.text('displayName');
  const formatted = source.text('name', 'formatted');
  const told: string[] = [];
  const { record, notes } = makePerson(system, {
    id: source.text('id'),
    userNames: [userName],
    names: {},
    ...takeDates(source, { created: ['meta', 'created'], lastModified: ['meta', 'lastModified'] }),
    language: takeLanguage(source, 'preferredLanguage'),
    email,
    emailVerified,
    phone,
    notes: told,
    active: activeOf(source),
    scim: {
      externalId: source.text('externalId'),
      formatted: formatted === displayName ? undefined : formatted,
      ...takeAttributes(source, told),
      emails,
      phoneNumbers: phones,
      ...takeLists(source, told),
    },
  });
  const profile = present({
    ...record.user.profile,
    firstName: source.text('name', 'givenName'),
    lastName: source.text('name', 'familyName'),
    nickName: source.text('nickName'),
    displayName,
    gender: source.text(service, 'gender'),
  });
  return { record: { ...record, user: { ...record.user, profile } }, notes };
}

/** @throws ConversionError for what is no flag: nobody becomes active by a value that is not understood */
function activeOf(source: SourceRecord): boolean | undefined {
  const active = source.flag('active');
  if (active === undefined && !isEmpty(source.look('active')))
    throw new ConversionError('other', { detail: 'active is neither true nor false' });
  return active;
}

function primaryOf(values: readonly ListedValue[]): string | undefined {
  return (values.find((one) => one.primary) ?? values[0])?.value;
}

/** Takes the attributes with one value. @param notes gets what breaks a rule */
function takeAttributes(source: SourceRecord, notes: string[]): Readonly<Record<string, unknown>> {
  const checked = (rule: Exclude<keyof typeof valueRules, 'photo'>, ...outer: string[]) =>
    takeChecked(source, { rule, path: [...outer, rule], notes });
  return {
    middleName: source.text('name', 'middleName'),
    honorificPrefix: source.text('name', 'honorificPrefix'),
    honorificSuffix: source.text('name', 'honorificSuffix'),
    profileUrl: checked('profileUrl'),
    title: source.text('title'),
    userType: source.text('userType'),
    locale: checked('locale'),
    timezone: checked('timezone'),
    ...Object.fromEntries(
      ['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map((part) => [
        part,
        source.text(enterprise, part),
      ]),
    ),
    manager: managerOf(source),
    website: checked('website', service),
    birthdate: checked('birthdate', service),
  };
}

/** Takes the lists besides addresses of e-mail and telephone numbers. @param notes gets what breaks a rule */
function takeLists(source: SourceRecord, notes: string[]): Readonly<Record<string, ListedValue[]>> {
  return {
    ims: readValues(source, 'ims'),
    photos: takePhotos(source, notes),
    addresses: readValues(source, 'addresses'),
    roles: readValues(source, 'roles'),
    entitlements: readValues(source, 'entitlements'),
  };
}

/** Takes the photos whose addresses an import takes. */
function takePhotos(source: SourceRecord, notes: string[]): ListedValue[] {
  const photos = readValues(source, 'photos');
  const known = photos.filter(({ value = '' }) => /^https?:\/\//i.test(value) && URL.canParse(value));
  if (known.length < photos.length) {
    notes.push('a photo without an http or https address is left out');
    source.loseAlso('photos[].value');
  }
  return known;
}

/** The identifier of the manager, which some servers write as a bare text. */
function managerOf(source: SourceRecord): string | undefined {
  if (typeof source.look(enterprise, 'manager') === 'string') return source.text(enterprise, 'manager');
  for (const part of ['$ref', 'displayName']) source.take(enterprise, 'manager', part);
  return source.text(enterprise, 'manager', 'value');
}
