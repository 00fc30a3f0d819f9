import type { Job, JobSummary, KeptInJob } from '#src/jobs/job.js';
import type { ImportOrganization } from './import-organizations.store.js';
import type { ImportCounts, ImportPart } from './import-parts.store.js';
import { type PartResult, type ReadResults, readResultsFrom } from './import-results.store.js';
import type { ImportDetails, ImportsStore } from './imports.store.js';

/** An import of one organization with one part of records, whose text is short. */
export interface SmallImport {
  readonly organization: ImportOrganization;
  /** The part of the organization itself. */
  readonly ofOrganization: ImportPart;
  readonly ofRecords: ImportPart;
  readonly text: Buffer;
}

/**
 * What a small import keeps in its job, beside its input: {@link writeSmallImport}. Its results are the parts of the job. So it is one
 * document. Imports of the version before, and those that were unpacked (run/unpack-import.ts), have documents of their own.
 */
export interface KeptImport extends KeptInJob {
  readonly details: Omit<ImportDetails, 'jobId'>;
  /** The records that count in the summary. */
  readonly total: number;
  /** The organization of the file, once the import is completed. */
  readonly organization?: Pick<ImportOrganization, 'index' | 'orgId' | 'imported'>;
}

/** What a new import keeps in its job. */
export function keptImport({ jobId: _, ...details }: ImportDetails, small: SmallImport): KeptImport {
  return { open: true, details, total: small.ofOrganization.count + small.ofRecords.count };
}

/** The small import of a text that is shorter than a block. Undefined if it has more organizations or parts, or no records. */
export function smallImport(
  { parts, organizations }: { parts: readonly ImportPart[]; organizations: readonly ImportOrganization[] },
  text: Buffer,
): SmallImport | undefined {
  const [organization, another] = organizations;
  const ofOrganization = parts.find(({ orgs }) => orgs === 1);
  const ofRecords = parts.find(({ orgs }) => orgs === 0);
  const isSmall = another === undefined && parts.length === 2;
  return isSmall && organization && ofOrganization && ofRecords
    ? { organization, ofOrganization, ofRecords, text }
    : undefined;
}

const lengthBytes = 4;

/** The input of the job of a small import: the length of a JSON text as a 32-bit number, that text, and the text of the import. */
export function writeSmallImport({ text, ...rest }: SmallImport): Buffer {
  const json = Buffer.from(JSON.stringify(rest));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, text]);
}

/** Reads what {@link writeSmallImport} wrote. */
export function readSmallImport(body: Buffer): SmallImport {
  const end = lengthBytes + body.readUInt32LE();
  const rest = JSON.parse(body.toString('utf8', lengthBytes, end)) as Omit<SmallImport, 'text'>;
  return { ...rest, text: body.subarray(end) };
}

/** What an import keeps in its job. Undefined if it has documents of its own. */
export function keptIn({ kept }: Pick<JobSummary, 'kept'>): KeptImport | undefined {
  return kept as KeptImport | undefined;
}

/** What is stored of an import, in its job or in a document of its own. Undefined if the job is no import. */
export async function detailsOf(
  { imports }: { readonly imports: Pick<ImportsStore, 'find'> },
  job: Pick<JobSummary, 'id' | 'kept'>,
): Promise<ImportDetails | undefined> {
  const kept = keptIn(job);
  return kept === undefined ? imports.find(job.id) : keptDetails(job.id, kept);
}

/** All of a small import is done, or nothing. Its counts say so also before it has ended. */
export function keptDetails(jobId: string, { details, total }: KeptImport): ImportDetails {
  const nothing: ImportCounts = { total, remaining: total, created: 0, updated: 0, skipped: 0, failed: 0 };
  return { counts: nothing, ...details, jobId, stagingId: jobId };
}

/** What an import keeps after its end. */
export function keptAfter(
  { open: _open, ...kept }: KeptImport,
  {
    at: ended,
    counts,
    organization,
  }: { readonly at: Date; readonly counts: ImportCounts } & Pick<KeptImport, 'organization'>,
): KeptImport {
  return { ...kept, details: { ...kept.details, ended, counts }, ...(organization && { organization }) };
}

/** The results that {@link Job.parts} of an import have that keeps them there. */
export function keptResults({ parts }: Pick<Job, 'parts'>): ReadResults {
  return readResultsFrom(Object.values(parts) as PartResult[]);
}
