import { requireAddressable } from '#src/directory/identifiers/index.js';
import { directoryErrors, hasInvisibleCharacters } from '#src/directory/index.js';
import { requireName, requireOrganizationId } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { type ProjectRole, projectMemberRoles } from './project.js';

export type RoleSettings = Pick<ProjectRole, 'key' | 'displayName' | 'group'>;

/** Returns the identifier of a project after checking it. Scopes (RFC 6749 section 3.3) and audiences contain it. */
export function requireProjectId(id: string): string {
  if (!/^[\w.~-]{1,200}$/.test(id)) throw invalid('projectId must be 1 to 200 letters, digits, or . _ ~ -');
  return requireAddressable('projectId', id);
}

/** Returns the organizations whose clients may ask for the audience of a project, each once, sorted. */
export function requireAudienceOrgIds(given: readonly string[]): string[] {
  return [...new Set(given.map(requireOrganizationId))].sort();
}

/**
 * Returns a role after checking it. The key is the value that applications receive, and has no spaces. Without a
 * display name, the key is the name.
 */
export function requireRole({
  key,
  displayName,
  group = '',
}: Partial<RoleSettings> & { readonly key: string }): RoleSettings {
  if (!/^[^\s\p{Cc}\p{Cs}]{1,200}$/u.test(key) || hasInvisibleCharacters(key))
    throw invalid('key must be 1 to 200 characters without spaces and invisible characters');
  return {
    key: requireAddressable('key', key),
    displayName: requireName('displayName', displayName ?? key),
    ...(group !== '' && { group: requireName('group', group) }),
  };
}

/** Returns the roles of a member of a project after checking them, each once, sorted. */
export function requireMemberRoles(given: readonly string[]): string[] {
  const roles = requireRoles(given);
  const known = new Set<string>(projectMemberRoles);
  const unknown = roles.find((role) => !known.has(role));
  if (unknown !== undefined) throw invalid(`roles must be of ${projectMemberRoles.join(', ')}`);
  return roles;
}

/** Returns at least one role, each once, sorted. */
export function requireRoles(given: readonly string[]): string[] {
  if (given.length === 0) throw new AppError(directoryErrors.valueMissing, { detail: 'roles is required' });
  if (given.length > maxRoles) throw invalid(`roles has more than ${maxRoles} values`);
  return [...new Set(given)].sort();
}

const maxRoles = 100;

function invalid(detail: string): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail });
}
