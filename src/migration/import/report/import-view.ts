import type { JobView } from '#src/jobs/job-view.js';
import {
  createdRecords,
  importReport,
  importReportSummary,
  reportedErrors,
} from '#src/migration/import/report/import-report.js';
import { showImport } from '#src/migration/import/report/show-import.js';
import { endImport } from '../end/end-import.js';

type ImportViewDeps = Parameters<typeof importReport>[0] &
  Parameters<typeof importReportSummary>[0] &
  Parameters<typeof showImport>[0] &
  Parameters<typeof reportedErrors>[0] &
  Parameters<typeof createdRecords>[0] &
  Parameters<typeof endImport>[0];

/** How imports are shown among other jobs. */
export function importView(deps: ImportViewDeps): JobView {
  return {
    resultPieces: (job) => importReport(deps, job),
    resultSummary: (job) => importReportSummary(deps, job),
    show: (job) => showImport(deps, job),
    errors: (job) => reportedErrors(deps, job),
    created: (job) => createdRecords(deps, job),
    end: (jobId) => endImport(deps, jobId),
  };
}
