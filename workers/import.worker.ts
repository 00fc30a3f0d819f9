import { endImport } from '#src/migration/import/end/end-import.js';
import { removeAbandoned } from '#src/migration/import/receive/remove-staging.js';
import { runImport } from '#src/migration/import/run/run-import.js';
import type { WorkerRooms } from '#src/rooms.js';
import type { JobHandler } from './run-job.js';

/** The number of imports that one call ends at most. */
const limit = 1_000;

/** Runs imports and verifications: run-import.ts states the promise. */
export function importWorker(deps: Parameters<typeof runImport>[0]): JobHandler {
  return (attempt, _logger, stopping = new AbortController().signal) => runImport(deps, attempt, stopping);
}

/**
 * Ends imports whose job was ended by a process that could not end the import too (see end-import.ts). Also removes
 * abandoned uploads. The failure of one import does not stop the others.
 */
export async function endImports(
  deps: Pick<
    WorkerRooms,
    | 'clock'
    | 'events'
    | 'importOrganizations'
    | 'importParts'
    | 'imports'
    | 'jobs'
    | 'logger'
    | 'mongo'
    | 'staging'
    | 'uploads'
  >,
): Promise<void> {
  const { imports, jobs, clock, logger } = deps;
  const [open, kept] = await Promise.all([imports.openBefore(clock.now(), limit), jobs.endedWithOpen(limit)]);
  for (const jobId of [...open, ...kept]) {
    await endImport(deps, jobId).catch((error: unknown) => {
      logger.warn({ err: error, jobId }, 'an import could not be ended');
    });
  }
  await removeAbandoned(deps);
}
