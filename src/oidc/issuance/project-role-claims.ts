import type { HeldRoles } from '#src/access/projects/index.js';
import type { Organization } from '#src/directory/index.js';

/** The claim with the roles in the project of the application that gets it. */
const ownRolesClaim = 'urn:service:iam:org:project:roles';
const truncatedClaim = `${ownRolesClaim}:truncated`;

/** Servers and browsers limit the length of headers and addresses, in which tokens travel. */
const mostRoles = 200;
const mostBytes = 8_192;

/** The value of a claim: the organization in which the person has each role, with its primary domain. */
type RoleValues = Record<string, Record<string, string>>;

/**
 * The claims with the project roles of a person: one for each project of the audience in which the person has roles, and one more
 * for the project of the application. At most 200 roles, and at most 8 KiB of JSON in all. If there are more, `…:truncated` is true.
 * @param reader `projectId`: the project of the application
 */
export function projectRoleClaims(
  { byProject, isCut }: HeldRoles,
  organization: Organization,
  { projectId, audience }: { readonly projectId?: string | undefined; readonly audience: readonly string[] },
): Record<string, unknown> {
  const value = { [organization.id]: organization.domains[0] ?? '' };
  const valueBytes = Buffer.byteLength(JSON.stringify(value));
  const claims: Record<string, RoleValues> = {};
  let count = 0;
  let bytes = 0;
  // The project of the application comes first, because it is what most applications read.
  for (const id of [...audience].sort((a, b) => Number(b === projectId) - Number(a === projectId))) {
    const names = [...(id === projectId ? [ownRolesClaim] : []), `urn:service:iam:org:project:${id}:roles`];
    for (const role of byProject.get(id) ?? []) {
      count++;
      bytes += names.length * (Buffer.byteLength(JSON.stringify(role)) + valueBytes + 2);
      for (const name of names) bytes += name in claims ? 0 : name.length + 6;
      if (count > mostRoles || bytes > mostBytes) return { ...claims, [truncatedClaim]: true };
      for (const name of names) claims[name] = { ...claims[name], [role]: value };
    }
  }
  return { ...claims, ...(isCut && { [truncatedClaim]: true }) };
}
