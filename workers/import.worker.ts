import type { Container } from '#src/container.js';
import { concludeImport } from '#src/migration/import/conclude-import.js';
import { runImport } from '#src/migration/import/run-import.js';
import { createSections } from '#src/migration/import/sections.js';
import type { JobHandler } from './run-job.js';

/** Imports that are looked after at once. */
const limit = 1_000;

/** Runs imports: see run-import.ts for the promise. */
export function importWorker(container: Container): JobHandler {
  const deps = { ...container, sections: createSections(container) };
  return (attempt, _logger, stopping = new AbortController().signal) => runImport(deps, attempt, stopping);
}

/** Records the end of imports whose job was closed by somebody who could not: see conclude-import.ts. */
export async function concludeImports(container: Container): Promise<void> {
  const { imports, clock } = container;
  for (const jobId of await imports.unconcluded(clock.now(), limit)) await concludeImport(container, jobId);
}
