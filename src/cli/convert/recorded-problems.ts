import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createProblems, type InputProblem, type Problems } from '#src/migration/convert/reading/problems.js';
import { createTextWriter, type TextWriter } from '#src/migration/convert/text-writer.js';
import { StartError } from '#src/platform/start-error.js';

/** Problems of which a file has every one. Only its owner may read the file. */
interface RecordedProblems extends Problems {
  /** Gives the file its name. It has one JSON object per line. */
  keep(): void;
  /** Removes what was not kept. */
  close(): void;
}

/** @throws StartError from `add` and `keep` if the file cannot be written */
export function recordProblems(path: string): RecordedProblems {
  const problems = createProblems();
  const unfinished = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`);
  let writer: TextWriter | undefined;
  const orFail = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw new StartError(`${path} cannot be written: ${error instanceof Error ? error.message : error}`);
    }
  };
  const open = () => orFail(() => createTextWriter(unfinished));
  return {
    ...problems,
    add(problem) {
      problems.add(problem);
      writer ??= open();
      writer.write(`${JSON.stringify(problemAsJson(problem))}\n`);
    },
    keep() {
      const made = writer ?? open();
      orFail(() => {
        made.finish();
        renameSync(unfinished, path);
      });
    },
    close() {
      writer?.abandon();
      rmSync(unfinished, { force: true });
    },
  };
}

/** A problem as the command writes it for programs. What pages say of it is left out. */
export function problemAsJson(problem: InputProblem): object {
  const { file, line, severity, message } = problem;
  const who = problem.severity === 'error' ? problem.who : undefined;
  return { file, line, severity, message, ...(who !== undefined && { who }) };
}
