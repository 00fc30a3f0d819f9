import type { Role } from '#src/directory/index.js';

/**
 * Called with the roles of a group. Throws if the caller could not give them. A change of members calls it before it writes anything,
 * and again in each transaction, because the roles may change between two transactions.
 */
export type CheckGroupRoles = (roles: readonly Role[]) => Promise<void>;
