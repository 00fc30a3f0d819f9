/**
 * Bounds the calls of a function that wait at the same time, for each key.
 * @param limits `refuse` makes the error of a call above the bound
 */
export function limitWaiting<Item, Outcome>(
  run: (item: Item) => Promise<Outcome>,
  { most, keyOf, refuse }: { most: number; keyOf: (item: Item) => string; refuse: () => Error },
): (item: Item) => Promise<Outcome> {
  const waiting = new Map<string, number>();
  return async (item) => {
    const key = keyOf(item);
    const count = waiting.get(key) ?? 0;
    if (count >= most) throw refuse();
    waiting.set(key, count + 1);
    try {
      return await run(item);
    } finally {
      const left = (waiting.get(key) ?? 1) - 1;
      if (left === 0) waiting.delete(key);
      else waiting.set(key, left);
    }
  };
}
