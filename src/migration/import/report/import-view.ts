import type { Container } from '#src/rooms.js';
import type { JobView } from '#src/jobs/job-view.js';
import { importProgress } from '#src/migration/import/report/import-progress.js';
import {
  createdRecords,
  importReport,
  importReportSummary,
  reportedErrors,
} from '#src/migration/import/report/import-report.js';
import { endImport } from '#src/migration/import/run/end-import.js';

/** How imports are shown among other jobs. */
export function importView(container: Container): JobView {
  return {
    resultPieces: (job) => importReport(container, job),
    resultSummary: (job) => importReportSummary(container, job),
    progress: (job) => importProgress(container, job),
    errors: (job) => reportedErrors(container, job),
    created: (job) => createdRecords(container, job),
    end: (jobId) => endImport(container, jobId),
  };
}
