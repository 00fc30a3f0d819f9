import type { JobKind } from '#src/jobs/catalogue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { importErrors } from './import/lists/section/import-codes.js';

/** What the owners of one organization may have at once, and in a day. A report is kept for a week, and an export for a day. */
const bounds = {
  import: { open: 3, daily: 100 },
  export: { open: 1, daily: 100 },
} as const satisfies Partial<Record<JobKind, { open: number; daily: number }>>;
/** Bodies of one organization that a process receives at once. Each is stored while it arrives. */
const bodiesAtOnce = 2;
const dayMs = 24 * 3_600_000;
const retryAfterSeconds = 30;

interface BoundsDeps {
  readonly jobs: Pick<JobsStore, 'countOf'>;
  readonly clock: Clock;
}

/** Keeps what the owners of an organization begin within its bounds, so that one organization does not delay the others. */
export interface OrganizationBounds {
  /**
   * Runs what begins an import or an export: it receives the body and stores the job.
   * @throws AppError `import.organizationBusy` before the work begins
   */
  begin<T>(orgId: string, kind: keyof typeof bounds, work: () => Promise<T>): Promise<T>;
}

export function createOrganizationBounds({ jobs, clock }: BoundsDeps): OrganizationBounds {
  const refuse = (detail?: string) =>
    new AppError(importErrors.organizationBusy, { retryAfterSeconds, ...(detail && { detail }) });
  const bodies = createKeyedSemaphore({ atOnce: bodiesAtOnce, waiting: 0, longestWaitMs: 0, refuse });
  return {
    begin: (orgId, kind, work) =>
      bodies.run(orgId, async () => {
        const { open, daily } = bounds[kind];
        const since = new Date(clock.now().getTime() - dayMs);
        const found = await jobs.countOf(orgId, { kinds: [kind], since, most: daily });
        if (found.open >= open)
          throw refuse(`The organization has ${open} open jobs of the kind ${kind}, the most that it may`);
        if (found.recent >= daily)
          throw refuse(
            `The organization has begun ${daily} jobs of the kind ${kind} in a day, the most that it may`,
          );
        return work();
      }),
  };
}
