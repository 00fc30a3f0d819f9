import type { ExtensionType } from '#src/directory/index.js';
import { pathTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type ProfileField, profileFields, textOf } from './profile-fields.js';
import type { ScimUser } from './user.js';

/** A schema as `GET /Schemas` has it (RFC 7643 section 7). */
interface ScimSchema {
  readonly id: string;
  readonly attributes: readonly {
    readonly name: string;
    readonly type: ExtensionType;
    readonly description?: string;
    readonly multiValued: boolean;
    readonly required: boolean;
    readonly canonicalValues?: readonly string[];
  }[];
}

/** The schemas of the service itself. An organization cannot register such names, but others that begin as clients propose. */
const ownSchemas = /^urn:ietf:params:scim:schemas:(?:core|extension:(?:enterprise|service)):/i;

/** The most fields of registered attributes in a form, and the most characters of their values. */
const maxRegistered = 50;
const maxCharacters = 8_000;

/** The fields of a profile: those that every user has, and one for each attribute that the organization has registered. */
export async function fieldsIn(
  { api }: Pick<ConsoleVisit, 'api'>,
  orgId: string,
): Promise<readonly ProfileField[]> {
  const { Resources } = await api.get<{ Resources: readonly ScimSchema[] }>(
    pathTo('/scim/v2', orgId, 'Schemas'),
  );
  const registered = Resources.filter(({ id }) => !ownSchemas.test(id)).flatMap(({ id, attributes }) =>
    attributes.map((attribute) => registeredField(id, attribute)),
  );
  return [...profileFields, ...registered];
}

/**
 * The fields that a form can hold. Attributes that are required come first, because the API refuses a user without them.
 * @param user whose values they hold; absent for a new user
 */
export function fieldsThatFit(
  fields: readonly ProfileField[],
  user?: ScimUser,
): { shown: readonly ProfileField[]; left: readonly ProfileField[] } {
  const byNeed = fields.toSorted(
    (one, other) => Number(other.isRequired ?? false) - Number(one.isRequired ?? false),
  );
  const fitting = new Set<ProfileField>();
  let count = 0;
  let characters = 0;
  for (const field of byNeed) {
    const length = user === undefined || field.registered === undefined ? 0 : textOf(user, field).length;
    const fits =
      field.registered === undefined || (count < maxRegistered && characters + length <= maxCharacters);
    if (!fits) continue;
    fitting.add(field);
    if (field.registered === undefined) continue;
    count += 1;
    characters += length;
  }
  return {
    shown: fields.filter((field) => fitting.has(field)),
    left: fields.filter((field) => !fitting.has(field)),
  };
}

function registeredField(urn: string, attribute: ScimSchema['attributes'][number]): ProfileField {
  const { name, type, description = '', multiValued, required, canonicalValues = [] } = attribute;
  return {
    name: `${urn}:${name}`,
    section: 'further',
    path: `${urn}:${name}`,
    keys: [urn, name],
    ...(multiValued && { isList: true }),
    ...(required && { isRequired: true, isBasic: true }),
    registered: { label: name, hint: description, type, named: canonicalValues },
  };
}
