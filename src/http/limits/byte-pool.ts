/** The bytes of one body that count. */
export interface HeldBody {
  /** Counts further bytes, or fewer if the number is negative. Unfinished bodies are refused if too many bytes are held, the oldest first. */
  grow(bytes: number): void;
  /** The body has arrived. It counts until it is released, but is not refused any more. */
  finish(): void;
  /** Nothing of the body counts any more. Calling it again does nothing. */
  release(): void;
}

/** Bounds the bytes of bodies that a process holds for one kind of callers. */
export interface BodyPool {
  /** The number of bytes that are held. */
  readonly bytes: number;
  /**
   * Begins to count a body.
   * @param holder the caller, who may hold a quarter of the pool
   * @param refuse called when the body must give its place to newer ones; it is released already
   */
  hold(holder: string, refuse: () => void): HeldBody;
}

/** The bodies of one holder, or of all holders. The Set keeps the order in which they began. */
interface Holding {
  bytes: number;
  readonly unfinished: Set<Body>;
}

interface Body extends HeldBody {
  refuse(): void;
}

/**
 * Creates a pool of at most `limit` bytes. When it is full, it refuses the unfinished body that began first. The body of an
 * honest caller arrives within a moment, so others that began earlier are refused before it.
 */
export function createBodyPool(limit: number): BodyPool {
  const all: Holding = { bytes: 0, unfinished: new Set() };
  const holders = new Map<string, Holding>();
  return {
    get bytes() {
      return all.bytes;
    },
    hold(holder, refuse) {
      const own = holders.get(holder) ?? { bytes: 0, unfinished: new Set() };
      holders.set(holder, own);
      let held = 0;
      let released = false;
      const count = (bytes: number) => {
        held += bytes;
        own.bytes += bytes;
        all.bytes += bytes;
      };
      const body: Body = {
        grow(bytes) {
          if (released) return;
          count(bytes);
          refuseAbove(own, limit / 4);
          refuseAbove(all, limit);
        },
        finish() {
          own.unfinished.delete(body);
          all.unfinished.delete(body);
        },
        release() {
          if (released) return;
          released = true;
          body.finish();
          count(-held);
          if (own.bytes === 0 && own.unfinished.size === 0) holders.delete(holder);
        },
        refuse() {
          body.release();
          refuse();
        },
      };
      own.unfinished.add(body);
      all.unfinished.add(body);
      return body;
    },
  };
}

function refuseAbove(holding: Holding, limit: number): void {
  for (const oldest of holding.unfinished) {
    if (holding.bytes <= limit) return;
    oldest.refuse();
  }
}
