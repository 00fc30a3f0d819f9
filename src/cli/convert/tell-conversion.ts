import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import type { Explained } from '#src/migration/convert/explain.js';
import type { InputProblem, Problems } from '#src/migration/convert/problems.js';
import type { Output } from '../terminal/output.js';

/** The most problems of each severity that are printed. */
const mostShown = 20;

type Severity = InputProblem['severity'];

/** Whether there are more problems than are printed. */
export function isCrowded(problems: Pick<Problems, 'count'>): boolean {
  return problems.count('error') > mostShown || problems.count('note') > mostShown;
}

/**
 * Prints the first problems, what reached nothing, and then the totals, on standard error.
 * @param files `problemsPath` has every problem
 */
export function tellConversion(
  report: ConversionReport,
  { path, problemsPath }: { path: string; problemsPath?: string },
  output: Output,
): void {
  const { users, withPassword, groups, memberships, problems, losses = [], explained, written } = report;
  const shown = firstOf(problems);
  const lines = shown.map(({ file, line, severity, message }) => `${file}:${line}: ${severity}: ${message}`);
  const unlisted = (['error', 'note'] as const)
    .map((severity) => [problems.count(severity) - countOf(shown, severity), severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} more ${severity}${count === 1 ? '' : 's'}`);
  if (unlisted.length > 0) lines.push(`... and ${unlisted.join(' and ')}`);
  if (problemsPath !== undefined) lines.push(`All of them: ${problemsPath}`);
  for (const { path, records, file, line } of losses) {
    lines.push(`left out: ${path} of ${records} records, first at ${file}:${line}`);
  }
  const ofGroups = groups > 0 ? `; ${groups} groups, ${memberships} memberships` : '';
  lines.push(
    written
      ? `${path}: ${users} users, ${withPassword} with a password, ${users - withPassword} without${ofGroups}`
      : `${path} was not written`,
    `${problems.count('error')} errors, ${problems.count('note')} notes`,
  );
  output.note(lines.join('\n'));
  output.result({
    written,
    ...(written && { output: path }),
    users,
    withPassword,
    groups,
    memberships,
    errors: problems.count('error'),
    notes: problems.count('note'),
    problems: shown,
    ...(problemsPath !== undefined && { problemsFile: problemsPath }),
    leftOut: losses,
    ...(explained !== undefined && { explained }),
  });
}

/** Prints records before and after the conversion, on standard error. */
export function tellExplained(explained: readonly Explained[], output: Output): void {
  const text = (value: unknown) => JSON.stringify(value, undefined, 2);
  for (const { file, line, before, after } of explained) {
    output.note(`${file}:${line} before:\n${text(before)}\nafter:\n${text(after)}`);
  }
}

/** Returns the first problems of each severity, by their places. */
function firstOf(problems: Problems): InputProblem[] {
  const left: Record<Severity, number> = { error: mostShown, note: mostShown };
  return problems.list().filter(({ severity }) => left[severity]-- > 0);
}

function countOf(shown: readonly InputProblem[], severity: Severity): number {
  return shown.filter((one) => one.severity === severity).length;
}
