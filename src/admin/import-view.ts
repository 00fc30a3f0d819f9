import type { Container } from '#src/container.js';
import { importProgress } from '#src/migration/import/report/import-progress.js';
import {
  importErrorsOf,
  importReport,
  importReportSummary,
} from '#src/migration/import/report/import-report.js';
import { concludeImport } from '#src/migration/import/run/end-import.js';
import { createSections } from '#src/migration/import/sections/sections.js';
import type { JobView } from './jobs.routes.js';

/** How imports are shown among the jobs. */
export function importView(container: Container): JobView {
  const deps = { ...container, sections: createSections(container) };
  return {
    resultPieces: (job) => importReport(deps, job),
    resultSummary: (job) => importReportSummary(deps, job),
    progress: (job) => importProgress(deps, job),
    errors: (job) => importErrorsOf(deps, job),
    closed: (jobId) => concludeImport(container, jobId),
  };
}
