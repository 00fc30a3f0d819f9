import type { Running } from '../../dev/stage/stage.js';

/** Lines of level error in the logs of all processes that ran. */
export interface ErrorLines {
  watch(running: Running): void;
  /** Reads what was logged since the last time, and keeps it as the effect of a fault or of none. */
  read(as: 'of a fault' | 'unexplained'): void;
  readonly ofFaults: readonly string[];
  readonly unexplained: readonly string[];
}

/** Lines are told apart by when they are read, since a process by another clock writes another time. */
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
        // The last line may be in the middle of its writing.
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
