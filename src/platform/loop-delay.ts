import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How long work waits for the event loop of this process: its load, whatever it comes of. */
export interface LoopDelay {
  /** The mean of the last half second. */
  milliseconds(): number;
  close(): void;
}

const sampleMs = 500;
const resolutionMs = 10;

export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  let mean = 0;
  histogram.enable();
  const timer = setInterval(() => {
    // Without a sample the loop stood still for all the time; with one the timer's own interval is part of it.
    mean = histogram.count === 0 ? sampleMs : Math.max(0, histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  }, sampleMs);
  timer.unref();
  return {
    milliseconds: () => mean,
    close() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
