import { readFile } from 'node:fs/promises';
import { setInterval as every } from 'node:timers/promises';
import type { Service } from './service.js';

/** The memory of a process in MiB: the median of the first minute, and the median of the last. */
export interface MemoryUse {
  readonly process: string;
  readonly start: number;
  readonly end: number;
}

/** The number of samples in a minute. The interval is one second. */
const window = 60;

/**
 * Samples the memory of the processes that are never killed, once a second. The returned function ends this and returns
 * the result.
 */
export function watchMemory({
  apis,
  workers,
}: Pick<Service, 'apis' | 'workers'>): () => Promise<MemoryUse[]> {
  const watched = Object.entries({ API: apis[0], worker: workers[0] }).map(([process, running]) => ({
    process,
    pid: running?.pid,
    seen: [] as number[],
  }));
  const stop = new AbortController();
  const watching = (async () => {
    for await (const _ of every(1000, undefined, { signal: stop.signal })) {
      for (const { process, pid, seen } of watched) {
        const mib = await residentMib(pid).catch(() => undefined);
        if (mib === undefined) throw new Error(`The ${process} that nobody killed has ended`);
        seen.push(mib);
      }
    }
  })();
  watching.catch(() => undefined);
  return async () => {
    stop.abort();
    await watching.catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
    return watched.map(({ process, seen }) => ({
      process,
      start: median(seen.slice(0, window)),
      end: median(seen.slice(-window)),
    }));
  };
}

async function residentMib(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}

/** The median, because garbage makes single samples vary. */
function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
