import type { Job } from '#src/jobs/job.js';
import type { ImportOrganization, ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportResultsStore, ReadResults } from '../stores/import-results.store.js';
import type { ImportDetails, ImportsStore } from '../stores/imports.store.js';
import { detailsOf, keptIn, keptResults } from '../stores/kept-imports.js';

export interface ReportSourceDeps {
  readonly imports: Pick<ImportsStore, 'find'>;
  readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
  readonly importResults: ReadResults & Pick<ImportResultsStore, 'findFew'>;
}

/** What the report of an import is made of. The job of a small import has all of it. */
export interface ReportSource {
  readonly details: ImportDetails;
  readonly results: ReadResults;
  /** Organizations in the order of the file, from the index `from` on. */
  organizations(indexes: {
    readonly from: number;
    readonly count: number;
  }): Promise<readonly Pick<ImportOrganization, 'index' | 'orgId' | 'imported'>[]>;
}

/** The most parts whose results are read at once, and not once for each list of the report. */
const readTogether = 2;

/**
 * Finds what the report of an import is made of.
 * @param known what is stored of the import, if the caller has read it
 * @param options `atOnce`: reads the results of few parts at once. For callers that read all of them
 * @returns undefined if the job is no import
 */
export async function reportSource(
  deps: ReportSourceDeps,
  job: Job,
  known?: ImportDetails,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<ReportSource | undefined> {
  const details = known ?? (await detailsOf(deps, job));
  if (details === undefined) return undefined;
  const kept = keptIn(job);
  if (kept !== undefined) {
    const all = kept.organization === undefined ? [] : [kept.organization];
    const organizations: ReportSource['organizations'] = async ({ from }) => all.slice(from);
    return { details, results: keptResults(job), organizations };
  }
  const { stagingId } = details;
  const few =
    atOnce && stagingId !== undefined ? await deps.importResults.findFew(stagingId, readTogether) : undefined;
  return {
    details,
    results: few ?? deps.importResults,
    organizations: async (indexes) =>
      stagingId === undefined ? [] : deps.importOrganizations.range(stagingId, indexes),
  };
}
