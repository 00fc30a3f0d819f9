import { batchReads, usualBatches } from './batcher.js';

/** Lists with more items together are not read for several callers at once. */
const mostTogether = 500;

/**
 * Returns a function that reads the list of a key. Simultaneous calls share one query, as long as their lists are short together. A list
 * that does not share is read by itself.
 * @param reads `readMany` gets keys that differ, and returns at most `limit` of their items. `readOne` returns the items of one key. For an
 * item and its key, `keyOf` and `nameOf` return the same text. `laneOf`: keys of different lanes never share a query
 */
export function batchLists<Key, Item>({
  readMany,
  readOne,
  keyOf,
  nameOf,
  laneOf,
}: {
  readonly readMany: (keys: readonly Key[], limit: number) => Promise<readonly Item[]>;
  readonly readOne: (key: Key) => Promise<Item[]>;
  readonly keyOf: (item: Item) => string;
  readonly nameOf: (key: Key) => string;
  readonly laneOf?: (key: Key) => string;
}): (key: Key) => Promise<Item[]> {
  const readTogether = batchReads(
    async (keys: readonly Key[]): Promise<(key: Key) => Item[] | undefined> => {
      const [first] = keys;
      if (first === undefined || keys.length === 1) return () => undefined;
      const different = new Map(keys.map((key) => [nameOf(key), key]));
      const found = await readMany([...different.values()], mostTogether + 1);
      if (found.length > mostTogether) return () => undefined;
      const lists = new Map([...different.keys()].map((name): [string, Item[]] => [name, []]));
      for (const item of found) lists.get(keyOf(item))?.push(item);
      return (key) => lists.get(nameOf(key)) ?? [];
    },
    usualBatches,
    laneOf,
  );
  return async (key) => (await readTogether(key)) ?? readOne(key);
}
