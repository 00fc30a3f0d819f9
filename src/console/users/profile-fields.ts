import type { ExtensionType } from '#src/directory/index.js';
import type { LocaleChoices } from './locale-choices.js';
import type { FieldName } from './texts/texts.js';
import type { ListValue, ScimUser } from './user.js';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const claims = 'urn:ietf:params:scim:schemas:extension:service:2.0:User';

/** An attribute of the profile that people write. */
export interface ProfileField {
  /** The name of its field in a form. */
  readonly name: string;
  readonly section: SectionName;
  /** The path in a PATCH (RFC 7644 section 3.5.2). */
  readonly path: string;
  /** The attributes that lead to the value in a resource. */
  readonly keys: readonly string[];
  /** Several values, one on each line. */
  readonly isList?: true;
  readonly isRequired?: true;
  /** Exact text, such as an identifier. */
  readonly isExact?: true;
  /** The form for a new user asks for it. */
  readonly isBasic?: true;
  /** The person chooses one of these. */
  readonly choices?: LocaleChoices;
  /** The value is the identifier of a user, whom the person finds by name. */
  readonly isPerson?: true;
  /** Of an attribute that the organization has registered. */
  readonly registered?: {
    readonly label: string;
    readonly hint: string;
    readonly type: ExtensionType;
    /** The values that its schema names. Others are possible. */
    readonly named: readonly string[];
  };
}

/** The sections of a form, in their order. */
export const sectionNames = ['person', 'contact', 'work', 'settings', 'further'] as const;
type SectionName = (typeof sectionNames)[number];

type Facts = Pick<ProfileField, 'isList' | 'isRequired' | 'isExact' | 'isBasic' | 'choices' | 'isPerson'>;

const core = (name: FieldName, section: ProfileField['section'], facts: Facts = {}): ProfileField => ({
  name,
  section,
  path: name,
  keys: [name],
  ...facts,
});
const partOfName = (name: FieldName, facts: Facts = {}): ProfileField => ({
  name,
  section: 'person',
  path: `name.${name}`,
  keys: ['name', name],
  ...facts,
});
const extended = (
  urn: string,
  name: FieldName,
  facts: Facts & Pick<ProfileField, 'section'>,
): ProfileField => ({
  name,
  path: `${urn}:${name}`,
  keys: [urn, name],
  ...facts,
});

/** The attributes of every profile that people write, in the order of the form. */
export const profileFields: readonly ProfileField[] = [
  core('userName', 'person', { isRequired: true, isExact: true, isBasic: true }),
  partOfName('givenName', { isBasic: true }),
  partOfName('familyName', { isBasic: true }),
  partOfName('middleName'),
  partOfName('honorificPrefix'),
  partOfName('honorificSuffix'),
  core('displayName', 'person'),
  core('nickName', 'person'),
  extended(claims, 'birthdate', { section: 'person' }),
  extended(claims, 'gender', { section: 'person' }),
  core('emails', 'contact', { isList: true, isBasic: true }),
  core('phoneNumbers', 'contact', { isList: true, isBasic: true }),
  core('profileUrl', 'contact', { isExact: true }),
  extended(claims, 'website', { section: 'contact', isExact: true }),
  core('title', 'work', { isBasic: true }),
  core('userType', 'work'),
  extended(enterprise, 'department', { section: 'work', isBasic: true }),
  extended(enterprise, 'employeeNumber', { section: 'work', isBasic: true }),
  extended(enterprise, 'organization', { section: 'work' }),
  extended(enterprise, 'division', { section: 'work' }),
  extended(enterprise, 'costCenter', { section: 'work' }),
  {
    ...extended(enterprise, 'manager', { section: 'work', isPerson: true }),
    keys: [enterprise, 'manager', 'value'],
  },
  core('preferredLanguage', 'settings', { isBasic: true, choices: 'languages' }),
  core('locale', 'settings', { choices: 'regions' }),
  core('timezone', 'settings', { choices: 'timezones' }),
  core('externalId', 'settings', { isExact: true }),
];

/** The texts of the fields of a user, as a form shows them. Those without a value are ''. */
export type ProfileTexts = Readonly<Record<string, string>>;

/** The texts of these fields of a user, as a form shows them. */
export function textsOf(user: ScimUser, fields: readonly ProfileField[]): ProfileTexts {
  return Object.fromEntries(fields.map((field) => [field.name, textOf(user, field)]));
}

/** The text of one field of a user. */
export function textOf(user: ScimUser, { keys, isList }: ProfileField): string {
  const value = valueAt(user, keys);
  if (isList !== true) return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  return listOf(value)
    .map((one) => one.value)
    .join('\n');
}

function valueAt(user: ScimUser, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], user);
}

/** The values of a list, the primary one first. Those of a registered attribute are bare texts. */
function listOf(value: unknown): ListValue[] {
  const given = Array.isArray(value) ? (value as (ListValue | string)[]) : [];
  const list = given.map((one) => (typeof one === 'string' ? { value: one } : one));
  return [...list.filter((one) => one.primary), ...list.filter((one) => !one.primary)];
}

/** An operation of a PATCH. */
export interface PatchOperation {
  readonly op: 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** The operations that give the user the texts of a form. Values that stay keep their type and their label. */
export function differences(
  user: ScimUser,
  { fields, given }: { fields: readonly ProfileField[]; given: ProfileTexts },
): PatchOperation[] {
  return fields.flatMap((field): PatchOperation[] => {
    const { name, path } = field;
    const text = given[name] ?? '';
    if (isUnchanged(text, textOf(user, field), field)) return [];
    if (text === '' && field.isRequired !== true) return [{ op: 'remove', path }];
    return [{ op: 'replace', path, value: toValue(field, text, listOf(valueAt(user, field.keys))) }];
  });
}

/**
 * Whether a form that nobody touched sends this text for the stored one. Browsers send a text in one line without its line breaks, and
 * the console takes away spaces at the ends, empty lines and lines that stand twice in a list.
 */
function isUnchanged(text: string, stored: string, { isList }: ProfileField): boolean {
  if (text === stored) return true;
  if (isList) return text === linesOf(stored).join('\n');
  return text === stored.trim() || text === stored.replace(/[\r\n]/g, '').trim();
}

/** The body that creates a user. */
export function newUser(fields: readonly ProfileField[], given: ProfileTexts): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const text = given[field.name] ?? '';
    if (text === '') continue;
    const [last = '', ...outer] = [...field.keys].reverse();
    const parent = outer.reverse().reduce<Record<string, unknown>>((object, key) => {
      object[key] ??= {};
      return object[key] as Record<string, unknown>;
    }, body);
    parent[last] = toValue(field, text, []);
  }
  const extensions = Object.keys(body).filter((name) => name.startsWith('urn:'));
  return { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ...extensions], ...body };
}

function toValue({ isList, registered }: ProfileField, text: string, stored: readonly ListValue[]): unknown {
  if (isList !== true) return typedValue(text, registered?.type);
  if (registered !== undefined) return linesOf(text);
  return linesOf(text).map((value, index) => {
    const { primary: _primary, ...known } = stored.find((one) => one.value === value) ?? { value };
    return { ...known, ...(index === 0 && { primary: true }) };
  });
}

/** The value that a text means. A text that is no valid value is sent unchanged. The API then refuses it. */
function typedValue(text: string, type: ExtensionType | undefined): unknown {
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  const isNumber = (type === 'integer' || type === 'decimal') && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}

/** The lines of a text, without empty ones. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== '');
}
