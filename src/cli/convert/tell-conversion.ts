import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import { type ConversionLoss, furtherPaths, isBeside, refusedLosses } from '#src/migration/convert/losses.js';
import { isAcceptable } from '#src/migration/convert/mapping/accepted-losses.js';
import type { Explained } from '#src/migration/convert/reading/explain.js';
import type { InputProblem, Problems } from '#src/migration/convert/reading/problems.js';
import type { Output } from '../terminal/output.js';
import { problemAsJson } from './recorded-problems.js';
import { guessLines } from './tell-guess.js';

/** The most problems of each severity that are printed. */
const mostShown = 20;

type Severity = InputProblem['severity'];

/** Whether there are more problems than are printed. */
export function isCrowded(problems: Pick<Problems, 'count'>): boolean {
  return problems.count('error') > mostShown || problems.count('note') > mostShown;
}

/**
 * Prints the first problems, what reached nothing, and then the totals, on standard error.
 * @param about `problemsPath` has every problem. `isStrict`: a loss that the mapping does not accept prevents the output, so tell how to
 *   accept it
 */
export function tellConversion(
  report: ConversionReport,
  { path, problemsPath, isStrict }: { path: string; problemsPath?: string; isStrict: boolean },
  output: Output,
): void {
  const {
    users,
    withPassword,
    groups,
    memberships,
    identityLinks,
    webauthnCredentials,
    problems,
    losses = [],
    explained,
    guess,
    madeNames,
    written,
  } = report;
  const shown = firstOf(problems);
  const lines = guess === undefined ? [] : guessLines(guess);
  const ofProblems = shown.map(problemLine);
  const unlisted = (['error', 'note'] as const)
    .map((severity) => [problems.count(severity) - countOf(shown, severity), severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} more ${severity}${count === 1 ? '' : 's'}`);
  lines.push(...ofProblems);
  if (unlisted.length > 0) lines.push(`... and ${unlisted.join(' and ')}`);
  if (problemsPath !== undefined) lines.push(`All of them: ${problemsPath}`);
  lines.push(...lossLines(losses));
  if (madeNames !== undefined) {
    const { people, rule } = madeNames;
    const names = people === 1 ? '1 person has a name' : `${people} people have names`;
    lines.push(`${names} that the export does not have: made by the rule "names": "${rule}" of the mapping`);
  }
  if (isStrict || explained !== undefined) lines.push(...howToAccept(refusedLosses(losses)));
  const ofGroups = groups > 0 ? `; ${groups} groups, ${memberships} memberships` : '';
  const ofPeople =
    (identityLinks > 0 ? `; ${identityLinks} links to identity providers` : '') +
    (webauthnCredentials > 0 ? `; ${webauthnCredentials} passkeys` : '');
  lines.push(
    written
      ? `${path}: ${users} users, ${withPassword} with a password, ${users - withPassword} without${ofGroups}${ofPeople}`
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
    identityLinks,
    webauthnCredentials,
    errors: problems.count('error'),
    notes: problems.count('note'),
    problems: shown.map(problemAsJson),
    ...(problemsPath !== undefined && { problemsFile: problemsPath }),
    ...(madeNames && { madeNames }),
    leftOut: losses,
    ...(explained !== undefined && { explained }),
    ...(guess !== undefined && { guess: { columns: guess.columns, mapping: guess.mapping } }),
  });
}

/** So many values beside the people are told one by one. More of them are one line. */
const mostBeside = 5;

/** One line for each loss. The many settings of a realm are one line, so that nobody overlooks what people lose. */
function lossLines(losses: readonly ConversionLoss[]): string[] {
  const lines: string[] = [];
  for (const accepted of [false, true]) {
    const beside = losses.filter((loss) => loss.accepted === accepted && isBeside(loss.path));
    const isCounted = beside.length > mostBeside;
    const told = losses.filter((loss) => loss.accepted === accepted && !(isCounted && isBeside(loss.path)));
    const word = accepted ? 'left out (accepted)' : 'left out';
    lines.push(
      ...told.map(
        ({ path, records, file, line }) => `${word}: ${path} of ${records} records, first at ${file}:${line}`,
      ),
    );
    const names = beside.slice(0, mostBeside).map(({ path }) => path);
    if (isCounted)
      lines.push(
        `${word}: ${beside.length} values beside the people, such as ${names.join(', ')}; --json names all of them`,
      );
  }
  return lines;
}

/** Says what to add to the mapping, so that a strict conversion takes the losses. */
function howToAccept(refused: readonly ConversionLoss[]): string[] {
  if (refused.length === 0) return [];
  const paths = refused.map(({ path }) => path).filter((path) => path !== furtherPaths && isAcceptable(path));
  const others = refused.length - paths.length;
  return [
    `--strict writes nothing because of ${refused.length} losses. The mapping of --map can keep such values with "attributes".`,
    ...(paths.length > 0
      ? ['To accept that they are lost, add this to the mapping:', JSON.stringify({ acceptedLosses: paths })]
      : []),
    ...(others > 0 ? [`${others} of them can only be accepted together with others, by a path with *`] : []),
  ];
}

/** Prints records before and after the conversion, on standard error. */
export function tellExplained(explained: readonly Explained[], output: Output): void {
  const text = (value: unknown) => JSON.stringify(value, undefined, 2);
  for (const { file, line, before, after } of explained) {
    output.note(`${file}:${line} before:\n${text(before)}\nafter:\n${text(after)}`);
  }
}

/** A problem in one line. The name of a person or a group stands at its end, unless the message has it. */
function problemLine(problem: InputProblem): string {
  const { file, line, severity, message } = problem;
  const who = problem.severity === 'error' ? (problem.who ?? '') : '';
  const isNamed = who === '' || message.includes(who);
  return `${file}:${line}: ${severity}: ${message}${isNamed ? '' : ` (${who})`}`;
}

/** Returns the first problems of each severity, by their places. */
function firstOf(problems: Problems): InputProblem[] {
  const left: Record<Severity, number> = { error: mostShown, note: mostShown };
  return problems.list().filter(({ severity }) => left[severity]-- > 0);
}

function countOf(shown: readonly InputProblem[], severity: Severity): number {
  return shown.filter((one) => one.severity === severity).length;
}
