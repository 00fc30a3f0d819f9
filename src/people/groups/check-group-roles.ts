import type { Role } from '#src/directory/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';

/**
 * Called with the roles of a group. Throws if the caller could not give them. A change of members calls it in each transaction, because
 * the roles may change between two transactions, and also if nothing changes.
 */
export type CheckGroupRoles = (roles: readonly Role[]) => Promise<void>;

/**
 * Called with the roles that members of a group have lost, after the write and in its transaction. Throws if somebody must keep one. With
 * more than 1,000 members, each of its transactions calls it.
 */
export type CheckLostRoles = (roles: readonly Role[], transaction: Transaction) => Promise<void>;
