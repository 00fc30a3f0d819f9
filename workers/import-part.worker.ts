import type { Container } from '#src/container.js';
import { runImportPart } from '#src/migration/import/run/run-import-part.js';
import type { JobHandler } from './run-job.js';

/** Imports the parts of imports: see run-import-part.ts for the promise. */
export function importPartWorker(container: Container): JobHandler {
  return ({ jobId }) => runImportPart(container, jobId);
}
