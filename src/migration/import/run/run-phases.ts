import { setMaxListeners } from 'node:events';
import type { JobQueue } from '#src/jobs/job-queue.js';
import { type EndIfOverDeps, endIfOver } from '../end/end-if-over.js';
import { pollMs, whenAvailable } from '../end/when-available.js';
import type { Finish } from '../modes/mode.js';
import { modeOf } from '../modes/mode-of.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { ImportDetails } from '../stores/imports.store.js';

export type RunPhasesDeps = EndIfOverDeps & {
  readonly importParts: ImportPartsStore;
  readonly jobQueue: JobQueue;
};

/** An import whose data is staged. */
export interface PhasesRun {
  readonly details: ImportDetails;
  readonly stagingId: string;
  /** The organization under which its parts queue. */
  readonly queuedUnder: string;
  /** Aborts when the attempt must leave the import to a later attempt. */
  readonly stopping: AbortSignal;
}

/** Parts of one import that wait in the queue or run at once, however large the import is. */
const windowSize = 24;
/** Parts are offered again after this time, in case the queue lost them. Offering what the queue has changes nothing. */
const offerAgainMs = 5_000;

/**
 * Hands the parts of an import to the workers, phase after phase, and waits until they have ended.
 * @returns `done`: all parts have ended. `over`: the job ended before them. `stopped`: `stopping` aborted before them.
 */
export async function runPhases(deps: RunPhasesDeps, run: PhasesRun): Promise<Finish> {
  let window: PartWindow | undefined;
  // The caller has just looked, and each part looks again before it is imported.
  let looked = performance.now();
  for (;;) {
    if (run.stopping.aborted) return 'stopped';
    if (performance.now() - looked >= pollMs || deps.clock.now() >= run.details.deadline) {
      if (await endIfOver(deps, run.details)) return 'over';
      looked = performance.now();
    }
    const step = await whenAvailable(async () => {
      window ??= await firstWindow(deps, run);
      if (window === undefined) return 'done';
      if (await window.advance()) window = await firstWindow(deps, run, window.phase + 1);
      return window === undefined ? 'done' : 'more';
    });
    if (step === 'done') return 'done';
  }
}

/** The parts of the first phase that has any, from the given one on. Most imports have parts in few phases. */
async function firstWindow(deps: RunPhasesDeps, run: PhasesRun, from = 0): Promise<PartWindow | undefined> {
  const phase = await deps.importParts.nextPhase(run.stagingId, from);
  return phase === undefined ? undefined : new PartWindow(deps, run, phase);
}

/** The parts of one phase that are offered to the workers: a few at a time, in the order of the file. */
class PartWindow {
  readonly #deps: RunPhasesDeps;
  readonly #run: PhasesRun;
  readonly phase: number;
  readonly #size: number;
  /** When each part was offered last; 0 for parts that were never offered. */
  readonly #offered = new Map<string, number>();
  /** The last part that was taken into the window. */
  #last: string | undefined;
  #hasMore = true;

  constructor(deps: RunPhasesDeps, run: PhasesRun, phase: number) {
    this.#deps = deps;
    this.#run = run;
    this.phase = phase;
    this.#size = modeOf(run.details).isInOrder ? 1 : windowSize;
  }

  /** Offers parts, and waits a moment for one of them to end. @returns whether no part of the phase is left */
  async advance(): Promise<boolean> {
    await this.#fill();
    if (this.#offered.size === 0) return !(await this.#startAgain());
    await this.#offer();
    await this.#waitForAny();
    const waiting = await this.#deps.importParts.stillWaiting([...this.#offered.keys()]);
    for (const partId of this.#offered.keys()) if (!waiting.has(partId)) this.#offered.delete(partId);
    return false;
  }

  async #fill(): Promise<void> {
    const limit = this.#size - this.#offered.size;
    if (!this.#hasMore || limit === 0) return;
    const next = await this.#waiting({ after: this.#last, limit });
    for (const partId of next) this.#offered.set(partId, 0);
    this.#last = next.at(-1) ?? this.#last;
    this.#hasMore = next.length === limit;
  }

  /**
   * Starts again from the first part that is left: a split part leaves smaller parts where the window has passed.
   * @returns whether a part is left
   */
  async #startAgain(): Promise<boolean> {
    const [left] = await this.#waiting({ limit: 1 });
    this.#last = undefined;
    this.#hasMore = true;
    return left !== undefined;
  }

  #waiting(query: { after?: string | undefined; limit: number }): Promise<string[]> {
    return this.#deps.importParts.waiting(this.#run.stagingId, { phase: this.phase, ...query });
  }

  async #offer(): Promise<void> {
    const { queuedUnder } = this.#run;
    for (const [partId, at] of this.#offered) {
      if (at > 0 && performance.now() - at < offerAgainMs) continue;
      await this.#deps.jobQueue.enqueue({ kind: 'import-part', id: partId, queuedUnder });
      this.#offered.set(partId, performance.now());
    }
  }

  async #waitForAny(): Promise<void> {
    const { jobQueue, clock } = this.#deps;
    const leftMs = this.#run.details.deadline.getTime() - clock.now().getTime();
    const timeoutMs = Math.max(0, Math.min(pollMs, leftMs));
    const stop = new AbortController();
    setMaxListeners(this.#offered.size, stop.signal);
    await Promise.race(
      [...this.#offered.keys()].map((id) =>
        jobQueue.waitForEnd({ id, kind: 'import-part' }, timeoutMs, stop.signal),
      ),
    );
    stop.abort();
  }
}
