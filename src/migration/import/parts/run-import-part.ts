import { isOpen } from '#src/jobs/job.js';
import { AppError } from '#src/platform/errors.js';
import type { Logger } from '#src/platform/logger.js';
import { isServersFault, isStoreUnavailable, RefusedByServer } from '#src/platform/unavailable.js';
import { type EndIfNotPermittedDeps, endIfNotPermitted } from '../end/end-if-not-permitted.js';
import type { ImportSections } from '../lists/section/section.js';
import { modeOf } from '../modes/mode-of.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import { type ClaimedPart, PartLost } from './claimed-part.js';
import { type ImportPartDeps, importPart } from './import-part.js';
import { isOvertaken, type SplitOrFailDeps, splitOrFail } from './split-or-fail.js';

export type RunImportPartDeps = EndIfNotPermittedDeps &
  ImportPartDeps &
  SplitOrFailDeps & {
    readonly importParts: Pick<ImportPartsStore, 'findWaiting'>;
    readonly importSections: Pick<ImportSections, 'find'>;
    readonly logger: Logger;
  };

/** How often a part is planned before it is split. Other writers may change the same objects in between. */
const tries = 4;

/**
 * Imports one part. Promise: the records that it creates, their events and the end of the part commit together. A part
 * is therefore imported at most once. It is not imported after the job has ended or the requester has lost the
 * permission. One bad record stops no other: a part that fails for an unknown reason is imported record by record.
 *
 * The way of a part: {@link importPart} reads its records, `planPart` decides about each of them, `commitPart` writes.
 * @param options `isStuck`: workers have lost the part, so it is not tried as a whole again
 * @throws when a store is unavailable or too many password hashes wait; the queue then offers the part again
 */
export async function runImportPart(
  deps: RunImportPartDeps,
  partId: string,
  { isStuck = false }: { isStuck?: boolean } = {},
): Promise<void> {
  const claimed = await claim(deps, partId);
  if (claimed === undefined) return;
  if (isStuck) {
    // The import queues the smaller parts, so that each has losses of its own.
    await splitOrFail(deps, claimed, new Error('Workers have lost this part'));
    return;
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await importPart(deps, claimed);
      return;
    } catch (error) {
      if (error instanceof PartLost) return;
      if (isForLater(error)) throw error;
      // Good records must not be reported as faulty for it.
      if (isServersFault(error)) throw new RefusedByServer(error);
      if (isOvertaken(error) && attempt < tries) continue;
      deps.logger.warn({ err: error, partId }, 'a part of an import failed and is imported record by record');
      for (const smaller of await splitOrFail(deps, claimed, error)) await runImportPart(deps, smaller);
      return;
    }
  }
}

/** Returns the part, if it may be imported. Its end in the transaction of the commit is what excludes other workers. */
async function claim(deps: RunImportPartDeps, partId: string): Promise<ClaimedPart | undefined> {
  const part = await deps.importParts.findWaiting(partId);
  if (part === undefined) return undefined;
  const [job, details] = await Promise.all([deps.jobs.find(part.jobId), deps.imports.find(part.jobId)]);
  const section = details && deps.importSections.find(part.section, details.form);
  if (job === undefined || details === undefined || section === undefined) return undefined;
  if (!isOpen(job) || deps.clock.now() >= details.deadline) return undefined;
  if (await endIfNotPermitted(deps, details)) return undefined;
  return { part, details, section, mode: modeOf(details) };
}

/** Whether the part may succeed later: a store is unavailable, or too many password hashes wait. */
function isForLater(error: unknown): boolean {
  return isStoreUnavailable(error) || (error instanceof AppError && error.definition.kind === 'unavailable');
}
