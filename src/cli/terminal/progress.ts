import { plainWord } from './plain-text.js';

/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

interface ProgressState {
  readonly done: number;
  readonly total: number;
  readonly unit?: string;
  readonly note?: string;
}

/** Shows progress on standard error: as a bar at a terminal, and elsewhere as a line at each tenth. */
export interface Progress {
  show(state: ProgressState): void;
  /** Removes the bar, so that a line can be printed. The next state shows it again. */
  clear(): void;
  /** Ends the line and leaves the last state on the screen. */
  end(): void;
}

const longestBar = 30;
const shortestBar = 5;
/** Without a terminal, one line for each tenth is enough. */
const linesPerWay = 10;
const usualColumns = 80;
/** Erases the rest of the line that stood there (ECMA-48 section 8.3.41). */
const eraseRest = '\u001b[K';

export function createProgress(label: string, screen: Screen): Progress {
  let shown = '';
  let tenth = -1;
  const draw = (line: string) => {
    screen.write(`\r${line}${eraseRest}`);
    shown = line;
  };
  return {
    show(state) {
      if (screen.isTTY) {
        draw(progressLine(label, state, widthOf(screen)));
        return;
      }
      const reached = Math.floor(shareOf(state) * linesPerWay);
      if (reached === tenth) return;
      tenth = reached;
      screen.write(`${label}: ${wordsOf(state).join(', ')}\n`);
    },
    clear() {
      if (shown === '') return;
      draw('');
    },
    end() {
      if (shown !== '') screen.write('\n');
      shown = '';
    },
  };
}

/** Returns the line of a state that fits the width: first the bar becomes shorter, then it is left out, then the note. */
export function progressLine(label: string, state: ProgressState, width: number): string {
  const words = wordsOf(state);
  const text = words.join(', ');
  const bar = Math.min(longestBar, width - `${label} [] ${text}`.length);
  if (bar >= shortestBar) {
    const filled = Math.round(shareOf(state) * bar);
    return `${label} [${'#'.repeat(filled)}${'.'.repeat(bar - filled)}] ${text}`;
  }
  const [numbers = ''] = words;
  const shorter = [`${label} ${text}`, `${label} ${numbers}`, numbers];
  return shorter.find(({ length }) => length <= width) ?? numbers.slice(0, width);
}

/** A line that filled the last column would wrap. */
function widthOf({ columns }: Screen): number {
  return Math.max(1, (columns || usualColumns) - 1);
}

function shareOf({ done, total }: ProgressState): number {
  return total > 0 ? Math.min(1, done / total) : 0;
}

function wordsOf({ done, total, unit = '', note = '' }: ProgressState): string[] {
  const numbers = `${done} of ${total} ${unit}`.trim();
  return [numbers, note].filter((word) => word !== '').map(plainWord);
}
