/** The callers in this process that wait for the ends of jobs. */
interface JobWaits {
  /** Lets all callers go on that wait for this job. */
  wake(jobId: string): void;
  /** Resolves when the job is woken, `timeoutMs` has passed or the signal aborts, whichever comes first. */
  wait(jobId: string, timeoutMs: number, signal?: AbortSignal): Promise<void>;
}

/** Begins without a caller that waits. */
export function createJobWaits(): JobWaits {
  const waiting = new Map<string, Set<() => void>>();
  return {
    wake(jobId) {
      for (const wake of waiting.get(jobId) ?? []) wake();
    },
    async wait(jobId, timeoutMs, signal) {
      if (signal?.aborted) return;
      const wakers = waiting.get(jobId) ?? new Set();
      waiting.set(jobId, wakers);
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', wake);
          wakers.delete(wake);
          if (wakers.size === 0) waiting.delete(jobId);
          resolve();
        };
        const timer = setTimeout(wake, timeoutMs);
        signal?.addEventListener('abort', wake);
        wakers.add(wake);
      });
    },
  };
}
