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

/** The output of one file, from that of a process that ran several. */
export interface FileOutput {
  readonly file: string;
  /** Its lines, as the file would print them in a process of its own. */
  readonly output: string;
  readonly passed: number;
  readonly failed: number;
  /** Undefined if the process ended before the file did. */
  readonly ended?: { readonly ok: boolean; readonly seconds: number };
}

/** Divides the output of a process that ran several files. A file that did not begin has no lines. */
export function readFiles(output: string, files: readonly string[]): FileOutput[] {
  const lines = output.split('\n');
  const begins = new Map(files.map((file) => [file, lines.indexOf(`# Subtest: ${file}`)]));
  return files.map((file) => {
    const begin = begins.get(file) ?? -1;
    if (begin < 0) return { file, output: '', passed: 0, failed: 0 };
    const pattern = /^(not ok|ok) \d+ - (\S+)(?: # time=([\d.]+)(ms|s)?)?/;
    const length = lines.slice(begin).findIndex((line) => pattern.exec(line)?.[2] === file);
    const own = lines.slice(begin + 1, length < 0 ? undefined : begin + length);
    const shown = own.map((line) => line.replace(/^ {4}/, '')).join('\n');
    const part = { file, output: shown, ...countAssertions(own) };
    if (length < 0) return part;
    const [, verdict, , time = '0', unit] = pattern.exec(lines[begin + length] ?? '') ?? [];
    const seconds = Number(time) / (unit === 'ms' ? 1000 : 1);
    return { ...part, ended: { ok: verdict === 'ok', seconds } };
  });
}

/** Counts the assertions in lines that tap did not sum up. The line of a test that has assertions of its own has its time. */
function countAssertions(lines: readonly string[]): { passed: number; failed: number } {
  const verdicts = lines.flatMap((line) => {
    const [, verdict, rest = ''] = /^ *(ok|not ok) \d+(.*)$/.exec(line) ?? [];
    return verdict === undefined || / # (time=|SKIP|TODO)/.test(rest) ? [] : [verdict];
  });
  const passed = verdicts.filter((verdict) => verdict === 'ok').length;
  return { passed, failed: verdicts.length - passed };
}
