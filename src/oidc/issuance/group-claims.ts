import type { SelectedGroups } from '#src/access/projects/index.js';
import type { Application } from '#src/clients/applications/index.js';

/** The settings of the claim at the application that gets it. An absent one has its default. */
export type GroupsClaim = Partial<
  Pick<Application, 'groupsClaim' | 'groupsClaimSelection' | 'groupsClaimPrefix'>
>;

/** Servers and browsers limit the length of headers and addresses, in which tokens travel. */
const mostGroups = 200;
const mostBytes = 8_192;

/**
 * The claim `groups`: names or identifiers of the groups, in the order of names. At most 200, and at most 8 KiB. If there are
 * more, `groups_truncated` is true.
 */
export function groupClaims(
  { groups, isCut }: SelectedGroups,
  form: Application['groupsClaim'] = 'names',
): { groups: string[]; groups_truncated?: true } {
  const listed: string[] = [];
  let bytes = 0;
  for (const { id, name } of groups) {
    const text = form === 'names' ? name : id;
    bytes += Buffer.byteLength(text) + 3;
    if (listed.length === mostGroups || bytes > mostBytes) break;
    listed.push(text);
  }
  return { groups: listed, ...((isCut || listed.length < groups.length) && { groups_truncated: true }) };
}
