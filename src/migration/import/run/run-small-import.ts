import { setImmediate as turn } from 'node:timers/promises';
import {
  cachedRequester,
  isStillPermitted,
  type RequesterCaches,
  type RequesterDeps,
} from '#src/access/authority/index.js';
import type { StartedJob } from '#src/jobs/jobs.store.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { migrationPermission } from '../../migration-permission.js';
import { completedEvent, type EndImportDeps } from '../end/end-import.js';
import { modeOf } from '../modes/mode-of.js';
import { type ClaimedPart, PartLost } from '../parts/claimed-part.js';
import { countRecords, resultOf } from '../parts/commit-part.js';
import { planOrganizations } from '../parts/import-organizations.js';
import { importList } from '../parts/import-part.js';
import { countOutcomes } from '../parts/report-outcomes.js';
import type { RunImportPartDeps } from '../parts/run-import-part.js';
import { isOvertaken } from '../parts/split-or-fail.js';
import type { ImportPart, PartCounts } from '../stores/import-parts.store.js';
import type { PartResult } from '../stores/import-results.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import {
  type KeptImport,
  keptAfter,
  keptDetails,
  readSmallImport,
  type SmallImport,
} from '../stores/kept-imports.js';

export type RunSmallImportDeps = Omit<RunImportPartDeps, 'caches'> &
  EndImportDeps &
  RequesterDeps & { readonly caches: RequesterCaches; readonly redis: { readonly isCluster: boolean } };

/**
 * Imports what a job keeps of its import in one transaction, which also ends the job and the import. So it costs a fraction of the commands
 * of a large one. Promise: all of it commits, or nothing. If anything is in the way, nothing is written. The caller then unpacks the
 * import and hands out its parts as those of any other (run-phases.ts), which knows what to do about each failure.
 * @returns whether the import has ended
 */
export async function runSmallImport(
  deps: RunSmallImportDeps,
  { id: jobId, held }: StartedJob,
  kept: KeptImport,
): Promise<boolean> {
  const details = keptDetails(jobId, kept);
  if (held === undefined || !modeOf(details).joinsParts) return false;
  try {
    const { requestedBy: userId, credential, orgId } = details;
    const requester = { userId, credential };
    if (!(await isStillPermitted(await requesterNow(deps), requester, migrationPermission(orgId))))
      return false;
    return await importAll(deps, { details, kept, small: readSmallImport(held) });
  } catch (error) {
    const isExpected = error instanceof PartLost || isOvertaken(error) || isStoreUnavailable(error);
    deps.logger[isExpected ? 'info' : 'warn'](
      { err: error, jobId },
      'a small import is imported as others are',
    );
    return false;
  }
}

/** What says who the requester is now. A revocation that was answered before counts. */
async function requesterNow(deps: RunSmallImportDeps): Promise<RequesterDeps> {
  // The nodes of a Cluster pass messages on asynchronously, so the caches may hear of it later.
  if (deps.redis.isCluster) return deps;
  // Its message is in the socket, and is read first, as before each request (http/read-messages-first.ts).
  await turn();
  return cachedRequester(deps);
}

/** @returns false if its organization would be added or changed first @throws PartLost if the job has ended */
async function importAll(
  deps: RunSmallImportDeps,
  { details, kept, small }: { details: ImportDetails; kept: KeptImport; small: SmallImport },
): Promise<boolean> {
  const { ofOrganization, ofRecords, organization } = small;
  const claim = (part: ImportPart): ClaimedPart | undefined => {
    const section = deps.importSections.find(part.section, details.form);
    return section && { part, details, section, mode: modeOf(details) };
  };
  const [organizations, records] = [claim(ofOrganization), claim(ofRecords)];
  if (organizations === undefined || records === undefined) return false;
  const planned = await planOrganizations(deps, organizations, [organization]);
  const counts = countOutcomes(planned.plan.outcomes);
  // The records of an organization that this import adds or changes are planned after that.
  if (counts.created + counts.updated > 0) return false;
  const { index, orgId } = organization;
  const imported = planned.imported.get(index) === true;
  const alongside: ClaimedPart['alongside'] = async (part, transaction) => {
    if (deps.clock.now() >= details.deadline) throw new PartLost();
    await completeJob(deps, transaction, {
      ...{ details, kept, organization: { index, ...(orgId !== undefined && { orgId }), imported } },
      counts: sumOf([ofRecords, part.counts], [ofOrganization, counts]),
      results: [resultOf(organizations, planned), part.result],
    });
  };
  await importList(inMemory(deps, small), { ...records, alongside }, { ...organization, imported });
  countRecords(deps, organizations, counts);
  return true;
}

/** The stores of the parts of an import that has none. What is noted there is noted with the end of the job. */
function inMemory(deps: RunSmallImportDeps, { text }: SmallImport): RunSmallImportDeps {
  return {
    ...deps,
    staging: { ...deps.staging, read: async (_id, { start, end }) => text.subarray(start, end) },
    importParts: { ...deps.importParts, end: async () => true },
    importResults: { ...deps.importResults, add: async () => undefined, findAliases: async () => new Map() },
  };
}

/** Ends the job and the import, with the event. It is the first write of the transaction. @throws PartLost */
async function completeJob(
  { jobs, events, clock }: RunSmallImportDeps,
  transaction: Transaction,
  of: Required<Pick<KeptImport, 'organization'>> & {
    readonly details: ImportDetails;
    readonly kept: KeptImport;
    readonly counts: ReturnType<typeof sumOf>;
    readonly results: readonly PartResult[];
  },
): Promise<void> {
  const { details, counts, organization, results } = of;
  const now = clock.now();
  const kept = keptAfter(of.kept, { at: now, counts, organization });
  if (!(await jobs.completeKept(details.jobId, { kept, results }, transaction))) throw new PartLost();
  const job = { id: details.jobId, state: 'completed' } as const;
  await events.append([completedEvent({ job, details, counts, now })], transaction);
}

/** The sums over the parts. A part without records that count adds nothing. */
function sumOf(...parts: readonly (readonly [ImportPart, PartCounts])[]) {
  const sum = { total: 0, remaining: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  for (const [{ count }, { created, updated, skipped, failed }] of parts) {
    if (count === 0) continue;
    sum.total += count;
    sum.created += created;
    sum.updated += updated;
    sum.skipped += skipped;
    sum.failed += failed;
  }
  return sum;
}
