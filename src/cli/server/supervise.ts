import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#src/platform/logger.js';
import type { Child } from './launch-process.js';

/** A place that the supervisor always fills with one process. */
export interface Slot {
  readonly name: string;
  launch(): Child;
}

interface SuperviseOptions {
  readonly logger: Logger;
  /** Time that a process has to become ready, in milliseconds. The supervisor then kills it. */
  readonly readyMs: number;
  /** Time that a process has to end after the request to close, in milliseconds. The supervisor then kills it. */
  readonly closeMs: number;
  /**
   * Pause before a process is replaced. It doubles, up to `greatestMs`, while processes live shorter than `longLifeMs`.
   */
  readonly backoff?: { readonly firstMs: number; readonly greatestMs: number; readonly longLifeMs: number };
}

/** Keeps processes running. */
export interface Supervisor {
  /** Replaces the processes one after another. If a new process does not become ready, the remaining processes stay. */
  restart(): Promise<void>;
  /** Lets all processes finish their work and end. @returns whether all ended with exit code 0 */
  close(): Promise<boolean>;
}

interface Supervised {
  readonly slot: Slot;
  child: Child;
  since: number;
  failures: number;
  /** The timer that starts the next process after the last one ended. */
  revival?: NodeJS.Timeout;
}

const usualBackoff = { firstMs: 200, greatestMs: 30_000, longLifeMs: 60_000 };

/**
 * Starts a process in each slot and returns when all are ready. If a process ends later, the supervisor starts another,
 * without a limit.
 * @throws Error if one of the first processes ends before it is ready. All others are then closed.
 */
export async function supervise(slots: readonly Slot[], options: SuperviseOptions): Promise<Supervisor> {
  const { logger, backoff = usualBackoff } = options;
  const children = createChildren(options);
  let closing = false;
  let restarting: Promise<void> | undefined;
  let restartAgain = false;

  function fill(supervised: Supervised, child: Child): void {
    clearTimeout(supervised.revival);
    supervised.child = child;
    supervised.since = performance.now();
    void child.ended.then((how) => {
      if (closing || supervised.child !== child) return;
      const lived = performance.now() - supervised.since;
      supervised.failures = lived > backoff.longLifeMs ? 0 : supervised.failures + 1;
      const ms = Math.min(backoff.firstMs * 2 ** Math.max(0, supervised.failures - 1), backoff.greatestMs);
      logger.error(
        { process: supervised.slot.name, pid: child.pid, how },
        `process ended; another in ${ms} ms`,
      );
      supervised.revival = setTimeout(() => fill(supervised, children.launch(supervised.slot)), ms);
    });
  }

  async function closeAll(): Promise<boolean> {
    closing = true;
    for (const { revival } of all) clearTimeout(revival);
    return children.closeAll();
  }

  async function replaceEach(): Promise<void> {
    for (const supervised of all) {
      if (closing) return;
      const process = supervised.slot.name;
      const successor = children.launch(supervised.slot);
      try {
        await successor.ready;
      } catch (error) {
        logger.error({ err: error, process }, 'the successor does not come to serve; all stays as it is');
        return;
      }
      if (closing) return;
      const predecessor = supervised.child;
      supervised.failures = 0;
      fill(supervised, successor);
      logger.info({ process, pid: successor.pid, before: predecessor.pid }, 'process replaced');
      await children.close(predecessor);
    }
  }

  const all: Supervised[] = slots.map((slot) => ({
    slot,
    child: children.launch(slot),
    since: 0,
    failures: 0,
  }));
  try {
    await Promise.all(all.map(({ child }) => child.ready));
  } catch (error) {
    await closeAll();
    throw error;
  }
  for (const supervised of all) fill(supervised, supervised.child);

  return {
    async restart() {
      restartAgain = true;
      restarting ??= (async () => {
        while (restartAgain) {
          restartAgain = false;
          await replaceEach();
        }
        restarting = undefined;
      })();
      await restarting;
    },
    async close() {
      const ended = await closeAll();
      // Let the last log lines of the processes through.
      await pause(0);
      return ended;
    },
  };
}

/** The processes that have not ended. */
interface Children {
  /** Starts a process, and kills it if it does not become ready in time. */
  launch(slot: Slot): Child;
  /** Asks a process to end, and kills it if it does not end in time. @returns its exit code or signal */
  close(child: Child): Promise<number | string>;
  /** {@link close} for all. @returns whether all ended with exit code 0 */
  closeAll(): Promise<boolean>;
}

function createChildren({ readyMs, closeMs }: Pick<SuperviseOptions, 'readyMs' | 'closeMs'>): Children {
  const running = new Set<Child>();

  async function close(child: Child): Promise<number | string> {
    if (running.has(child)) child.close();
    const late = setTimeout(child.kill, closeMs);
    const how = await child.ended;
    clearTimeout(late);
    return how;
  }

  return {
    launch(slot) {
      const child = slot.launch();
      running.add(child);
      const late = setTimeout(child.kill, readyMs);
      const inTime = () => clearTimeout(late);
      child.ready.then(inTime, inTime);
      void child.ended.then(() => running.delete(child));
      return child;
    },
    close,
    async closeAll() {
      const ends = await Promise.all([...running].map(close));
      return ends.every((how) => how === 0);
    },
  };
}
