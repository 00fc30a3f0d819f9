import type { KnownProblem } from './conversion-problems.js';

/** A problem in an input, for the person who converts it. Its message never contains a hash or a password. */
export interface InputProblem {
  /** `error`: the line cannot be converted. `note`: the line is converted, but something is left out. */
  readonly severity: 'error' | 'note';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
  /** What a page says of an error, in the language of the person. */
  readonly known?: KnownProblem;
}

/** The problems of the inputs. Only a limited number of each severity is held. */
export interface Problems {
  add(problem: InputProblem): void;
  /** The number of problems, including those that are not held. */
  count(severity: InputProblem['severity']): number;
  /** The held problems, by file and line. */
  list(): InputProblem[];
}

/** @param limit the most problems of each severity that are held */
export function createProblems(limit = 1_000): Problems {
  const counts = { error: 0, note: 0 };
  const held: InputProblem[] = [];
  return {
    add(problem) {
      if (counts[problem.severity]++ < limit) held.push(problem);
    },
    count: (severity) => counts[severity],
    list: () => [...held].sort(byPlace),
  };
}

/** Adds to the text of an error what was refused, so that nobody looks for it in the wrong place. */
export function withRefused(text: string, problems: Problems): string {
  const [first] = problems.list().filter(({ severity }) => severity === 'error');
  if (first === undefined) return text;
  const { file, line, message } = first;
  return `${text}. ${problems.count('error')} records were refused, the first at ${file}:${line}: ${message}`;
}

function byPlace(a: InputProblem, b: InputProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
