import { readExportRequest } from '#src/migration/export/export-request.js';
import { runExport } from '#src/migration/export/run-export.js';
import type { JobHandler } from './run-job.js';
import { takeOver } from './claim-job.js';

type ExportWorkerDeps = Parameters<typeof runExport>[0] & Parameters<typeof takeOver>[0];

/** Runs exports: run-export.ts states the promise. */
export function exportWorker(deps: ExportWorkerDeps): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const taken = await takeOver(deps, attempt, logger);
    if (taken === undefined) return;
    const { job, body } = taken;
    await runExport(deps, { attempt, job, request: readExportRequest(body), stopping });
  };
}
