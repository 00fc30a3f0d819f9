import { isDisplayNameGiven, shownFormatted } from '#src/directory/users/display-name.js';
import type { MultiValue, User } from '#src/directory/users/user.js';
import { urns } from '../protocol/urns.js';
import type { ScimResource } from './scim-resource.js';

/** Attributes that are returned in their stored form. */
const sameAsStored = [
  'displayName',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'active',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
] as const satisfies readonly (keyof User)[];

/**
 * Renders a user as a SCIM resource (RFC 7643 section 4.1).
 * @param baseUrl SCIM base URL of the organization, without a trailing slash
 * @param groups as they are shown; absent if they are not wanted
 */
export function renderUser(user: User, baseUrl: string, groups: readonly ScimResource[] = []): ScimResource {
  const resource: ScimResource = { schemas: [urns.user], id: user.id };
  if (user.externalId !== undefined) resource['externalId'] = user.externalId;
  resource['userName'] = user.userName;
  const formatted = shownFormatted(user);
  if (formatted !== undefined) resource['name'] = { formatted, ...user.name };
  for (const name of sameAsStored) {
    const value = user[name];
    if (value !== undefined) resource[name] = value;
  }
  if (user.emails.length > 0) resource['emails'] = user.emails.map(renderMultiValue);
  if (groups.length > 0) resource['groups'] = groups;
  const extension = extensionOf(user);
  if (extension !== undefined) {
    resource['schemas'] = [urns.user, urns.userExtension];
    resource[urns.userExtension] = extension;
  }
  if (user.phoneNumbers !== undefined) resource['phoneNumbers'] = user.phoneNumbers.map(renderMultiValue);
  resource['meta'] = {
    resourceType: 'User',
    created: user.created.toISOString(),
    lastModified: user.lastModified.toISOString(),
    version: String(user.version),
    location: userLocation(user.id, baseUrl),
  };
  return resource;
}

/** The values of the extension. Undefined if there are none. */
function extensionOf({ website, birthdate, gender }: User): ScimResource | undefined {
  if (website === undefined && birthdate === undefined && gender === undefined) return undefined;
  return {
    ...(website !== undefined && { website }),
    ...(birthdate !== undefined && { birthdate }),
    ...(gender !== undefined && { gender }),
  };
}

/**
 * Renders a user as PATCH changes it: without a displayName and `name.formatted` that were made of other attributes. They
 * are made again of what the operations leave.
 */
export function renderGiven(user: User): ScimResource {
  const { displayName, name, ...others } = renderUser(user, '');
  return {
    ...others,
    ...(isDisplayNameGiven(user) && { displayName }),
    ...(name !== undefined && { name: { ...user.name } }),
  };
}

/** The URL of a user. */
export function userLocation(id: string, baseUrl: string): string {
  return `${baseUrl}/Users/${encodeURIComponent(id)}`;
}

function renderMultiValue({ verified: _verified, ...value }: MultiValue): MultiValue {
  return value;
}
