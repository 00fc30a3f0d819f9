import type { WorkerContainer } from '#src/rooms.js';
import { readExportRequest } from '#src/migration/export/export-request.js';
import { runExport } from '#src/migration/export/run-export.js';
import type { JobHandler } from './run-job.js';
import { takeOver } from './take-over.js';

/** Runs exports: run-export.ts states the promise. */
export function exportWorker(container: WorkerContainer): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const taken = await takeOver(container, attempt, logger);
    if (taken === undefined) return;
    const { job, body } = taken;
    await runExport(container, { attempt, job, request: readExportRequest(body), stopping });
  };
}
