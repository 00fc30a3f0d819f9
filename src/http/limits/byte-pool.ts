/** The bytes of one body or response that count. */
export interface HeldBytes {
  /** Counts further bytes, or fewer if the number is negative. If too many bytes are held, others give way, those without progress first. */
  grow(bytes: number): void;
  /** It goes on. Those that did not since then give way before it. */
  progress(): void;
  /** It is complete. It counts until it is released, but does not give way any more. */
  finish(): void;
  /** Nothing of it counts any more. Calling it again does nothing. */
  release(): void;
}

/** Bounds the bytes that a process holds for one kind of callers. */
export interface BytePool {
  /** The number of bytes that are held. */
  readonly bytes: number;
  /**
   * Begins to count a body or a response.
   * @param holder the caller, who may hold a quarter of the pool
   * @param giveWay called when it must give its place to newer ones; it is released already
   * @param waits whether it waits for the client. If not, it cannot be stalled
   */
  hold(holder: string, giveWay: () => void, waits?: () => boolean): HeldBytes;
  /** Makes all that have gone on for the last time before this time give way. @param before a value of `performance.now()` */
  endStalled(before: number): void;
}

/** What one holder has, or all holders have. The Set begins with those that have waited longest for progress. */
interface Holding {
  bytes: number;
  readonly unfinished: Set<Entry>;
}

interface Entry extends HeldBytes {
  readonly wentOnAt: number;
  waits(): boolean;
  giveWay(): void;
}

/**
 * Creates a pool of at most `limit` bytes. When it is full, the one that has made no progress for the longest time gives way. What an
 * honest caller sends or reads goes on within a moment, so others give way before it.
 */
export function createBytePool(limit: number): BytePool {
  const all: Holding = { bytes: 0, unfinished: new Set() };
  const holders = new Map<string, Holding>();
  return {
    get bytes() {
      return all.bytes;
    },
    hold(holder, giveWay, waits = () => true) {
      const own = holders.get(holder) ?? { bytes: 0, unfinished: new Set() };
      holders.set(holder, own);
      let held = 0;
      let released = false;
      let wentOnAt = performance.now();
      const count = (bytes: number) => {
        held += bytes;
        own.bytes += bytes;
        all.bytes += bytes;
      };
      const entry: Entry = {
        get wentOnAt() {
          return wentOnAt;
        },
        waits,
        grow(bytes) {
          if (released) return;
          count(bytes);
          makeRoom(own, limit / 4);
          makeRoom(all, limit);
        },
        progress() {
          if (!own.unfinished.delete(entry)) return;
          wentOnAt = performance.now();
          own.unfinished.add(entry);
          all.unfinished.delete(entry);
          all.unfinished.add(entry);
        },
        finish() {
          own.unfinished.delete(entry);
          all.unfinished.delete(entry);
        },
        release() {
          if (released) return;
          released = true;
          entry.finish();
          count(-held);
          if (own.bytes === 0 && own.unfinished.size === 0) holders.delete(holder);
        },
        giveWay() {
          entry.release();
          giveWay();
        },
      };
      own.unfinished.add(entry);
      all.unfinished.add(entry);
      return entry;
    },
    endStalled(before) {
      for (const entry of all.unfinished) {
        if (entry.wentOnAt >= before) return;
        if (entry.waits()) entry.giveWay();
        else entry.progress();
      }
    },
  };
}

function makeRoom(holding: Holding, limit: number): void {
  for (const entry of holding.unfinished) {
    if (holding.bytes <= limit) return;
    entry.giveWay();
  }
}
