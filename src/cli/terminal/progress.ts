/** Shows progress on standard error: as a bar at a terminal, and elsewhere as a line at each tenth. */
export interface Progress {
  show(state: { done: number; total: number; unit?: string; note?: string }): void;
  /** Ends the line and leaves the last state on the screen. */
  end(): void;
}

const barLength = 30;
/** Without a terminal, one line for each tenth is enough. */
const linesPerWay = 10;

export function createProgress(label: string, out: NodeJS.WriteStream = process.stderr): Progress {
  let shown = '';
  let tenth = -1;
  return {
    show({ done, total, unit = '', note = '' }) {
      const share = total > 0 ? Math.min(1, done / total) : 0;
      const filled = Math.round(share * barLength);
      const numbers = [`${done} of ${total} ${unit}`.trim(), note].filter(Boolean).join(', ');
      if (out.isTTY) {
        const bar = `${'#'.repeat(filled)}${'.'.repeat(barLength - filled)}`;
        const line = `${label} [${bar}] ${numbers}`.slice(0, (out.columns || 80) - 1);
        // Spaces overwrite the rest of a longer line.
        out.write(`\r${line.padEnd(shown.length)}`);
        shown = line;
        return;
      }
      if (Math.floor(share * linesPerWay) === tenth) return;
      tenth = Math.floor(share * linesPerWay);
      out.write(`${label}: ${numbers}\n`);
    },
    end() {
      if (shown !== '') out.write('\n');
      shown = '';
    },
  };
}
