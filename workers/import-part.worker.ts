import { type RunImportPartDeps, runImportPart } from '#src/migration/import/parts/run-import-part.js';
import type { WorkerRooms } from '#src/rooms.js';
import { type JobHandler, stallsOfStuck } from './run-job.js';

/** Runs the parts of imports: run-import-part.ts states the promise. */
export function importPartWorker(deps: RunImportPartDeps & Pick<WorkerRooms, 'giveWay'>): JobHandler {
  return ({ jobId, stalls = 0 }) =>
    deps.giveWay.run(() => runImportPart(deps, jobId, { isStuck: stalls >= stallsOfStuck }));
}
