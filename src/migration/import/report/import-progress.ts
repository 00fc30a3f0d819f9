import type { JobSummary } from '#src/jobs/job.js';
import type { Clock } from '#src/platform/clock.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportsStore } from '../stores/imports.store.js';
import { countsOf } from './import-summary.js';

/** How far an import is; while it runs also how fast, and how long it may take from now on. */
export async function importProgress(
  deps: { imports: ImportsStore; importParts: ImportPartsStore; clock: Clock },
  { id, state, created }: Pick<JobSummary, 'id' | 'state' | 'created'>,
): Promise<{
  processed: number;
  total: number;
  errors: number;
  perSecond?: number;
  remainingSeconds?: number;
}> {
  const record = await deps.imports.find(id);
  const { total, open, failed } = await countsOf(deps, record ?? {});
  const processed = total - open;
  const progress = { processed, total, errors: failed };
  const seconds = (deps.clock.now().getTime() - created.getTime()) / 1000;
  if (state !== 'running' || processed === 0 || seconds <= 0) return progress;
  const perSecond = processed / seconds;
  return {
    ...progress,
    perSecond: Math.round(perSecond * 10) / 10,
    remainingSeconds: Math.ceil(open / perSecond),
  };
}
