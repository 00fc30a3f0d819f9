type Cell = string | number;

/** Returns the rows below a head, in columns. Text is aligned left, numbers are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const all: (readonly Cell[])[] = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => String(row[column] ?? '').length)));
  const isNumber = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly Cell[]) => {
    const cells = row.map((cell, column) => {
      const text = String(cell);
      const width = widths[column] ?? 0;
      return isNumber[column] ? text.padStart(width) : text.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  };
  return all.map(line).join('\n');
}
