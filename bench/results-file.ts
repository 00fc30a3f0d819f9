import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { repository } from '../dev/repository.js';
import { type Cost, withGrowth } from './growth.js';
import { commitOf, emptyResults, type Row, type Run, runsOf, today, withRows } from './report.js';

/** What a run is, before it measures. */
export interface NewRun {
  /** The file with the results. */
  readonly file: string;
  /** What is measured, as {@link measuredCommit} has it. */
  readonly commit: string;
  readonly command: string;
  readonly engine: string;
  readonly remark: string;
  readonly notes: readonly string[];
  /** Begins a new table in place of the rows of another commit. */
  readonly isNew: boolean;
  /** Goes on with the run of the same command that broke off. */
  readonly isResumed: boolean;
}

/** The results of a run, which are written when an area ends. */
export interface Results {
  /** The areas of the run that broke off. */
  readonly measured: ReadonlySet<string>;
  add(
    area: string,
    measured: { rows: readonly Row[]; costs: readonly Cost[]; minutes: number },
  ): Promise<void>;
}

/** @throws Error if the results have rows of another commit, or if no run of the command is there to go on with */
export async function openResults(run: NewRun): Promise<Results> {
  const { file, commit, command, isNew, isResumed } = run;
  const text = await readFile(file, 'utf8');
  const other = commitOf(text);
  if (other !== commit && !isNew)
    throw new Error(
      `The results are of ${other ?? 'no commit'}, and this is ${commit}: --new begins a new table`,
    );
  let results = isNew ? emptyResults(run) : text;
  const runs = runsOf(results);
  const found = runs.findLast((one) => one.command === command);
  if (isResumed && found === undefined) throw new Error(`The results have no run of ${command}`);
  let current: Run = (isResumed ? found : undefined) ?? {
    ...{ number: String(1 + Math.max(0, ...runs.map(({ number }) => Number(number)))), command },
    ...{ areas: [], ended: '', minutes: 0, engine: run.engine, remark: run.remark },
  };
  return {
    measured: new Set(current.areas),
    async add(area, { rows, costs, minutes }) {
      const areas = [...current.areas, area];
      current = { ...current, areas, ended: today(), minutes: current.minutes + minutes };
      results = withGrowth(withRows(results, rows, current), costs);
      await writeFile(file, results);
    },
  };
}

/** Documents and other results do not change what is measured, so a commit of results begins no new table. */
const measuredFiles = ['.', ':!*.md', ':!bench/model/costs.json'];

/** The last commit that changed more than documents and results. @throws Error if the checkout has changes that no commit has */
export function measuredCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', [...args, '--', ...measuredFiles], { cwd: repository, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no');
  if (changed !== '') throw new Error(`Commit these changes first, or measure with --quick:\n${changed}`);
  return git('log', '-1', '--format=%h', '--abbrev=8');
}
