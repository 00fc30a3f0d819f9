import type { Clock } from '#src/platform/clock.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type EndIfNotPermittedDeps, endIfNotPermitted } from './end-if-not-permitted.js';
import { whenAvailable } from './when-available.js';

export type EndIfOverDeps = EndIfNotPermittedDeps & { readonly clock: Clock };

/**
 * Ends the job of a running import if its deadline has passed or its requester lost the permission to import.
 * @returns whether the job has ended; false while a store is unavailable
 */
export async function endIfOver(deps: EndIfOverDeps, details: ImportDetails): Promise<boolean> {
  return (await whenAvailable(() => end(deps, details))) === true;
}

async function end(deps: EndIfOverDeps, details: ImportDetails): Promise<boolean> {
  const { jobs, clock } = deps;
  if (clock.now() >= details.deadline) {
    await jobs.end(details.jobId, 'expired');
    return true;
  }
  const job = await jobs.find(details.jobId);
  return job?.state !== 'running' || endIfNotPermitted(deps, details);
}
