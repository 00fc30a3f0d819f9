import { type Membership, permissionsIn, permittedOnInstance } from '#src/directory/index.js';

/** Whether a caller with the roles `mine` could take this role away from its user. */
export function mayTakeAway(mine: readonly Membership[], { orgId }: Pick<Membership, 'orgId'>): boolean {
  return orgId === undefined
    ? permittedOnInstance(mine, 'instance.manage')
    : permissionsIn(mine, orgId)?.has('org.write') === true;
}
