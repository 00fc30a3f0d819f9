import type { SlicedWork } from './loop-scheduler.js';

/** So many items are sorted or merged before a look at the time. */
const atOnce = 250;

/**
 * Sorts many items in slices of the event loop. Few are sorted at once. The order is stable.
 * @returns a new list
 */
export async function sortPaced<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  pace: Pick<SlicedWork, 'isDue' | 'turn'>,
): Promise<T[]> {
  if (items.length <= 2 * atOnce) return [...items].sort(compare);
  await pace.turn();
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    runs.push(items.slice(from, from + atOnce).sort(compare));
    if (pace.isDue()) await pace.turn();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let run = 0; run < runs.length; run += 2)
      merged.push(await merge(runs[run] ?? [], runs[run + 1] ?? [], { compare, pace }));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  one: readonly T[],
  other: readonly T[],
  { compare, pace }: { compare: (a: T, b: T) => number; pace: Pick<SlicedWork, 'isDue' | 'turn'> },
): Promise<T[]> {
  const merged: T[] = [];
  let at = 0;
  for (const item of one) {
    for (let next = other[at]; next !== undefined && compare(next, item) < 0; next = other[at]) {
      merged.push(next);
      at++;
      if (merged.length % atOnce === 0 && pace.isDue()) await pace.turn();
    }
    merged.push(item);
    if (merged.length % atOnce === 0 && pace.isDue()) await pace.turn();
  }
  return merged.concat(other.slice(at));
}
