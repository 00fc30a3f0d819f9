import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { judged, type Row, rate } from '../report.js';
import { type Run, runProgram, writeLines } from './convert.js';

const asked = 0.2;

/** Parses the records, and does nothing with them. */
const parsers = {
  json: `
    const lines = require('node:readline').createInterface({ input: require('node:fs').createReadStream(process.argv[1]) });
    lines.on('line', (line) => JSON.parse(line));`,
  csv: `
    const { parse } = require('csv-parse');
    require('node:fs').createReadStream(process.argv[1]).pipe(parse({ columns: true })).on('data', () => undefined);`,
} as const;

const targets = {
  ...{ login: 'userName', first: 'name.givenName', last: 'name.familyName', mail: 'email' },
  ...{
    verified: 'emailVerified',
    phone: 'phone',
    department: 'department',
    active: 'active',
    hash: 'passwordHash',
  },
};

/**
 * How many people `muster convert csv` and `json` with a mapping convert in a second of processor time, beside a program that only parses the
 * same file. Both include their start.
 */
export async function measureConvertAny(count: number, pace: Pace): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-convert-'));
  try {
    const { map, csv } = await writeMappedTable(folder, count);
    const paths = {
      json: await writeLines(join(folder, 'people.ndjson'), count, (n) => JSON.stringify(personOf(n))),
      csv,
    };
    const rows: Row[] = [];
    for (const system of ['csv', 'json'] as const) {
      const rounds: { ours: Run; peer: Run }[] = [];
      for (let round = 0; round < pace.rounds; round++) {
        const words = ['convert', system, '--org', '1', '--users', paths[system], '--map', map];
        const ours = await runProgram([
          resolve('dist/src/cli/main.js'),
          ...words,
          '--output',
          join(folder, 'out'),
        ]);
        rounds.push({ ours, peer: await runProgram(['-e', parsers[system], paths[system]]) });
      }
      const rateOf = (runs: readonly Run[]) =>
        count / median(runs.map(({ processorSeconds }) => processorSeconds));
      const ours = rateOf(rounds.map((round) => round.ours));
      const peer = rateOf(rounds.map((round) => round.peer));
      const ratio = median(rounds.map((one) => one.peer.processorSeconds / one.ours.processorSeconds));
      const measure = `muster convert ${system}, ${count.toLocaleString('en')} users with a mapping`;
      const sides = {
        ours: rate(ours, 'users/s of processor time'),
        peer: `only parsing: ${rate(peer, 'users/s')}`,
      };
      rows.push(judged({ measure, ...sides }, ratio, { atLeast: asked }));
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A table in CSV, and the mapping of its columns. Returns their paths. */
export async function writeMappedTable(folder: string, count: number): Promise<{ map: string; csv: string }> {
  const map = join(folder, 'map.json');
  const attributes = Object.entries(targets).map(([from, to]) => ({ from, to }));
  writeFileSync(map, JSON.stringify({ attributes }));
  return { map, csv: await writeTable(join(folder, 'people.csv'), Object.keys(targets), count) };
}

/** The same table with the names that need no mapping. */
export function writePlainTable(folder: string, count: number): Promise<string> {
  return writeTable(join(folder, 'plain.csv'), Object.values(targets), count);
}

function writeTable(path: string, header: readonly string[], count: number): Promise<string> {
  return writeLines(path, count + 1, (n) => (n === 0 ? header : Object.values(personOf(n))).join());
}

function personOf(n: number): Readonly<Record<keyof typeof targets, string>> {
  return {
    ...{
      login: `person${n}`,
      first: `Given${n}`,
      last: `Family${n}`,
      mail: `person${n}@example.com`,
      verified: 'yes',
    },
    ...{
      phone: '+46 70 123 45 67',
      department: 'Research',
      active: 'yes',
      hash: `$2b$10$${String(n).padStart(53, '.')}`,
    },
  };
}
