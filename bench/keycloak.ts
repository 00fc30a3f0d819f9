import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ownWorks } from './keycloak/own-works.js';
import {
  heapOfKeycloak,
  keycloakVersion,
  kindsOfKeycloak,
  type StartedKeycloak,
  startKeycloak,
} from './keycloak/start-keycloak.js';
import { type OperationName, operations, type Work } from './keycloak/work.js';
import { worksThere } from './keycloak/works-there.js';
import { median } from './load.js';
import { markdownTable } from './markdown.js';
import { type Kinds, ownKinds, processorTimes, spentBy } from './process-kinds.js';
import { stopAll } from './processes.js';
import { startApi, startWorker } from './programs.js';
import { machineFacts, today } from './report.js';
import { openSetting } from './setting.js';

/**
 * Measures Muster and Keycloak in turn, in one run: how many operations each does in a second of processor time of all its processes and of its
 * database. Clients do not count. Writes `bench/keycloak-results.md`.
 * - `--only SCIM` measures the operations whose name contains this, and writes nothing.
 * - `--warm-up 30` sets the seconds of each operation at each side that do not count.
 */

const inFlight = { logins: 8, imports: 4 };
/** Keycloak first: its database is a PostgreSQL too. */
const kinds: Kinds = { ...kindsOfKeycloak, ...ownKinds };

interface Side {
  readonly works: Readonly<Record<OperationName, Work>>;
  readonly kinds: readonly string[];
}

interface Pace {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '4' },
      'warm-up': { type: 'string', default: '30' },
    },
  });
  const pace = {
    ...{ rounds: Number(values.rounds), seconds: Number(values.seconds), warmUp: Number(values['warm-up']) },
  };
  const setting = await openSetting();
  let keycloak: StartedKeycloak | undefined;
  try {
    keycloak = await startKeycloak(setting.logFolder);
    await startApi(setting);
    await startWorker(setting);
    const sides = {
      muster: {
        works: await ownWorks(setting, inFlight),
        kinds: Object.keys(ownKinds),
      },
      keycloak: { works: await worksThere(keycloak.url, inFlight), kinds: Object.keys(kindsOfKeycloak) },
    };
    const rows: string[][] = [];
    for (const operation of operations.filter(({ name }) => name.includes(values.only))) {
      rows.push(await compare(operation, sides, pace));
      console.error(rows.at(-1)?.join(' | '));
    }
    const text = document(rows, { engine: setting.engine, pace });
    console.log(text);
    if (values.only === '') await writeFile(join(import.meta.dirname, 'keycloak-results.md'), text);
  } finally {
    await stopAll();
    await keycloak?.stop();
    await setting.close();
  }
}

/** Rounds of both sides in turn. @returns the row of the table */
async function compare(
  { name, ...asked }: (typeof operations)[number],
  { muster, keycloak }: Readonly<Record<'muster' | 'keycloak', Side>>,
  { rounds, seconds, warmUp }: Pace,
): Promise<string[]> {
  for (const side of [muster, keycloak]) await side.works[name](warmUp);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    ours.push(await perProcessorSecond(muster, name, seconds));
    theirs.push(await perProcessorSecond(keycloak, name, seconds));
  }
  const ratio = median(ours.map((one, round) => one / (theirs[round] ?? Number.NaN)));
  const atLeast = 'atLeast' in asked ? asked.atLeast : undefined;
  const met = atLeast === undefined ? '' : ratio >= atLeast ? 'yes' : 'NO';
  return [
    ...[name, figure(median(ours)), figure(median(theirs)), ratio.toFixed(2)],
    ...[atLeast === undefined ? '' : `>= ${atLeast}`, met],
  ];
}

async function perProcessorSecond(
  { works, kinds: own }: Side,
  name: OperationName,
  seconds: number,
): Promise<number> {
  const before = await processorTimes(kinds);
  const done = await works[name](seconds);
  return done / (spentBy(own, { before, after: await processorTimes(kinds) }) / 1_000);
}

function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
}

const heads = [
  'operations in a second of processor time',
  'Muster',
  'Keycloak',
  'ratio',
  'figure asked',
  'met?',
];

function document(rows: readonly string[][], { engine, pace }: { engine: string; pace: Pace }): string {
  const { rounds, seconds, warmUp } = pace;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return `# Beside Keycloak

\`make bench-keycloak\` measured this table in one run, which ended at ${today()}, on the commit \`${commit}\`.

${machineFacts(engine)}
- Keycloak ${keycloakVersion} from Maven Central, in production mode, with PostgreSQL, a heap of ${heapOfKeycloak} and its preview feature \`scim-api\`.
- One API process and one worker of Muster. Both sides have their default settings for passwords, tokens and sessions. Muster has no limits of
  rate, and logs only warnings, as Keycloak does.

${markdownTable([heads, ...rows])}

- The processor time is that of all processes of a side and of its stores. The clients and everything else do not count.
- The sides take turns, ${rounds} rounds of ${seconds} s each. A figure is the median of its rounds, and a ratio is the median of the ratios.
- Before each row, each side was warmed up for ${warmUp} s with its requests. Java compiles for longer than that, and the time of its compiler
  is a part of its processor time. So a longer warm-up (\`--warm-up\`, in seconds) favours Keycloak.
- A login is that of a new browser. Both sides hash with argon2id, each with its own default costs. Muster uses 19 MiB and 2 passes
  ([configuration.md](../docs/configuration.md)). The costs of Keycloak are those of its version. They decide most of this row.
- Imports of Muster are \`POST /admin/v1/import\` with a hash for each person. Those of Keycloak are its partial imports, also with a hash.
`;
}

await main();
