import type { Container } from '#src/rooms.js';
import type { JobView } from '#src/jobs/job-view.js';
import { importProgress } from '../import/report/import-progress.js';
import { reportedErrors } from '../import/report/import-report.js';
import { endImport } from '../import/run/end-import.js';
import { reportedDifferences, verifyReport } from './verify-report.js';

/** How verifications are shown among other jobs. */
export function verifyView(container: Container): JobView {
  return {
    async *resultPieces(job) {
      yield JSON.stringify((await verifyReport(container, job)) ?? null);
    },
    resultSummary: (job) => verifyReport(container, job),
    progress: (job) => importProgress(container, job),
    errors: (job) => reportedErrors(container, job),
    differences: (job) => reportedDifferences(container, job),
    end: (jobId) => endImport(container, jobId),
  };
}
