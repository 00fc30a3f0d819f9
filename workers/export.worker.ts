import { readExportRequest } from '#src/migration/export/export-request.js';
import { runExport } from '#src/migration/export/run-export.js';
import { claimJob } from './claim-job.js';
import type { JobHandler } from './run-job.js';

type ExportWorkerDeps = Parameters<typeof runExport>[0] & Parameters<typeof claimJob>[0];

/** Runs exports: run-export.ts states the promise. */
export function exportWorker(deps: ExportWorkerDeps): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const claimed = await claimJob(deps, attempt, logger);
    if (claimed === undefined) return;
    const { job, body } = claimed;
    await runExport(deps, { attempt, job, request: readExportRequest(body), stopping });
  };
}
