import type { OpenedOrganizations } from '#src/organizations/open/index.js';
import { KeySet } from '../../digest/key-set.js';
import { keyLength } from '../../digest/record-digest.js';
import { type EndIfOverDeps, endIfOver } from '../end/end-if-over.js';
import { organizationKey } from '../lists/section/section-keys.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportResultsStore } from '../stores/import-results.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type ExtraOfOrganization, type FindExtraDeps, findExtra } from './find-extra.js';
import { ListSums } from './list-sums.js';

export type FinishVerificationDeps = FindExtraDeps &
  EndIfOverDeps &
  Pick<OpenedOrganizations, 'organizations'> & {
    readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
    readonly importParts: Pick<ImportPartsStore, 'counts'>;
    readonly importResults: Pick<ImportResultsStore, 'comparisons' | 'removeExtra' | 'keepExtra'>;
  };

/** A verification whose parts have all ended. */
interface ComparedImport {
  readonly details: ImportDetails;
  readonly stagingId: string;
  /** Aborts when the process ends. */
  readonly stopping: AbortSignal;
}

/** Keys that are in memory at once: 32 MiB. If the service has more of the file, it is read several times. */
const keysAtOnce = 1_000_000;
/** Names of extra objects that are stored together. */
const blockSize = 500;
/** Organizations that are read together. */
const organizationsAtOnce = 200;
/** How often it is checked that the job is still open, in milliseconds. */
const lookMs = 1_000;

/** Raised to stop reading. */
class Over extends Error {
  readonly why: 'over' | 'stopped';

  constructor(why: 'over' | 'stopped') {
    super();
    this.why = why;
  }
}

/**
 * Finds what the organizations of the file have beside it, and stores the digests of both sides. It can be repeated: a later attempt
 * finds the same. Memory does not depend on the number of records.
 * @returns `over` if the job has ended before it was done, `stopped` if `stopping` aborted before
 */
export async function finishVerification(
  deps: FinishVerificationDeps,
  compared: ComparedImport,
): Promise<'done' | 'over' | 'stopped'> {
  try {
    const sums = new ListSums();
    const look = createLook(deps, compared);
    // Counted by their first byte, so that each set has as many keys as expected.
    const counts = Array.from({ length: 256 }, () => 0);
    for await (const { section, ...comparison } of deps.importResults.comparisons(compared.stagingId)) {
      await look();
      sums.add(section, comparison);
      for (const first of firstBytes(comparison.matched)) counts[first] = (counts[first] ?? 0) + 1;
    }
    if (await endIfIncomplete(deps, compared, sums)) return 'over';
    // People who are not in the file count even if it has no people, unless it is a file of passkeys.
    if (!isOfPasskeys(sums)) sums.of('humanUsers');
    await addExtra(deps, compared, { sums, counts, look });
    await deps.imports.setVerified(compared.details.jobId, sums.result());
    return 'done';
  } catch (error) {
    if (error instanceof Over) return error.why;
    throw error;
  }
}

/**
 * Ends the job as failed if a record was not compared: workers of an older version compare nothing. Without these records, the
 * digests could be equal although the records differ.
 * @returns whether it ended the job
 */
async function endIfIncomplete(
  { importParts, imports, jobs }: FinishVerificationDeps,
  { details: { jobId, form }, stagingId }: ComparedImport,
  sums: ListSums,
): Promise<boolean> {
  const { total } = await importParts.counts(stagingId);
  const count = sums.compared(form);
  if (count === total) return false;
  const why = `Only ${count} of ${total} records were compared; verify again when all processes have one version`;
  await imports.setFailure(jobId, why);
  await jobs.end(jobId, 'failed');
  return true;
}

/** Whether the records of the file are passkeys alone. */
function isOfPasskeys({ lists }: Pick<ListSums, 'lists'>): boolean {
  const keys: string[] = [...lists].filter((list) => list !== organizationKey);
  return keys.length === 1 && keys[0] === 'webauthnCredentials';
}

function* firstBytes(keys: Buffer): Generator<number> {
  for (let at = 0; at < keys.length; at += keyLength) yield keys[at] ?? 0;
}

async function addExtra(
  deps: FinishVerificationDeps,
  compared: ComparedImport,
  of: { sums: ListSums; counts: readonly number[]; look: () => Promise<void> },
): Promise<void> {
  const { details, stagingId } = compared;
  const { sums, counts, look } = of;
  // An earlier attempt may have found more.
  if (details.verify?.listExtra) await deps.importResults.removeExtra(stagingId);
  const names = new ExtraNames(deps, { stagingId, expires: details.expires });
  for (const { from, to, count } of rangesOf(counts)) {
    const known = new KeySet(count);
    const isInRange = (first: number) => from <= first && first < to;
    for await (const { matched } of deps.importResults.comparisons(stagingId)) {
      await look();
      for (let at = 0; at < matched.length; at += keyLength) {
        if (isInRange(matched[at] ?? 0)) known.add(matched, at);
      }
    }
    const isExtra = (key: Buffer) => isInRange(key[0] ?? 0) && !known.has(key);
    for await (const organization of organizationsOf(deps, stagingId)) {
      await look();
      const lists = sums.lists;
      for await (const found of findExtra(deps, { organization, lists, isExtra, look })) {
        for (const { text } of found.objects) sums.addExtra(found.list, text);
        if (details.verify?.listExtra) await names.add(found);
      }
    }
  }
  await names.end();
}

/** Ranges of first bytes, each with at most {@link keysAtOnce} keys if that is possible. */
function rangesOf(counts: readonly number[]): { from: number; to: number; count: number }[] {
  const ranges = [{ from: 0, to: 0, count: 0 }];
  for (const count of counts) {
    const last = ranges.at(-1);
    if (last === undefined) break;
    if (last.count > 0 && last.count + count > keysAtOnce) {
      ranges.push({ from: last.to, to: last.to + 1, count });
    } else {
      last.to += 1;
      last.count += count;
    }
  }
  return ranges;
}

/** The organizations of the file that the service has, each once. */
async function* organizationsOf(
  { importOrganizations, organizations }: FinishVerificationDeps,
  stagingId: string,
) {
  const seen = new Set<string>();
  for (let from = 0; ; from += organizationsAtOnce) {
    const found = await importOrganizations.range(stagingId, { from, count: organizationsAtOnce });
    for (const { orgId, imported } of found) {
      if (orgId === undefined || imported !== true || seen.has(orgId)) continue;
      seen.add(orgId);
      const organization = await organizations.find(orgId);
      if (organization !== undefined) yield organization;
    }
    if (found.length < organizationsAtOnce) return;
  }
}

/** @returns throws {@link Over} if the job has ended or the process ends */
function createLook(
  deps: FinishVerificationDeps,
  { details, stopping }: ComparedImport,
): () => Promise<void> {
  let looked = performance.now();
  return async () => {
    if (stopping.aborted) throw new Over('stopped');
    if (performance.now() - looked < lookMs) return;
    if (await endIfOver(deps, details)) throw new Over('over');
    looked = performance.now();
  };
}

/** Stores the names of extra objects in blocks. */
class ExtraNames {
  readonly #deps: Pick<FinishVerificationDeps, 'importResults'>;
  readonly #of: { readonly stagingId: string; readonly expires: Date };
  #waiting: { orgId: string; list: string; ids: string[] } | undefined;
  #blocks = 0;

  constructor(
    deps: Pick<FinishVerificationDeps, 'importResults'>,
    of: { readonly stagingId: string; readonly expires: Date },
  ) {
    this.#deps = deps;
    this.#of = of;
  }

  async add({ orgId, list, objects }: ExtraOfOrganization): Promise<void> {
    const ids = objects.map(({ id }) => id);
    if (this.#waiting?.orgId !== orgId || this.#waiting.list !== list) {
      await this.end();
      this.#waiting = { orgId, list, ids };
    } else {
      this.#waiting.ids.push(...ids);
    }
    if (this.#waiting.ids.length >= blockSize) await this.end();
  }

  /** Stores the names that wait. */
  async end(): Promise<void> {
    if (this.#waiting === undefined) return;
    const { stagingId, expires } = this.#of;
    await this.#deps.importResults.keepExtra(stagingId, this.#blocks++, this.#waiting, expires);
    this.#waiting = undefined;
  }
}
