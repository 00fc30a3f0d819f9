/** Reads the output of a test file: TAP, as the library tap writes it. */

/** The assertions that passed and failed. tap closes with a line such as `# { total: 3, pass: 2, fail: 1 }`. */
export function readCounts(output: string): { passed: number; failed: number } {
  const summary = /^# \{ total: .*\}$/m.exec(output)?.[0] ?? '';
  const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  return { passed: number('pass'), failed: number('fail') };
}

/** The tests that did not run: name and reason. */
export function readSkipped(output: string): string[] {
  const skips = output.matchAll(/^ *ok \d+ - (.*?) # SKIP ?(.*?)(?: \{)?$/gm);
  return [...skips].map(([, name = '', reason = '']) => {
    const why = reason || 'no reason given';
    return name === 'not run here' ? why : `${name}: ${why}`;
  });
}

/** The lines around each failure, without the assertions that passed. If nothing failed, the last lines. */
export function readFailures(output: string): string {
  const lines = output.split('\n');
  const shown = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!/^\s*not ok /.test(line)) continue;
    for (let i = index; i < Math.min(index + 30, lines.length); i++) {
      shown.add(i);
      if (/^\s*\.\.\.$/.test(lines[i] as string)) break;
    }
  }
  return [...shown].map((index) => lines[index]).join('\n') || lines.slice(-60).join('\n');
}
