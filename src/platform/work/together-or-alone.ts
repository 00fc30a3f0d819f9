import { exceededTime, isStoreUnavailable, TransactionsInConflict } from '#src/platform/unavailable.js';

type Outcomes<Item, Outcome> = (item: Item) => Promise<Outcome>;

/**
 * Writes several items in one transaction. If that fails, because of one of them, of conflicts or of the time that it takes,
 * nothing was written, and each item is written alone, so that only the one at fault fails. A single item is written alone at once. Each outcome comes by itself, so that none waits for
 * another.
 * @param write `together` returns the outcome of each item
 * @throws an error that says that a store is away
 */
export async function togetherOrAlone<Item, Outcome>(
  items: readonly Item[],
  write: {
    readonly together: (items: readonly Item[]) => Promise<Outcomes<Item, Outcome>>;
    readonly alone: Outcomes<Item, Outcome>;
  },
): Promise<Outcomes<Item, Outcome>> {
  if (items.length === 1) return write.alone;
  try {
    return await write.together(items);
  } catch (error) {
    if (error instanceof TransactionsInConflict || exceededTime(error)) return write.alone;
    if (isStoreUnavailable(error)) throw error;
    return write.alone;
  }
}
