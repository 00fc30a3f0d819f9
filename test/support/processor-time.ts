/** Processor time of all threads of this process, in milliseconds. Other processes on the same cores do not count. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A shorter measurement would mostly measure the garbage collector. */
const enoughMs = 8;
const rounds = 5;

/**
 * The factor by which the processor time of some work grows for an input of four times the size. It is about 4 if the
 * time grows with the size, and about 16 if it grows with its square.
 * @param size the size of the smaller input
 */
export function growthByFour(size: number, work: (size: number) => void): number {
  let times = 1;
  const measure = (size: number): number => {
    const before = processorTime();
    for (let n = 0; n < times; n++) work(size);
    return processorTime() - before;
  };
  while (measure(size) < enoughMs) times *= 2;
  // Takes the minimum of several runs, because other work of the process only adds time.
  const least = (size: number) => Math.min(...Array.from({ length: rounds }, () => measure(size)));
  return least(4 * size) / least(size);
}
