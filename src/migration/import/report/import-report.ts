import type { Job, JobState } from '#src/jobs/job.js';
import { countsOf, type ImportSummary, summaryFrom } from '../end/import-summary.js';
import { importCodes } from '../lists/section/import-codes.js';
import type { ImportForm, ImportSections, SignIns } from '../lists/section/section.js';
import { organizationKey } from '../lists/section/section-keys.js';
import { modeOf } from '../modes/mode-of.js';
import { LossCount } from '../records/find-losses.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportCounts, ImportPartsStore } from '../stores/import-parts.store.js';
import type {
  ImportResultsStore,
  Loss,
  PartResult,
  ReadResults,
  ReportedError,
} from '../stores/import-results.store.js';
import type { ImportDetails, ImportsStore } from '../stores/imports.store.js';
import { type ReportSource, reportSource } from './report-source.js';

export interface ImportReportDeps {
  readonly imports: ImportsStore;
  readonly importParts: ImportPartsStore;
  readonly importOrganizations: ImportOrganizationsStore;
  readonly importResults: ImportResultsStore;
  readonly importSections: ImportSections;
}

/** The lists of an element of `success.orgs`. A report has all of them, even if they are empty. */
const successKeys = [
  'humanUserIds',
  'machineUserIds',
  'groupIds',
  'projectIds',
  'oidcAppIds',
  'apiAppIds',
  'groupMembers',
  'orgMembers',
  'userMetadata',
  'identityLinks',
  'webauthnCredentials',
  'domains',
  'connectionIds',
] as const;

/** The codes of the error for the records that an import left. */
const earlyEndCodes: Partial<Record<JobState, 'TIMEOUT' | 'CANCELLED' | 'STOPPED'>> = {
  expired: 'TIMEOUT',
  cancelled: 'CANCELLED',
  failed: 'STOPPED',
};

/** The most elements of `warnings`. One more counts the values of all other paths. */
const maxWarnings = 200;
/** Organizations that are read together. */
const pageSize = 200;

/**
 * The report of an import that has ended, as JSON in pieces, because it may name millions of users.
 * @param known what is stored of the import, if the caller has read it
 */
export async function* importReport(
  deps: ImportReportDeps,
  job: Job,
  known?: ImportDetails,
): AsyncGenerator<string> {
  const source = await reportSource(deps, job, known, { atOnce: true });
  if (source === undefined) return;
  const { details, results } = source;
  const counts = await countsOf(deps, details);
  let separator = '{"errors":[';
  for await (const error of errorsOf(results, { job, details, counts })) {
    yield `${separator}${JSON.stringify(error)}`;
    separator = ',';
  }
  // Without errors, the property `errors` is absent.
  yield separator === ',' ? '],"success":{"orgs":[' : '{"success":{"orgs":[';
  yield* organizations(deps, source);
  const summary = summaryFrom(counts, details);
  const warnings = await warningsOf(results, details);
  const lost = warnings.length > 0 ? `,"warnings":${JSON.stringify(warnings)}` : '';
  const signIns = await signInsOf(results, details);
  const ends = { ...(signIns && { signIns }), ...dryRunOf(details), summary, jobId: job.id };
  yield `]}${lost},${JSON.stringify(ends).slice(1)}`;
}

/** The report without its lists, which may be long. */
export async function importReportSummary(
  deps: Omit<ImportReportDeps, 'importSections'>,
  job: Job,
): Promise<
  | { dryRun?: true; summary: ImportSummary; warnings?: readonly Loss[]; signIns?: SignIns; jobId: string }
  | undefined
> {
  const source = await reportSource(deps, job);
  if (source === undefined) return undefined;
  const { details, results } = source;
  const warnings = await warningsOf(results, details);
  const summary = summaryFrom(await countsOf(deps, details), details);
  const signIns = await signInsOf(results, details);
  return {
    ...(warnings.length > 0 && { warnings }),
    ...(signIns && { signIns }),
    ...dryRunOf(details),
    summary,
    jobId: job.id,
  };
}

/** Only the report of a dry run says so. */
function dryRunOf({ dryRun }: Pick<ImportDetails, 'dryRun'>): { dryRun?: true } {
  return dryRun ? { dryRun } : {};
}

/** How the people can sign in whom the import created or updated. Undefined if each of them can by a password. */
async function signInsOf(
  results: Pick<ReadResults, 'signIns'>,
  { stagingId }: ImportDetails,
): Promise<SignIns | undefined> {
  if (stagingId === undefined) return undefined;
  const sum = { password: 0, link: 0, hook: 0, none: 0, disabled: 0 };
  for await (const counts of results.signIns(stagingId)) {
    sum.password += counts.password;
    sum.link += counts.link;
    sum.hook += counts.hook;
    sum.none += counts.none;
    sum.disabled += counts.disabled;
  }
  return sum.link + sum.hook + sum.none + sum.disabled === 0 ? undefined : sum;
}

/** The values that reached nothing, by their path. */
async function warningsOf(
  results: Pick<ReadResults, 'losses'>,
  { stagingId }: ImportDetails,
): Promise<readonly Loss[]> {
  const count = new LossCount(maxWarnings);
  if (stagingId !== undefined) for await (const loss of results.losses(stagingId)) count.add(loss);
  return count.list();
}

/** The elements of `errors`: the errors of records in the order of the file, then one error for the records that are left. */
export async function* reportedErrors(
  deps: Omit<ImportReportDeps, 'importSections'>,
  job: Job,
): AsyncGenerator<ReportedError> {
  const source = await reportSource(deps, job);
  if (source === undefined) return;
  const { details, results } = source;
  yield* errorsOf(results, { job, details, counts: await countsOf(deps, details) });
}

async function* errorsOf(
  results: Pick<ReadResults, 'errors'>,
  of: { job: Job; details: ImportDetails; counts: ImportCounts },
): AsyncGenerator<ReportedError> {
  if (of.details.stagingId !== undefined) yield* results.errors(of.details.stagingId);
  const end = earlyEndError(of);
  if (end !== undefined) yield end;
}

/**
 * The error for the records that an import or a verification left when it ended. It has no identifier of a record.
 * @returns undefined if it did all of them, or has not ended
 */
export function earlyEndError({
  job,
  details,
  counts: { remaining },
}: {
  job: Job;
  details: ImportDetails;
  counts: ImportCounts;
}): ReportedError | undefined {
  const { stagingId, failure } = details;
  const { done, isWhole } = modeOf(details);
  const code = earlyEndCodes[job.state];
  if (code === undefined || isWhole(details, remaining)) return undefined;
  // While nothing is staged, the last attempt to read an object tells why the time was not enough.
  const isTold = code === 'STOPPED' || (code === 'TIMEOUT' && stagingId === undefined);
  const left = remaining > 0 ? [`${remaining} records were not ${done}`] : [];
  const rest = stagingId === undefined ? [`nothing was ${done}`] : left;
  const why = [...(isTold && failure !== undefined ? [failure] : []), ...rest].join('; ');
  const message = [`${code}: ${importCodes[code]}`, ...(why === '' ? [] : [why])].join(': ');
  return { type: code === 'TIMEOUT' ? 'timeout' : 'import', id: '', message };
}

/** A record that an import has created, or would create. */
interface CreatedRecord {
  readonly orgId: string;
  /** The list of the record, such as `humanUsers`; `org` for the organization itself. */
  readonly list: string;
  readonly id: string;
}

/** The created records of all lists, in the order of the file. */
export async function* createdRecords(
  deps: Omit<ImportReportDeps, 'importParts' | 'importSections'>,
  job: Job,
): AsyncGenerator<CreatedRecord> {
  const source = await reportSource(deps, job);
  if (source?.details.stagingId === undefined) return;
  const { details, results } = source;
  let organization: { readonly index: number; readonly orgId?: string } | undefined;
  for await (const { org, section: list, created } of results.creations(details.stagingId ?? '')) {
    // The identifier of an organization is its own record's.
    if (list === organizationKey) {
      for (const id of created) yield { orgId: id, list, id };
      continue;
    }
    if (organization?.index !== org) [organization] = await source.organizations({ from: org, count: 1 });
    for (const id of created) yield { orgId: organization?.orgId ?? '', list, id };
  }
}

/** The elements of `success.orgs`. Organizations and results both come in the order of the file. */
async function* organizations(
  { importSections }: Pick<ImportReportDeps, 'importSections'>,
  { details: { stagingId, form }, ...source }: ReportSource,
): AsyncGenerator<string> {
  if (stagingId === undefined) return;
  const results = source.results.creations(stagingId);
  let next = await results.next();
  let separator = '';
  for (let first = 0; ; first += pageSize) {
    const found = await source.organizations({ from: first, count: pageSize });
    for (const { index, orgId, imported } of found) {
      const isListed = imported === true && orgId !== undefined;
      if (isListed) yield `${separator}{"orgId":${JSON.stringify(orgId)}`;
      const lists = new ListWriter(importSections, form);
      while (next.done !== true && next.value.org <= index) {
        if (isListed && next.value.org === index) yield lists.add(next.value);
        next = await results.next();
      }
      if (isListed) yield lists.end();
      if (isListed) separator = ',';
    }
    if (found.length < pageSize) return;
  }
}

/** Writes the lists of one organization. The results of one section come one after the other. */
class ListWriter {
  readonly #sections: ImportSections;
  readonly #form: ImportForm;
  readonly #written = new Set<string>();
  #open: string | undefined;

  constructor(sections: ImportSections, form: ImportForm) {
    this.#sections = sections;
    this.#form = form;
  }

  add({ section, created }: Pick<PartResult, 'section' | 'created'>): string {
    const key = this.#sections.find(section, this.#form)?.successKey;
    if (key === undefined) return '';
    const names = created.map((name) => JSON.stringify(name)).join(',');
    if (key === this.#open) return `,${names}`;
    const end = this.#close();
    this.#open = key;
    this.#written.add(key);
    return `${end},${JSON.stringify(key)}:[${names}`;
  }

  end(): string {
    const absent = successKeys.filter((key) => !this.#written.has(key)).map((key) => `,"${key}":[]`);
    return `${this.#close()}${absent.join('')}}`;
  }

  #close(): string {
    const end = this.#open === undefined ? '' : ']';
    this.#open = undefined;
    return end;
  }
}
