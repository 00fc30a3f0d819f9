import type { JobKind } from '#src/jobs/catalogue.js';
import type { JobsStore } from '#src/jobs/jobs.store.js';
import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import type { DailyAllowance } from './daily-allowance.store.js';
import { importErrors } from './import/lists/section/import-codes.js';

/** What the owners of one organization may have at once, and begin in a day. A report is kept for a week, and an export for a day. */
const bounds = {
  import: { open: 3, daily: 100 },
  verify: { open: 1, daily: 100 },
  export: { open: 1, daily: 100 },
} as const satisfies Partial<Record<JobKind, { open: number; daily: number }>>;
/** Files that the console converts for one organization in a day. Each takes some seconds of a processor, also one that cannot be used. */
const dailyConversions = 300;
/** Bodies of one organization that a process receives at once. Each is stored while it arrives. */
const bodiesAtOnce = 2;
const retryAfterSeconds = 30;

interface BoundsDeps {
  readonly jobs: Pick<JobsStore, 'countOpenOf'>;
  readonly dailyAllowance: DailyAllowance;
}

/** Keeps what the owners of an organization begin within its bounds, so that one organization does not delay the others. */
export interface OrganizationBounds {
  /**
   * Runs what begins an import, a verification or an export: it receives the body and stores the job. Each body counts for its day when it
   * begins to arrive, whatever becomes of it.
   * @throws AppError `import.organizationBusy` before the work begins
   */
  begin<T>(orgId: string, kind: keyof typeof bounds, work: () => Promise<T>): Promise<T>;
  /** Counts a conversion of a file in the console, before it begins. @throws AppError `import.organizationBusy` */
  countConversion(orgId: string): Promise<void>;
}

/** Opens the bounds of a process. What organizations begin in a day is counted for all processes. */
export function createOrganizationBounds({ jobs, dailyAllowance }: BoundsDeps): OrganizationBounds {
  const refuse = (detail?: string, after = retryAfterSeconds) =>
    new AppError(importErrors.organizationBusy, { retryAfterSeconds: after, ...(detail && { detail }) });
  const bodies = createKeyedSemaphore({ atOnce: bodiesAtOnce, waiting: 0, longestWaitMs: 0, refuse });

  async function countOne(orgId: string, of: { kind: string; most: number; name: string }): Promise<void> {
    const seconds = await dailyAllowance.take({ orgId, ...of });
    if (seconds === 0) return;
    throw refuse(`The organization has begun ${of.most} ${of.name} in a day, the most that it may`, seconds);
  }

  return {
    begin: (orgId, kind, work) =>
      bodies.run(orgId, async () => {
        const { open, daily } = bounds[kind];
        if ((await jobs.countOpenOf(orgId, { kind, most: open })) >= open)
          throw refuse(`The organization has ${open} open jobs of the kind ${kind}, the most that it may`);
        await countOne(orgId, { kind, most: daily, name: `jobs of the kind ${kind}` });
        return work();
      }),
    countConversion: (orgId) =>
      countOne(orgId, { kind: 'conversion', most: dailyConversions, name: 'conversions of files' }),
  };
}
