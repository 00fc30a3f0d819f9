/** Milliseconds that all threads of this process have computed. Other processes that keep the cores busy add nothing. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Shorter measurements would be those of the collector of garbage. */
const enoughMs = 8;
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
  while (measure(size) < enoughMs) times *= 2;
  // The least of several: what else the process does only adds.
  const least = (size: number) => Math.min(...Array.from({ length: rounds }, () => measure(size)));
  return least(4 * size) / least(size);
}
