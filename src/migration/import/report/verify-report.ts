import type { Job } from '#src/jobs/job.js';
import type { Verified, VerifiedList } from '../../digest/verified.js';
import { countsOf as partCounts } from '../end/import-summary.js';
import type { ReportedError } from '../stores/import-results.store.js';
import { ListSums } from '../verify/list-sums.js';
import { createdRecords, earlyEndError, type ImportReportDeps, reportedErrors } from './import-report.js';

type ListCounts = Omit<VerifiedList, 'sourceDigest' | 'targetDigest'>;

/** The result of a verification. */
export interface VerifyReport extends Partial<Omit<Verified, 'lists'>> {
  /** Why it ended before it was done. Absent otherwise. Differences are no errors. */
  readonly errors?: readonly ReportedError[];
  /** The sums over all lists. */
  readonly counts: Readonly<Record<'same' | 'missing' | 'different' | 'refused' | 'extra' | 'total', number>>;
  readonly lists: readonly (ListCounts & Partial<VerifiedList>)[];
  readonly jobId: string;
}

/** A record that is not the same on both sides. It names attributes, and no values. */
interface ReportedDifference {
  /** `extra`: the service has it, and the file does not. `refused`: the service could not have the record. */
  readonly kind: 'missing' | 'different' | 'refused' | 'extra';
  readonly [fact: string]: unknown;
}

/**
 * The report of a verification that has ended. If it ended before it was done, the digests and `isSame` are absent, and the counts are
 * those of the records that it reached.
 */
export async function verifyReport(
  {
    imports,
    importParts,
    importResults,
  }: Pick<ImportReportDeps, 'imports' | 'importParts' | 'importResults'>,
  job: Job,
): Promise<VerifyReport | undefined> {
  const { id: jobId } = job;
  const details = await imports.find(jobId);
  if (details === undefined) return undefined;
  const { verified, stagingId } = details;
  if (verified !== undefined) return { ...verified, counts: countsOf(verified.lists), jobId };
  const sums = new ListSums();
  if (stagingId !== undefined) {
    for await (const { section, ...comparison } of importResults.comparisons(stagingId)) {
      sums.add(section, comparison);
    }
  }
  const lists = sums.result().lists.map(({ sourceDigest: _s, targetDigest: _t, ...counts }) => counts);
  const end = earlyEndError({ job, details, counts: await partCounts({ importParts }, details) });
  return { ...(end && { errors: [end] }), counts: countsOf(lists), lists, jobId };
}

function countsOf(lists: readonly ListCounts[]): VerifyReport['counts'] {
  const counts = { same: 0, missing: 0, different: 0, refused: 0, extra: 0 };
  for (const list of lists) {
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += list[name];
  }
  const { same, missing, different, refused } = counts;
  return { ...counts, total: same + missing + different + refused };
}

/**
 * The differences: the records that are missing, those that differ or would be refused, and, if the verification lists them, the
 * objects that the file does not have. An error of the job itself is no difference.
 */
export async function* reportedDifferences(
  deps: Pick<ImportReportDeps, 'imports' | 'importParts' | 'importOrganizations' | 'importResults'>,
  job: Job,
): AsyncGenerator<ReportedDifference> {
  for await (const record of createdRecords(deps, job)) yield { kind: 'missing', ...record };
  for await (const error of reportedErrors(deps, job)) {
    if (error.type === 'import' || error.type === 'timeout') continue;
    yield { kind: error.message.startsWith('OTHER-CONTENT:') ? 'different' : 'refused', ...error };
  }
  const stagingId = (await deps.imports.find(job.id))?.stagingId;
  if (stagingId === undefined) return;
  for await (const { orgId, list, ids } of deps.importResults.extra(stagingId)) {
    for (const id of ids) yield { kind: 'extra', orgId, list, id };
  }
}
