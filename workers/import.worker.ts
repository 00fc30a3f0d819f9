import type { Container } from '#src/container.js';
import { concludeImport } from '#src/migration/import/run/end-import.js';
import { runImport } from '#src/migration/import/run/run-import.js';
import { removeAbandoned } from '#src/migration/import/scan/stage-import.js';
import type { JobHandler } from './run-job.js';

/** Imports that are looked after at once. */
const limit = 1_000;

/** Runs imports: see run-import.ts for the promise. */
export function importWorker(container: Container): JobHandler {
  return (attempt, _logger, stopping = new AbortController().signal) =>
    runImport(container, attempt, stopping);
}

/**
 * Records the end of imports whose job was closed by somebody who could not (see conclude-import.ts), and removes what
 * was never sent to its end. One that cannot be concluded keeps no other from it.
 */
export async function concludeImports(container: Container): Promise<void> {
  const { imports, clock, logger } = container;
  for (const jobId of await imports.unconcluded(clock.now(), limit)) {
    await concludeImport(container, jobId).catch((error: unknown) => {
      logger.warn({ err: error, jobId }, 'an import could not be concluded');
    });
  }
  await removeAbandoned(container);
}
