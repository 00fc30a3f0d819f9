import { cpus, totalmem } from 'node:os';
import type { Comparison } from './compare.js';
import { markdownTable } from './markdown.js';

/** One row of the table. */
export interface Row {
  readonly measure: string;
  readonly ours: string;
  readonly peer: string;
  readonly ratio: string;
  /** The required figure. Empty if none is required. */
  readonly asked: string;
  readonly met: string;
  /** The number of its run in {@link runsTitle}. Absent while the run goes on. */
  readonly run?: string;
}

/** A run of the bench. */
export interface Run {
  readonly number: string;
  readonly command: string;
  /** What it has measured so far. */
  readonly areas: readonly string[];
  /** When its last area ended, in UTC. */
  readonly ended: string;
  /** How long its areas took together, in minutes. */
  readonly minutes: number;
  /** What served MongoDB. */
  readonly engine: string;
  /** What the reader must know to judge its rows. */
  readonly remark: string;
}

const columns = ['measure', 'ours', 'peer', 'ratio', 'asked', 'met', 'run'] as const;
const heads = ['measure', 'this project', 'peer or ceiling', 'ratio', 'figure asked', 'met?', 'run'];

const runsTitle = '## Runs';
const runHeads = ['run', 'command', 'areas', 'ended (UTC)', 'minutes', 'MongoDB served by', 'remark'];
const commitLine = /^- Commit: `(\w+)`/m;

/** A row that is judged by its ratio. */
export function judged(
  row: Pick<Row, 'measure' | 'ours' | 'peer'>,
  ratio: number,
  asked: { atLeast: number } | { atMost: number },
): Row {
  const [met, text] =
    'atLeast' in asked
      ? [ratio >= asked.atLeast, `>= ${asked.atLeast}`]
      : [ratio <= asked.atMost, `<= ${asked.atMost}`];
  return { ...row, ratio: ratio.toFixed(2), asked: text, met: met ? 'yes' : 'NO' };
}

/** A row for information only, without a required figure. */
export function compared(row: Pick<Row, 'measure' | 'ours' | 'peer'>, ratio: number): Row {
  return { ...row, ratio: ratio.toFixed(2), asked: '', met: '' };
}

/** A row that is judged by its own time, in milliseconds. */
export function judgedTime(row: Pick<Row, 'measure' | 'peer'>, times: Comparison, atMost: number): Row {
  const { ours, ratio } = times;
  return {
    ...compared({ ...row, ours: milliseconds(ours) }, ratio),
    ...{ asked: `<= ${atMost} ms`, met: ours <= atMost ? 'yes' : 'NO' },
  };
}

export function rate(value: number, unit = 'requests/s'): string {
  return `${value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ${unit}`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** Whether a row has a place in the results: it is compared with a peer, a ceiling, an earlier version or a smaller size. */
const isCompared = ({ ratio }: Row) => ratio !== '';

/** The table in Markdown, with aligned columns. */
export function table(rows: readonly Row[]): string {
  return markdownTable([heads, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]);
}

/** The content of `bench/results.md` before anything is measured. @param commit what is measured */
export function emptyResults({ commit, notes }: { commit: string; notes: readonly string[] }): string {
  return `# Measurements

- Commit: \`${commit}\`. All rows are of this commit.
${machineFacts()}
- The load generator, the measured processes and the database engine share these cores.
- The column \`run\` says in which run a row was measured. Rows of one run can be compared.

${table([])}

${notes.map((note) => `- ${note}`).join('\n')}

${runsTable([])}
`;
}

/** The commit whose rows the results have. Undefined if they name none. */
export function commitOf(results: string): string | undefined {
  return commitLine.exec(results)?.[1];
}

/** The runs whose rows the results have, the first one first. */
export function runsOf(results: string): Run[] {
  const [, section = ''] = results.split(`\n${runsTitle}\n`);
  return splitTable(section).rows.map(readRun);
}

/**
 * The results with the rows of a run. They replace the rows of the same measure. Other rows come last. The run replaces what was known of it. Runs of
 * which no row is left are no longer named.
 */
export function withRows(results: string, rows: readonly Row[], run: Run): string {
  const [body = '', section = ''] = results.split(`\n${runsTitle}\n`);
  const [known, history] = [splitTable(body), splitTable(section)];
  const side = ({ peer }: Row) => peer.split(':')[0] ?? '';
  const name = (row: Row) => `${row.measure} beside ${side(row)}`;
  const newer = rows.filter(isCompared).map((row) => ({ ...row, run: run.number }));
  const again = new Map(newer.map((row) => [name(row), row]));
  const before = known.rows.map(readRow).filter(isCompared);
  const names = new Set(before.map(name));
  const kept = before.map((row) => again.get(name(row)) ?? row);
  const merged = [...kept, ...newer.filter((row) => !names.has(name(row)))];
  const others = history.rows.map(readRun).filter(({ number }) => number !== run.number);
  const named = [...others, run].filter((one) => one === run || merged.some((row) => row.run === one.number));
  return [known.before, table(merged), known.after, runsTable(named), history.after].join('\n');
}

function runsTable(runs: readonly Run[]): string {
  const rows = runs.map(({ number, command, areas, ended, minutes, engine, remark }) => [
    number,
    `\`${command}\``,
    areas.join(', '),
    ended,
    minutes.toFixed(1),
    engine,
    remark,
  ]);
  return `${runsTitle}\n\n${markdownTable([runHeads, ...rows])}`;
}

/** The cells of the first table of a text, without its head, and the text around the table. */
function splitTable(text: string): { before: string; rows: string[][]; after: string } {
  const lines = text.split('\n');
  const isRow = (line: string) => line.startsWith('| ');
  const first = lines.findIndex(isRow);
  if (first === -1) return { before: text, rows: [], after: '' };
  const length = lines.slice(first).findIndex((line) => !isRow(line));
  const end = length === -1 ? lines.length : first + length;
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  return {
    before: lines.slice(0, first).join('\n'),
    rows: lines.slice(first + 2, end).map(cellsOf),
    after: lines.slice(end).join('\n'),
  };
}

function readRow([
  measure = '',
  ours = '',
  peer = '',
  ratio = '',
  asked = '',
  met = '',
  run = '',
]: string[]): Row {
  return { measure, ours, peer, ratio, asked, met, run };
}

function readRun([
  number = '',
  command = '',
  areas = '',
  ended = '',
  minutes = '',
  engine = '',
  remark = '',
]: string[]): Run {
  return {
    ...{ number, command: command.replaceAll('`', ''), ended, minutes: Number(minutes), engine, remark },
    areas: areas.split(', ').filter((area) => area !== ''),
  };
}

/** Lines about the machine. @param engine what serves MongoDB, if one engine served every figure */
export function machineFacts(engine?: string): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const lines = [`- Machine: ${machine}, ${process.platform} ${process.arch}, Node.js ${process.version}`];
  if (engine !== undefined) lines.push(`- MongoDB served by: ${engine}`);
  return lines.join('\n');
}

/** The time of a run. */
export function today(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
