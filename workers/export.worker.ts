import type { Container } from '#src/container.js';
import { readExportRequest } from '#src/migration/export/export-request.js';
import { runExport } from '#src/migration/export/run-export.js';
import type { JobHandler } from './run-job.js';

/** Runs exports: see run-export.ts for the promise. */
export function exportWorker(container: Container): JobHandler {
  return async (attempt, logger, stopping = new AbortController().signal) => {
    const job = await container.jobs.start(attempt);
    const body = job && (await container.jobs.body(job.id));
    if (job === undefined || body === undefined) {
      logger.info('job is closed already');
      return;
    }
    await runExport(container, { attempt, job, request: readExportRequest(body), stopping });
  };
}
