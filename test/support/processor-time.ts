/** Milliseconds that all threads of this process have computed. Other processes that keep the cores busy add nothing. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** So much work is done before any is measured, for the compiler. */
const warmUpMs = 50;
/** A shorter measurement would show what the garbage collector does. */
const enoughMs = 10;
const rounds = 5;

/**
 * How much more processor time some work takes for an input of four times the size: about 4 if the time grows with the
 * size, about 16 if it grows with its square.
 * @param size of the smaller input
 */
export function growthByFour(size: number, work: (size: number) => void): number {
  let times = 1;
  const measure = (size: number): number => {
    const before = processorTime();
    for (let n = 0; n < times; n++) work(size);
    return processorTime() - before;
  };
  for (let spent = 0; spent < warmUpMs; ) spent += measure(size) + measure(4 * size);
  while (measure(size) < enoughMs) times *= 2;
  // The least of several: what else the process does only adds.
  const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round++) {
    least.small = Math.min(least.small, measure(size));
    least.large = Math.min(least.large, measure(4 * size));
  }
  return least.large / least.small;
}
