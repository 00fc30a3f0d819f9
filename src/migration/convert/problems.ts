/** Something in an input that the person who converts has to know. Its message never holds a hash or a password. */
export interface InputProblem {
  /** `error`: the line cannot be converted. `note`: it is, with something left behind. */
  readonly severity: 'error' | 'note';
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

/** What was found in the inputs. Only so many of each severity are held, however long the inputs are. */
export interface Problems {
  add(problem: InputProblem): void;
  /** How many there were, held or not. */
  count(severity: InputProblem['severity']): number;
  /** Those held, by file and line. */
  list(): InputProblem[];
}

/** @param limit how many of each severity are held */
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

function byPlace(a: InputProblem, b: InputProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
