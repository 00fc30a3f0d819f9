import type { JobView } from '#src/jobs/job-view.js';
import { endImport } from '../end/end-import.js';
import { reportedErrors } from './import-report.js';
import { showImport } from './show-import.js';
import { reportedDifferences, verifyReport } from './verify-report.js';

type VerifyViewDeps = Parameters<typeof verifyReport>[0] &
  Parameters<typeof showImport>[0] &
  Parameters<typeof reportedErrors>[0] &
  Parameters<typeof reportedDifferences>[0] &
  Parameters<typeof endImport>[0];

/** How verifications are shown among other jobs. */
export function verifyView(deps: VerifyViewDeps): JobView {
  return {
    async *resultPieces(job) {
      yield JSON.stringify((await verifyReport(deps, job)) ?? null);
    },
    resultSummary: (job) => verifyReport(deps, job),
    show: (job) => showImport(deps, job),
    errors: (job) => reportedErrors(deps, job),
    differences: (job) => reportedDifferences(deps, job),
    end: (jobId) => endImport(deps, jobId),
  };
}
