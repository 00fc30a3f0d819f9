/** Work that waits for its turn. Exactly one of the two is called, once. */
interface WaitingWork {
  start(): void;
  refuse(): void;
}

/** A bounded queue in which the holders, such as organizations, take turns. Each turn starts the oldest work of one holder. */
export interface RoundRobinQueue {
  /**
   * Lets work wait. If the holder has its most, this work is refused. If the queue is full, the newest work of the holder with the
   * most waiting work is refused, which may be this work.
   * @returns a function that takes the work out of the queue. Neither of its two functions is called then
   */
  add(holder: string, waiting: WaitingWork): () => void;
  /** Removes and returns the work whose turn it is. */
  next(): WaitingWork | undefined;
  /** The amount of waiting work: of one holder, or of all. */
  size(holder?: string): number;
}

/** @param limits `all`: the work that may wait. `holder`: that of one holder */
export function createRoundRobinQueue(limits: {
  readonly all: number;
  readonly holder: number;
}): RoundRobinQueue {
  /** In the order of the turns. No list is empty. */
  const byHolder = new Map<string, WaitingWork[]>();
  let size = 0;

  function longest(): WaitingWork[] {
    return [...byHolder.values()].reduce((a, b) => (b.length > a.length ? b : a), []);
  }

  return {
    add(holder, waiting) {
      const ofHolder = byHolder.get(holder) ?? [];
      if (ofHolder.length >= limits.holder) {
        waiting.refuse();
        return () => undefined;
      }
      if (size >= limits.all) {
        const most = longest();
        if (most.length <= ofHolder.length + 1) {
          waiting.refuse();
          return () => undefined;
        }
        most.pop()?.refuse();
        size--;
      }
      ofHolder.push(waiting);
      size++;
      byHolder.set(holder, ofHolder);
      return () => {
        const position = ofHolder.indexOf(waiting);
        if (position === -1) return;
        ofHolder.splice(position, 1);
        size--;
        if (ofHolder.length === 0) byHolder.delete(holder);
      };
    },
    next() {
      for (const [holder, list] of byHolder) {
        const first = list.shift();
        byHolder.delete(holder);
        if (list.length > 0) byHolder.set(holder, list);
        size--;
        return first;
      }
      return undefined;
    },
    size: (holder) => (holder === undefined ? size : (byHolder.get(holder)?.length ?? 0)),
  };
}
