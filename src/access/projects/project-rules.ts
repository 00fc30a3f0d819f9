import { requireAddressable } from '#src/directory/identifiers/index.js';
import { hasInvisibleCharacters, refusedValue } from '#src/directory/index.js';
import { requireName, requireOrganizationId } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import { type ProjectRole, projectMemberRoles } from './project.js';

export type RoleSettings = Pick<ProjectRole, 'key' | 'displayName' | 'group'>;

/** Returns the identifier of a project after checking it. Scopes (RFC 6749 section 3.3) and audiences contain it. */
export function requireProjectId(id: string): string {
  if (!/^[\w.~-]{1,200}$/.test(id)) {
    const detail = 'projectId must be 1 to 200 letters, digits, or . _ ~ -';
    throw refusedValue('projectId', 'identifier', detail, { most: 200 });
  }
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
  const checked = checkEach({
    key: () => requireRoleKey(key),
    // Without a name it is the key, whose fault is named once.
    displayName: () => (displayName === undefined ? key : requireName('displayName', displayName)),
    group: () => group !== '' && { group: requireName('group', group) },
  });
  return {
    key: checked.key,
    displayName: displayName === undefined ? requireName('displayName', key) : checked.displayName,
    ...checked.group,
  };
}

function requireRoleKey(key: string): string {
  if (/^[^\s\p{Cc}\p{Cs}]{1,200}$/u.test(key) && !hasInvisibleCharacters(key))
    return requireAddressable('key', key);
  const detail = 'key must be 1 to 200 characters without spaces and invisible characters';
  throw key === ''
    ? refusedValue('key', 'tooShort', detail, { least: 1 })
    : key.length > 200
      ? refusedValue('key', 'tooLong', detail, { most: 200 })
      : refusedValue('key', 'blanks', detail);
}

/** Returns the roles of a member of a project after checking them, each once, sorted. */
export function requireMemberRoles(given: readonly string[]): string[] {
  const roles = requireRoles(given);
  const known = new Set<string>(projectMemberRoles);
  const unknown = roles.find((role) => !known.has(role));
  if (unknown !== undefined) {
    const detail = `roles must be of ${projectMemberRoles.join(', ')}`;
    throw refusedValue('roles', 'notOffered', detail, { allowed: projectMemberRoles });
  }
  return roles;
}

/** Returns at least one role, each once, sorted. */
export function requireRoles(given: readonly string[]): string[] {
  if (given.length === 0) throw refusedValue('roles', 'required', 'roles is required');
  if (given.length > maxRoles)
    throw refusedValue('roles', 'tooMany', `roles has more than ${maxRoles} values`, { most: maxRoles });
  return [...new Set(given)].sort();
}

const maxRoles = 100;
