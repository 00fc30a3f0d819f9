import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { type EndIfOverDeps, endIfOver } from '../end/end-if-over.js';
import { pollMs } from '../end/when-available.js';
import { importErrors } from '../lists/section/import-codes.js';
import type { ImportDetails } from '../stores/imports.store.js';
import { type ObjectSources, openObject } from './import-object.js';
import { type StagedImport, type StageImportDeps, stageImport } from './stage-import.js';

export type StageObjectDeps = StageImportDeps &
  EndIfOverDeps &
  ObjectSources & {
    readonly mongo: Mongo;
  };

/** An import whose data lies in an object elsewhere. */
interface ObjectImport {
  readonly details: ImportDetails;
  /** The organization under which the import queues until its data is read. */
  readonly queuedUnder: string;
  /** Aborts when the process ends. */
  readonly stopping: AbortSignal;
}

/** A staged text, and the organization under which its parts queue. */
interface StagedText {
  readonly stagingId: string;
  readonly queuedUnder: string;
}

/**
 * Stages the object that an import names. Ends the job if the object cannot be imported.
 * @returns the staged text, which may be that of another attempt; undefined if the job has ended or the process ends
 * @throws AppError if a later attempt may succeed
 */
export async function stageObject(
  deps: StageObjectDeps,
  object: ObjectImport,
): Promise<StagedText | undefined> {
  const stagingId = newId();
  const staged = await stage(deps, object, stagingId);
  if (staged === undefined) return undefined;
  // Such an import can tell its organization only after its data was read.
  const queuedUnder = object.details.orgId ?? staged.onlyOrganization ?? object.queuedUnder;
  return adopt(deps, object.details, { stagingId, queuedUnder, staged });
}

/** Raised to stop reading an object. */
class ImportOver extends Error {}

async function stage(
  deps: StageObjectDeps,
  object: ObjectImport,
  stagingId: string,
): Promise<StagedImport | undefined> {
  const { jobId, orgId, form, expires, verify } = object.details;
  const body = await deps.jobs.body(jobId);
  if (body === undefined) return undefined;
  const watch = watchJob(deps, object);
  try {
    const source = untilAborted(openObject(deps, body, watch.signal), watch.signal);
    const isConfined = orgId !== undefined;
    const text = { stagingId, jobId, source, root: 'object', isConfined } as const;
    const staged = await stageImport(deps, { ...text, form, expires, verifies: verify !== undefined });
    if (staged.dataKeys.length === 1) return staged;
    await staged.discard().catch(() => undefined);
    throw new AppError(importErrors.dataMissing);
  } catch (error) {
    await endAfter(deps, object.details, error);
    return undefined;
  } finally {
    watch.end();
  }
}

/**
 * Looks from time to time whether the job is still open, also while the storage sends nothing.
 * @returns a signal that aborts when the job has ended or the process ends
 */
function watchJob(
  deps: StageObjectDeps,
  { details, stopping }: ObjectImport,
): { readonly signal: AbortSignal; end(): void } {
  const over = new AbortController();
  const stop = () => over.abort(new ImportOver());
  let timer: NodeJS.Timeout | undefined;
  let isWatching = true;
  const lookLater = () => {
    if (isWatching) timer = setTimeout(look, pollMs);
  };
  const look = () => {
    endIfOver(deps, details)
      .then((isOver) => (isOver ? stop() : lookLater()))
      .catch((error: unknown) => over.abort(error));
  };
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  lookLater();
  return {
    signal: over.signal,
    end() {
      isWatching = false;
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
    },
  };
}

/**
 * The chunks until the signal aborts. It waits for no source that ends late.
 * @throws the reason of the signal
 */
async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const { done, value } = await unlessAborted(source.next(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    source.return?.().catch(() => undefined);
  }
}

/** `Promise.race` with one promise for the signal would keep each chunk in memory until the signal goes. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Ends the job if its object cannot be imported. @throws the error if a later attempt may succeed */
async function endAfter(
  { imports, jobs }: StageObjectDeps,
  { jobId }: ImportDetails,
  error: unknown,
): Promise<void> {
  if (error instanceof ImportOver) return;
  if (!(error instanceof AppError)) throw error;
  await imports.setFailure(jobId, `${error.definition.id}: ${error.message}`);
  if (error.definition.kind === 'unavailable') throw error;
  await jobs.end(jobId, 'failed');
}

/**
 * Makes a staged text the import's, unless another attempt was faster. If the transaction fails, the text stays for now:
 * the transaction may have been committed although its answer was lost.
 */
async function adopt(
  deps: StageObjectDeps,
  { jobId }: ImportDetails,
  { stagingId, queuedUnder, staged }: StagedText & { readonly staged: StagedImport },
): Promise<StagedText | undefined> {
  const { mongo, jobs, imports } = deps;
  const isAdopted = await mongo.transaction(async (transaction) => {
    if (!(await imports.setStaging(jobId, stagingId, transaction))) return false;
    await staged.keep(transaction);
    await jobs.setQueuedUnder(jobId, queuedUnder, transaction);
    return true;
  });
  if (isAdopted) return { stagingId, queuedUnder };
  await staged.discard();
  const other = await imports.find(jobId);
  return other?.stagingId === undefined ? undefined : { stagingId: other.stagingId, queuedUnder };
}
