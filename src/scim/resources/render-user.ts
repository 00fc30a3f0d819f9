import type { MultiValue, User } from '#src/directory/index.js';
import { givenLanguage, isDisplayNameGiven, shownFormatted } from '#src/people/users/index.js';
import { entityTag } from '../protocol/entity-tag.js';
import { urns } from '../protocol/urns.js';
import type { Attribute } from '../schema/attribute.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { userAttributes } from '../schema/user-attributes.js';
import type { ScimResource } from './scim-resource.js';

/** Attributes that are never returned, or in another form than the stored one. */
const shownApart: ReadonlySet<string> = new Set([
  'userName',
  'name',
  'password',
  'emails',
  'phoneNumbers',
  'groups',
]);
/** The other attributes of the table. They are returned in their stored form. */
const sameAsStored = userAttributes
  .map(({ name }) => name)
  .filter((name) => !shownApart.has(name)) as (keyof User)[];

/** What a resource shows of other resources. Parts that the client does not want are absent. */
interface RelatedOfUser {
  /** The displayName of the manager. Absent if there is no such user. */
  readonly managerName?: string | undefined;
}

/**
 * Renders a user as a SCIM resource (RFC 7643 sections 4.1 and 4.3).
 * @param context the schema of the organization, and its SCIM base URL without a trailing slash
 */
export function renderUser(
  user: User,
  { baseUrl, userSchema }: { baseUrl: string; userSchema: Pick<ResourceSchema, 'extensions'> },
  { managerName }: RelatedOfUser = {},
): ScimResource {
  const schemas: string[] = [urns.user];
  const resource: ScimResource = { schemas, id: user.id };
  if (user.externalId !== undefined) resource['externalId'] = user.externalId;
  resource['userName'] = user.userName;
  const formatted = shownFormatted(user);
  if (formatted !== undefined) resource['name'] = { formatted, ...user.name };
  for (const name of sameAsStored) {
    const value = user[name];
    if (value !== undefined) resource[name] = value;
  }
  if (user.emails.length > 0) resource['emails'] = user.emails.map(renderMultiValue);
  for (const extension of userSchema.extensions) {
    const values = extensionOf(user, extension);
    if (values === undefined) continue;
    schemas.push(extension.name);
    resource[extension.name] =
      values['manager'] === undefined
        ? values
        : { ...values, manager: renderManager(String(values['manager']), { baseUrl, managerName }) };
  }
  if (user.phoneNumbers !== undefined) resource['phoneNumbers'] = user.phoneNumbers.map(renderMultiValue);
  resource['meta'] = {
    resourceType: 'User',
    created: user.created.toISOString(),
    lastModified: user.lastModified.toISOString(),
    version: entityTag(user),
    location: userLocation(user.id, baseUrl),
  };
  return resource;
}

/** The stored values of an extension. Undefined if there are none. */
function extensionOf(user: User, { subAttributes = [] }: Attribute): ScimResource | undefined {
  let values: ScimResource | undefined;
  for (const { name, key } of subAttributes) {
    const value = key === undefined ? user[name as keyof User] : user.extensions?.[key];
    if (value === undefined) continue;
    values ??= {};
    values[name] = value;
  }
  return values;
}

function renderManager(
  id: string,
  { baseUrl, managerName }: { baseUrl: string; managerName: string | undefined },
): ScimResource {
  return {
    value: id,
    $ref: userLocation(id, baseUrl),
    ...(managerName !== undefined && { displayName: managerName }),
  };
}

/**
 * Renders a user as PATCH changes it: without a displayName and `name.formatted` that were made of other attributes, and without a
 * language that was assumed. They are made again of what the operations leave.
 */
export function renderGiven(user: User, userSchema: ResourceSchema): ScimResource {
  const {
    displayName,
    name,
    preferredLanguage: _,
    ...others
  } = renderUser(user, { baseUrl: '', userSchema });
  const preferredLanguage = givenLanguage(user);
  return {
    ...others,
    ...(isDisplayNameGiven(user) && { displayName }),
    ...(preferredLanguage !== undefined && { preferredLanguage }),
    ...(name !== undefined && { name: { ...user.name } }),
  };
}

/** The URL of a user. */
export function userLocation(id: string, baseUrl: string): string {
  return `${baseUrl}/Users/${encodeURIComponent(id)}`;
}

function renderMultiValue(stored: MultiValue): MultiValue {
  // Most have no such mark. A copy of every value of every user would take longer than the rest of the rendering.
  if (stored.verified === undefined) return stored;
  const { verified: _verified, ...value } = stored;
  return value;
}
