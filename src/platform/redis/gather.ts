/** Reads what many keys name in one call. @returns looks up what one of them names */
export type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<(key: Key) => Value | undefined>;

/** Writes many items in one call. @returns what became of each; it throws for one that failed */
export type WriteMany<Item, Outcome> = (
  items: readonly Item[],
) => Promise<(item: Item, index: number) => Outcome>;

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
  limits = usual,
): (key: Key) => Promise<Value | undefined> {
  return gather(readMany, limits);
}

/** The same for writes, each of which has an outcome of its own. Those that go together are in no order. */
export function gatherWrites<Item, Outcome>(
  writeMany: WriteMany<Item, Outcome>,
  limits = usual,
): (item: Item) => Promise<Outcome> {
  return gather(writeMany, limits);
}

function gather<Ask, Answer>(
  askMany: (asks: readonly Ask[]) => Promise<(ask: Ask, index: number) => Answer>,
  { atOnce, most }: GatherLimits,
): (ask: Ask) => Promise<Answer> {
  interface Waiting {
    readonly ask: Ask;
    readonly resolve: (answer: Answer) => void;
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
      const answerOf = await askMany(together.map(({ ask }) => ask));
      for (const [index, { ask, resolve, reject }] of together.entries()) {
        try {
          resolve(answerOf(ask, index));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of together) reject(error);
    } finally {
      underWay -= 1;
      beginSoon();
    }
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject });
      beginSoon();
    });
}
