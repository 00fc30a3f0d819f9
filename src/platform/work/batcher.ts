/**
 * Reads the values of many keys by one call.
 * @returns a function that looks up one of the keys
 */
type ReadMany<Key, Value> = (keys: readonly Key[]) => Promise<(key: Key) => Value | undefined>;

/**
 * Writes many items by one call.
 * @returns a function that tells the outcome of each item, and throws for a failed one
 */
type WriteMany<Item, Outcome> = (items: readonly Item[]) => Promise<(item: Item, index: number) => Outcome>;

interface BatchLimits {
  /** Concurrent calls. With fewer, one slow call would delay everyone. */
  readonly atOnce: number;
  /** The most keys in one call. */
  readonly most: number;
}

const usual: BatchLimits = { atOnce: 2, most: 100 };

/**
 * A function that callers use for single keys, and that reads many keys at a time from the store. Keys that
 * are requested while calls are running go together in the next call. Every value is read after it was
 * requested, so gathering makes no value older.
 */
export function batchReads<Key, Value>(
  readMany: ReadMany<Key, Value>,
  limits = usual,
): (key: Key) => Promise<Value | undefined> {
  return openLane(readMany, limits);
}

/**
 * Like {@link batchReads}, for writes with an outcome each. Items of one call have no order.
 * @param laneOf items of different lanes never go together and never wait for each other. The limits are those of one
 * lane
 */
export function batchWrites<Item, Outcome>(
  writeMany: WriteMany<Item, Outcome>,
  limits = usual,
  laneOf: (item: Item) => string = () => '',
): (item: Item) => Promise<Outcome> {
  const lanes = new Map<string, Lane<Item, Outcome>>();
  return (item) => {
    const name = laneOf(item);
    let lane = lanes.get(name);
    if (lane === undefined) {
      lane = openLane(writeMany, limits, () => lanes.delete(name));
      lanes.set(name, lane);
    }
    return lane(item);
  };
}

type Lane<Ask, Answer> = (ask: Ask) => Promise<Answer>;

/** @param onIdle called when nothing waits and no call is running */
function openLane<Ask, Answer>(
  askMany: (asks: readonly Ask[]) => Promise<(ask: Ask, index: number) => Answer>,
  { atOnce, most }: BatchLimits,
  onIdle: () => void = () => undefined,
): Lane<Ask, Answer> {
  interface Waiting {
    readonly ask: Ask;
    readonly resolve: (answer: Answer) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let underWay = 0;
  let isDue = false;

  /** After this turn of the event loop, so that all requests of this turn are gathered. */
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
      if (underWay === 0 && waiting.length === 0) onIdle();
      beginSoon();
    }
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject });
      beginSoon();
    });
}
