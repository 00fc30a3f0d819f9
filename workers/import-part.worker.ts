import type { Container } from '#src/container.js';
import { runImportPart } from '#src/migration/import/run/run-import-part.js';
import { externalOrganizations } from '#src/migration/import/sections/external-organizations.section.js';
import { createSections } from '#src/migration/import/sections/sections.js';
import type { JobHandler } from './run-job.js';

/** Imports the parts of imports: see run-import-part.ts for the promise. */
export function importPartWorker(container: Container): JobHandler {
  const deps = {
    ...container,
    sections: createSections(container),
    externalOrganizations: externalOrganizations(container),
  };
  return ({ jobId }) => runImportPart(deps, jobId);
}
