import type { WorkerContainer } from '#src/rooms.js';
import { runImportPart } from '#src/migration/import/run/run-import-part.js';
import { type JobHandler, stallsOfStuck } from './run-job.js';

/** Runs the parts of imports: run-import-part.ts states the promise. */
export function importPartWorker(container: WorkerContainer): JobHandler {
  return ({ jobId, stalls = 0 }) => runImportPart(container, jobId, { isStuck: stalls >= stallsOfStuck });
}
