import { plainWord } from './plain-text.js';

type Cell = string | number;

/** Returns the rows below a head, in columns. Text is aligned left, numbers are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => plainWord(String(cell))));
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]) => {
    const cells = row.map((text, column) => {
      const width = widths[column] ?? 0;
      return isNumber[column] ? text.padStart(width) : text.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  };
  return all.map(line).join('\n');
}
