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

/** What the entries of a pool share. */
interface Pool {
  readonly limit: number;
  readonly all: Holding;
  readonly holders: Map<string, Holding>;
}

/** A class, because each request makes one. An object literal with a getter took five times as long (bench/profiles.md). */
class Entry implements HeldBytes {
  readonly #pool: Pool;
  readonly #holder: string;
  readonly #holding: Holding;
  readonly #giveWay: () => void;
  readonly waits: () => boolean;
  #held = 0;
  #isReleased = false;
  #wentOnAt = performance.now();

  constructor(
    pool: Pool,
    of: { readonly holder: string; readonly giveWay: () => void; readonly waits: () => boolean },
  ) {
    this.#pool = pool;
    this.#holder = of.holder;
    this.#giveWay = of.giveWay;
    this.waits = of.waits;
    this.#holding = pool.holders.get(of.holder) ?? { bytes: 0, unfinished: new Set() };
    pool.holders.set(of.holder, this.#holding);
    this.#holding.unfinished.add(this);
    pool.all.unfinished.add(this);
  }

  /** When it went on for the last time, as a value of `performance.now()`. */
  get wentOnAt(): number {
    return this.#wentOnAt;
  }

  grow(bytes: number): void {
    if (this.#isReleased) return;
    this.#count(bytes);
    makeRoom(this.#holding, this.#pool.limit / 4);
    makeRoom(this.#pool.all, this.#pool.limit);
  }

  progress(): void {
    const { all } = this.#pool;
    if (!this.#holding.unfinished.delete(this)) return;
    this.#wentOnAt = performance.now();
    this.#holding.unfinished.add(this);
    all.unfinished.delete(this);
    all.unfinished.add(this);
  }

  finish(): void {
    this.#holding.unfinished.delete(this);
    this.#pool.all.unfinished.delete(this);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.finish();
    this.#count(-this.#held);
    if (this.#holding.bytes === 0 && this.#holding.unfinished.size === 0)
      this.#pool.holders.delete(this.#holder);
  }

  giveWay(): void {
    this.release();
    this.#giveWay();
  }

  #count(bytes: number): void {
    this.#held += bytes;
    this.#holding.bytes += bytes;
    this.#pool.all.bytes += bytes;
  }
}

const always = () => true;

/**
 * Creates a pool of at most `limit` bytes. When it is full, the one that has made no progress for the longest time gives way. What an
 * honest caller sends or reads goes on within a moment, so others give way before it.
 */
export function createBytePool(limit: number): BytePool {
  const all: Holding = { bytes: 0, unfinished: new Set() };
  const pool: Pool = { limit, all, holders: new Map() };
  return {
    get bytes() {
      return all.bytes;
    },
    hold: (holder, giveWay, waits = always) => new Entry(pool, { holder, giveWay, waits }),
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
