import type { JobKind } from './catalogue.js';

/** A queue of each kind of job. A queue is opened when it is first used. */
export interface KindQueues<Q> {
  /** Opens the queue of this kind if no call did before, or if that failed. @throws the error of the opening; Error after `close` */
  of(kind: JobKind): Promise<Q>;
  /** Opens each queue anew whose last opening failed. @throws the error of an opening */
  reopenFailed(): Promise<void>;
  close(): Promise<unknown>;
}

/** @param failed is called when a queue cannot be opened, and not again until that queue was open once more */
export function createQueues<Q extends { close(): Promise<unknown> }>(
  open: (kind: JobKind) => Promise<Q>,
  failed: (kind: JobKind, error: unknown) => void,
): KindQueues<Q> {
  const opened = new Map<JobKind, Promise<Q>>();
  const failing = new Set<JobKind>();
  let closed = false;

  const openOf = async (kind: JobKind): Promise<Q> => {
    try {
      const queue = await open(kind);
      failing.delete(kind);
      return queue;
    } catch (error) {
      opened.delete(kind);
      if (!closed && !failing.has(kind)) failed(kind, error);
      failing.add(kind);
      throw error;
    }
  };

  const of = async (kind: JobKind): Promise<Q> => {
    const known = opened.get(kind);
    if (known !== undefined) return known;
    // BullMQ would report an error for each try on a connection that has ended.
    if (closed) throw new Error('The queues are closed');
    const opening = openOf(kind);
    opened.set(kind, opening);
    return opening;
  };

  return {
    of,
    async reopenFailed() {
      const openings = [...failing].map(of);
      // The next call must not get the failure of an opening that began before it.
      await Promise.allSettled(openings);
      await Promise.all(openings);
    },
    close() {
      closed = true;
      return Promise.allSettled([...opened.values()].map(async (queue) => (await queue).close()));
    },
  };
}
