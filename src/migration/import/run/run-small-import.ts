import type { Job } from '#src/jobs/job.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import { type EndImportDeps, recordEnd } from '../end/end-import.js';
import { modeOf } from '../modes/mode-of.js';
import { type ClaimedPart, PartLost } from '../parts/claimed-part.js';
import { countRecords, writePart } from '../parts/commit-part.js';
import { planOrganizations } from '../parts/import-organizations.js';
import { importList } from '../parts/import-part.js';
import { countOutcomes } from '../parts/report-outcomes.js';
import type { RunImportPartDeps } from '../parts/run-import-part.js';
import { isOvertaken } from '../parts/split-or-fail.js';
import type { ImportOrganization } from '../stores/import-organizations.store.js';
import type { ImportPart, PartCounts } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

export type RunSmallImportDeps = RunImportPartDeps & EndImportDeps;

/** An import of one organization with one part of records. None of it has ended. */
interface SmallImport {
  readonly organization: ImportOrganization;
  /** The part of the organization itself. */
  readonly ofOrganization: ImportPart;
  readonly ofRecords: ImportPart;
}

/** A longer text is not removed in the transaction of its import. */
const mostBytes = 4 * 2 ** 20;

/** Reads the parts of an import if it is small. Undefined for other imports, and for one that has begun. */
export async function findSmallImport(
  { importParts, importOrganizations }: Pick<RunSmallImportDeps, 'importParts' | 'importOrganizations'>,
  { stagingId }: ImportDetails,
): Promise<SmallImport | undefined> {
  if (stagingId === undefined) return undefined;
  const [parts = [], [organization, another]] = await Promise.all([
    importParts.findFew(stagingId, 2),
    importOrganizations.range(stagingId, { from: 0, count: 2 }),
  ]);
  const ofOrganization = parts.find(({ orgs }) => orgs === 1);
  const ofRecords = parts.find(({ orgs }) => orgs === 0);
  if (organization === undefined || another !== undefined) return undefined;
  if ((ofRecords?.ranges.at(-1)?.end ?? 0) > mostBytes) return undefined;
  return ofOrganization && ofRecords && { organization, ofOrganization, ofRecords };
}

/**
 * Imports a small import in one transaction, which also ends its parts, its job and the import. So it costs a fraction of the commands
 * of a large one. Promise: all of it commits, or nothing. If anything is in the way, nothing is written, and the caller runs the
 * parts as those of any other import (run-phases.ts), which knows what to do about each failure.
 * @returns whether the import has ended
 */
export async function runSmallImport(
  deps: RunSmallImportDeps,
  { job, details, small }: { job: Job; details: ImportDetails; small: SmallImport },
): Promise<boolean> {
  const { ofOrganization, ofRecords } = small;
  const [first, second] = [ofOrganization, ofRecords].map(({ section }) =>
    deps.importSections.find(section, details.form),
  );
  if (first === undefined || second === undefined) return false;
  const mode = modeOf(details);
  try {
    const organizations: ClaimedPart = { part: ofOrganization, details, section: first, mode };
    const planned = await planOrganizations(deps, organizations, [small.organization]);
    const counts = countOutcomes(planned.plan.outcomes);
    // The records of an organization that this import adds or changes are planned after that.
    if (counts.created + counts.updated > 0) return false;
    const alongside: ClaimedPart['alongside'] = async (written, transaction) => {
      if (deps.clock.now() >= details.deadline) throw new PartLost();
      const ended = await deps.jobs.end(job.id, 'completed', transaction);
      if (ended === undefined) throw new PartLost();
      await writePart(deps, organizations, planned, transaction);
      const all = sumOf([ofRecords, written], [ofOrganization, counts]);
      if (!(await recordEnd(deps, { job: ended, details, counts: all }, transaction))) throw new PartLost();
      await deps.staging.remove(ofRecords.stagingId, transaction);
    };
    const imported = planned.imported.get(small.organization.index) === true;
    const claimed = { part: ofRecords, details, section: second, mode, alongside };
    await importList(deps, claimed, { ...small.organization, imported });
    countRecords(deps, organizations, counts);
    return true;
  } catch (error) {
    const isExpected = error instanceof PartLost || isOvertaken(error) || isStoreUnavailable(error);
    deps.logger[isExpected ? 'info' : 'warn'](
      { err: error, jobId: job.id },
      'a small import is imported as others are',
    );
    return false;
  }
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
