import { markdownTable } from '../markdown.js';
import type { End } from './check-end.js';
import type { ErrorLines } from './error-lines.js';
import type { Expected } from './expected.js';
import type { MemoryUse } from './memory.js';
import type { Tally } from './tally.js';

/** All observations of a soak. */
export interface Seen {
  readonly tally: Tally;
  readonly faults: readonly FaultRun[];
  /** Faults that cannot be injected here, with the reason. */
  readonly leftOut: readonly string[];
  readonly end: End;
  readonly expected: Expected;
  readonly memory: readonly MemoryUse[];
  readonly errorLines: ErrorLines;
}

export interface FaultRun {
  readonly name: string;
  /** Milliseconds from the end of the fault until every process was ready. */
  readonly readyMs: number;
}

/** The largest factor by which the memory of a process may grow from the first minute to the last. */
const memoryGrowth = 1.3;
const shown = 30;

/** The reasons why the run failed. Empty if it succeeded. */
export function failuresOf({ tally, faults, end, memory, errorLines }: Seen): string[] {
  const { calm } = tally.totals();
  const reasons: [boolean, string][] = [
    [tally.wrongs.length > 0, `${tally.wrongs.length} answers were wrong`],
    [calm > 0, `${calm} requests were not answered as they should while nothing was broken`],
    [end.found !== end.expected, `${end.found} users are there, not ${end.expected}`],
    [end.differences.length > 0, `${end.differences.length} users are not as clients were told`],
    [
      errorLines.unexplained.length > 0,
      `${errorLines.unexplained.length} error lines stand in logs without a fault`,
    ],
    [faults.length === 0, 'nothing was broken'],
    ...memory.map((use): [boolean, string] => [
      !(use.end <= use.start * memoryGrowth),
      `the memory of the ${use.process} grew from ${mib(use.start)} to ${mib(use.end)}`,
    ]),
  ];
  return reasons.filter(([isSo]) => isSo).map(([, reason]) => reason);
}

/** Details of the failures, the first few of each kind. */
export function detailsOf({ tally, end, errorLines }: Seen): string[] {
  return [tally.wrongs, end.differences, errorLines.unexplained].flatMap((lines) => lines.slice(0, shown));
}

/** The tables of a run, in Markdown. */
export function reportOf(seen: Seen): string {
  const { tally, faults, leftOut, end, expected, memory, errorLines } = seen;
  const { requests, calm } = tally.totals();
  return `${markdownTable([
    ['', 'start or expected', 'end or found'],
    ['requests', '', String(requests)],
    ['requests without the right response while nothing was broken', '0', String(calm)],
    ['wrong responses', '0', String(tally.wrongs.length)],
    ['users', String(end.expected), String(end.found)],
    [
      'of them created by a request whose response was lost, and confirmed when it was sent again',
      '',
      String(expected.madeUnanswered),
    ],
    ['users whose response was lost, and whose request was not sent again', '', String(end.unanswered)],
    ['users that differ from what clients were told', '0', String(end.differences.length)],
    ['revoked tokens, each checked again at the end', '', String(expected.revoked.length)],
    ['error lines in logs without a fault', '0', String(errorLines.unexplained.length)],
    ['error lines in logs during faults', '', String(errorLines.ofFaults.length)],
    ...memory.map(({ process, start, end }) => [
      `memory of the ${process}, first and last minute`,
      mib(start),
      mib(end),
    ]),
  ])}

${markdownTable(tally.rows())}

\`unavailable\` is the response 503. \`broken\` is a connection that ended without a response. \`lost\` is a sign-in whose data was in
the part that broke. Each was sent again until it was done.

${markdownTable([
  ['fault', 'all processes ready after'],
  ...faults.map(({ name, readyMs }) => [name, `${(readyMs / 1000).toFixed(1)} s`]),
])}
${leftOut.map((reason) => `\nLeft out: ${reason}.\n`).join('')}`;
}

const mib = (value: number) => `${Math.round(value)} MiB`;
