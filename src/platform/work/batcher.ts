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

export const usualBatches: BatchLimits = { atOnce: 2, most: 100 };

/** The longest time that a request waits for others to join it while fewer calls run than are allowed. */
const longestGatheringMs = 20;

/**
 * A function that callers use for single keys, and that reads many keys at a time from the store. Keys that
 * are requested while calls are running go together in the next call. A call beside a running one begins when it
 * is as large as the one that began last, or after {@link longestGatheringMs}. Otherwise most calls would be for a
 * single key. Every value is read after it was requested, so gathering makes no value older.
 */
export function batchReads<Key, Value>(
  readMany: ReadMany<Key, Value>,
  limits = usualBatches,
  laneOf?: LaneOf<Key>,
): (key: Key) => Promise<Value | undefined> {
  return laneOf === undefined ? openLane(readMany, limits) : openLanes(readMany, limits, laneOf);
}

/** Like {@link batchReads}, for writes with an outcome each. Items of one call have no order. */
export function batchWrites<Item, Outcome>(
  writeMany: WriteMany<Item, Outcome>,
  limits = usualBatches,
  laneOf: LaneOf<Item> = () => '',
): (item: Item) => Promise<Outcome> {
  return openLanes(writeMany, limits, laneOf);
}

/** Names the lane of an item. Items of different lanes never go together and never wait for each other. The limits are those of one lane. */
type LaneOf<Item> = (item: Item) => string;

type Lane<Ask, Answer> = (ask: Ask) => Promise<Answer>;

/** A lane exists while something waits in it. */
function openLanes<Ask, Answer>(
  askMany: (asks: readonly Ask[]) => Promise<(ask: Ask, index: number) => Answer>,
  limits: BatchLimits,
  laneOf: LaneOf<Ask>,
): Lane<Ask, Answer> {
  const lanes = new Map<string, Lane<Ask, Answer>>();
  return (ask) => {
    const name = laneOf(ask);
    let lane = lanes.get(name);
    if (lane === undefined) {
      lane = openLane(askMany, limits, () => lanes.delete(name));
      lanes.set(name, lane);
    }
    return lane(ask);
  };
}

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
  /** A call with fewer does not begin beside a running one. */
  let enough = 1;
  let gathering: NodeJS.Timeout | undefined;

  /** After this turn of the event loop, so that all requests of this turn are gathered. */
  function beginSoon(): void {
    if (isDue || waiting.length === 0 || underWay >= atOnce) return;
    if (underWay > 0 && waiting.length < enough) {
      gathering ??= setTimeout(endGathering, longestGatheringMs);
      return;
    }
    isDue = true;
    setImmediate(() => {
      isDue = false;
      void begin();
    });
  }

  function endGathering(): void {
    gathering = undefined;
    enough = 1;
    beginSoon();
  }

  async function begin(): Promise<void> {
    const together = waiting.slice(0, most);
    waiting = waiting.slice(most);
    clearTimeout(gathering);
    gathering = undefined;
    enough = together.length;
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
