import { type KnownProblem, textOfProblem } from './conversion-problems.js';

interface LineOfFile {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

interface ToldProblem extends LineOfFile {
  /** Never contains a hash or a password. */
  readonly message: string;
}

/** The line is converted, but something is left out. */
interface ConversionNote extends ToldProblem {
  readonly severity: 'note';
}

/** The line cannot be converted. */
export interface RefusedRecord extends ToldProblem {
  readonly severity: 'error';
  /** What a page says, in the language of the person. */
  readonly known: KnownProblem;
  /** The person or the group by its names (`whoIn`), or the path of a group. Absent if the record has none. */
  readonly who?: string;
}

/** A problem in an input, for the person who converts it. */
export type InputProblem = ConversionNote | RefusedRecord;

/** The problems of the inputs. Only a limited number of each severity is held. */
export interface Problems {
  add(problem: InputProblem): void;
  /** The number of problems, including those that are not held. */
  count(severity: InputProblem['severity']): number;
  /** The held problems, by file and line. */
  list(): InputProblem[];
  /** The errors of {@link list}. */
  refused(): RefusedRecord[];
}

/** Longest name of a person or a group in a problem, in characters. */
const longestWho = 200;

/** The error of a record. @param about `who`: its person or group. `list`: the list that has it, if the file has several */
export function refusal(
  { file, line }: LineOfFile,
  known: KnownProblem,
  { who = '', list }: { readonly who?: string | undefined; readonly list?: string } = {},
): RefusedRecord {
  const text = textOfProblem(known);
  const message = list === undefined ? text : `${list}: ${text}`;
  return {
    severity: 'error',
    file,
    line,
    message,
    known,
    ...(who !== '' && { who: who.slice(0, longestWho) }),
  };
}

/** The error of a group. @param path the name by which its file knows it */
export function refusedGroup(place: LineOfFile, path: string, known: KnownProblem): RefusedRecord {
  return refusal(place, known, { who: path, list: `the group ${JSON.stringify(path.slice(0, longestWho))}` });
}

/** @param limit the most problems of each severity that are held */
export function createProblems(limit = 1_000): Problems {
  const counts = { error: 0, note: 0 };
  const held: InputProblem[] = [];
  const list = () => [...held].sort(byPlace);
  return {
    add(problem) {
      if (counts[problem.severity]++ < limit) held.push(problem);
    },
    count: (severity) => counts[severity],
    list,
    refused: () => list().filter((problem) => problem.severity === 'error'),
  };
}

/** Adds to the text of an error what was refused, so that nobody looks for it in the wrong place. */
export function withRefused(text: string, problems: Problems): string {
  const [first] = problems.refused();
  if (first === undefined) return text;
  const { file, line, message } = first;
  return `${text}. ${problems.count('error')} records were refused, the first at ${file}:${line}: ${message}`;
}

function byPlace(a: InputProblem, b: InputProblem): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
