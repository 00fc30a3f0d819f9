import type { Attack } from './attack.js';
import { costlyForms, heldAtIngress, heldAtProcess, loginNamesOfMarks } from './attacks/anonymous.js';
import { authorizeByGet, authorizeByPost, badTokens } from './attacks/limits.js';
import {
  readGroups3,
  readGroups30,
  readLists3,
  readLists30,
  readLists150,
  unreadLists120,
  unreadLists250,
} from './attacks/lists.js';
import { changes8, changes32, inventedOrganizations, keyPairs } from './attacks/organization.js';
import {
  asynchronousBulks,
  consolePages,
  polls,
  unseenCallers,
  unseenIntrospections,
} from './attacks/reads.js';
import {
  equalCreates,
  hostileBulk,
  hostilePatchesAttack,
  manyScans,
  passwords,
  scans,
} from './attacks/scim.js';
import { unreadDocuments, unreadSchemas } from './attacks/unread.js';

/** Every attack, in the order of the table. */
export const attacks: readonly Attack[] = [
  equalCreates,
  hostilePatchesAttack,
  hostileBulk,
  costlyForms,
  loginNamesOfMarks,
  heldAtIngress,
  heldAtProcess,
  scans,
  manyScans,
  passwords,
  authorizeByGet,
  authorizeByPost,
  badTokens,
  unreadDocuments,
  unreadSchemas,
  unreadLists120,
  unreadLists250,
  readLists150,
  readLists30,
  readLists3,
  readGroups30,
  readGroups3,
  keyPairs,
  changes8,
  changes32,
  inventedOrganizations,
  asynchronousBulks,
  polls,
  consolePages,
  unseenCallers,
  unseenIntrospections,
];
