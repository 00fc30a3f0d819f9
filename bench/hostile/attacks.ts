import type { Attack } from './attack.js';
import { costlyForms, heldAtIngress, heldAtProcess, loginNamesOfMarks } from './attacks/anonymous.js';
import { authorizeByGet, authorizeByPost, badTokens } from './attacks/limits.js';
import {
  equalCreates,
  hostileBulk,
  hostilePatchesAttack,
  manyScans,
  passwords,
  scans,
} from './attacks/scim.js';

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
];
