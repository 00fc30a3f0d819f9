import type { ImportDetails } from '../stores/imports.store.js';
import type { ImportMode } from './mode.js';
import { rehearseMode } from './rehearse.js';
import { verifyMode } from './verify.js';
import { writeMode } from './write.js';

/** The mode of an import. A verification is stored as a dry run too. */
export function modeOf({ dryRun, verify }: Pick<ImportDetails, 'dryRun' | 'verify'>): ImportMode {
  if (verify !== undefined) return verifyMode;
  return dryRun ? rehearseMode : writeMode;
}
