/** Reads what many keys name in one call. @returns looks up what one of them names */
export type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<(key: Key) => Value | undefined>;

export interface GatherLimits {
  /** Calls under way at once: with fewer, one that is slow would hold up everybody. */
  readonly atOnce: number;
  /** Keys in one call. */
  readonly most: number;
}

const usual: GatherLimits = { atOnce: 2, most: 100 };

/**
 * Reads one at a time for its callers, and many at a time for the store: what is asked for while calls are under way
 * goes together in the next one. Each answer is read after it was asked for, so nothing is older than it would be.
 */
export function gatherReads<Key, Value>(
  readMany: ReadMany<Key, Value>,
  { atOnce, most }: GatherLimits = usual,
): (key: Key) => Promise<Value | undefined> {
  interface Waiting {
    readonly key: Key;
    readonly resolve: (value: Value | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let underWay = 0;
  let isDue = false;

  /** After this turn of the event loop: the requests that came in with it are gathered too. */
  function beginSoon(): void {
    if (isDue || waiting.length === 0 || underWay >= atOnce) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      void begin();
    });
  }

  async function begin(): Promise<void> {
    const together = waiting.slice(0, most);
    waiting = waiting.slice(most);
    underWay += 1;
    try {
      const lookUp = await readMany(together.map(({ key }) => key));
      for (const { key, resolve } of together) resolve(lookUp(key));
    } catch (error) {
      for (const { reject } of together) reject(error);
    } finally {
      underWay -= 1;
      beginSoon();
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      beginSoon();
    });
}
