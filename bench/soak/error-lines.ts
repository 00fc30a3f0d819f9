import type { Running } from '../../dev/stage/stage.js';

/** Error lines in the logs of all processes that ran. */
export interface ErrorLines {
  watch(running: Running): void;
  /** Reads the lines since the last call, and records them as the effect of a fault or as unexplained. */
  read(as: 'of a fault' | 'unexplained'): void;
  readonly ofFaults: readonly string[];
  readonly unexplained: readonly string[];
}

/** Lines are sorted by the time of reading, because a process with a fake clock writes other times. */
export function createErrorLines(): ErrorLines {
  const positions = new Map<Running, number>();
  const ofFaults: string[] = [];
  const unexplained: string[] = [];
  return {
    watch(running) {
      positions.set(running, 0);
    },
    read(as) {
      for (const [running, from] of positions) {
        const log = running.log();
        // The process may be in the middle of writing the last line.
        const end = log.lastIndexOf('\n') + 1;
        const lines = log.slice(from, end).split('\n');
        positions.set(running, end);
        const kept = as === 'unexplained' ? unexplained : ofFaults;
        kept.push(...lines.filter((line) => /"level":[56]0/.test(line) || /^\w*(Error|FATAL)\b/.test(line)));
      }
    },
    ofFaults,
    unexplained,
  };
}
