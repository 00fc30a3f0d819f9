/** Lets each holder, such as an organization, run only so much work of one kind at the same time in this process. */
export interface KeyedSemaphore {
  /** Runs the work when the holder has a permit. @throws the error of `refuse` if too much work of the holder waits, or this too long */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
  /** The amount of work of the holder that waits. */
  waiting(holder: string): number;
}

interface Holder {
  running: number;
  /** In the order in which the work came. Each is called when its permit is free. */
  readonly waiting: Set<() => void>;
}

/**
 * @param limits `atOnce`: the work of one holder that runs. `waiting`: the work of one holder that may wait for it, each for
 * `longestWaitMs` at most. `refuse` makes the error for more
 */
export function createKeyedSemaphore(limits: {
  readonly atOnce: number;
  readonly waiting: number;
  readonly longestWaitMs: number;
  readonly refuse: () => Error;
}): KeyedSemaphore {
  const holders = new Map<string, Holder>();
  const leave = (name: string, holder: Holder) => {
    const [next] = holder.waiting;
    if (next !== undefined) next();
    else if (--holder.running === 0) holders.delete(name);
  };
  const wait = ({ waiting }: Holder) =>
    new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(begin);
        reject(limits.refuse());
      }, limits.longestWaitMs);
      const begin = () => {
        waiting.delete(begin);
        clearTimeout(late);
        resolve();
      };
      waiting.add(begin);
    });
  return {
    waiting: (name) => holders.get(name)?.waiting.size ?? 0,
    async run(name, work) {
      const holder = holders.get(name) ?? { running: 0, waiting: new Set() };
      holders.set(name, holder);
      if (holder.running < limits.atOnce) holder.running++;
      else if (holder.waiting.size >= limits.waiting) throw limits.refuse();
      // Work that ends hands its permit over, so that `running` stays the same.
      else await wait(holder);
      try {
        return await work();
      } finally {
        leave(name, holder);
      }
    },
  };
}
