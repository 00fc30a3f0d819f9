/** Reads what tap's reporter `tap` printed for a run of files. */

/** It closes with `# { total: 3, pass: 2, fail: 1 }`. */
export function readCounts(output: string): { passed: number; failed: number } {
  const summary = output.slice(output.lastIndexOf('# { total:'));
  const number = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(summary)?.[1] ?? 0);
  return { passed: number('pass'), failed: number('fail') };
}

export function readFailedFiles(output: string): string[] {
  return [...output.matchAll(/^not ok \d+ - (test\/\S+\.ts)/gm)].map(([, file = '']) => file);
}

/** What did not run, by file, with its name and the reason. */
export function readSkipped(output: string): string[] {
  const skipped: string[] = [];
  let file = '';
  for (const line of output.split('\n')) {
    // A file is named before what it tells, whether it was printed as it came or at its end.
    file = /^(?:# Subtest: |(?:not )?ok \d+ - )(test\/\S+\.ts)/.exec(line)?.[1] ?? file;
    const [, name = '', reason = ''] = /^ *ok \d+ - (.*?) # SKIP ?(.*?)(?: \{)?$/.exec(line) ?? [];
    if (name === '') continue;
    const what = name === 'not run here' || name.startsWith(file) ? '' : `, ${name}`;
    skipped.push(`${file}${what}: ${reason || 'no reason given'}`);
  }
  return [...new Set(skipped)];
}

/** The files that took longest, so that somebody sees where the minutes go. */
export function slowestFiles(output: string): string[] {
  return [...output.matchAll(/^(?:not )?ok \d+ - (test\/\S+\.ts) # time=([\d.]+)ms/gm)]
    .map(([, file, ms]) => ({ file, seconds: Math.round(Number(ms) / 1000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 8)
    .map(({ file, seconds }) => `${file} ${seconds} s`);
}

/** The lines around each failure, without the assertions that passed. */
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
