import { cpus, totalmem } from 'node:os';
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
}

const columns = ['measure', 'ours', 'peer', 'ratio', 'asked', 'met'] as const;
const heads = ['measure', 'this project', 'peer or ceiling', 'ratio', 'figure asked', 'met?'];

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

export function rate(value: number, unit = 'requests/s'): string {
  return `${value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(1)} ${unit}`;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** The table in Markdown, with aligned columns. */
export function table(rows: readonly Row[]): string {
  return markdownTable([heads, ...rows.map((row) => columns.map((column) => row[column]))]);
}

/** The content of `bench/results.md`. */
export function document(facts: {
  rows: readonly Row[];
  engine: string;
  notes: readonly string[];
  command: string;
  minutes: number;
}): string {
  return `# Measurements

Made by \`${facts.command}\` on ${today()} in ${facts.minutes.toFixed(1)} minutes.

${machineFacts(facts.engine)}
- The load generator, the measured processes and the database engine share these cores.

${table(facts.rows)}

${facts.notes.map((note) => `- ${note}`).join('\n')}
`;
}

/**
 * The content of `bench/results.md` after some measures ran again. New rows replace the rows of the same measure. Other
 * new rows come last, and a note says what ran.
 */
export function remeasured(
  text: string,
  rows: readonly Row[],
  run: { command: string; engine: string; busy: boolean },
): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('| '));
  const end = lines.findIndex((line, index) => index > first && !line.startsWith('| '));
  const side = ({ peer }: Row) => peer.split(':')[0] ?? '';
  const name = (row: Row) => `${row.measure} beside ${side(row)}`;
  // A row without a peer describes a complete run.
  const newer = rows.filter((row) => side(row) !== '');
  const again = new Map(newer.map((row) => [name(row), row]));
  const before = lines.slice(first + 2, end).map(readRow);
  const known = new Set(before.map(name));
  const kept = before.map((row) => again.get(name(row)) ?? row);
  const merged = table([...kept, ...newer.filter((row) => !known.has(name(row)))]);
  const beside = run.busy ? ', beside a busy machine' : '';
  const note = `- Measured again by \`${run.command}\` on ${today()}, served by ${run.engine}${beside}: ${newer.map(({ measure }) => measure).join('; ')}.`;
  return `${[...lines.slice(0, first), merged, ...lines.slice(end)].join('\n').trimEnd()}\n${note}\n`;
}

function readRow(line: string): Row {
  const [, measure = '', ours = '', peer = '', ratio = '', asked = '', met = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  return { measure, ours, peer, ratio, asked, met };
}

/** Lines about the machine. @param engine what serves MongoDB */
export function machineFacts(engine: string): string {
  const [cpu] = cpus();
  const machine = `${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `- Machine: ${machine}, ${process.platform} ${process.arch}, Node.js ${process.version}
- MongoDB served by: ${engine}`;
}

/** The time of a run. */
export function today(): string {
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
