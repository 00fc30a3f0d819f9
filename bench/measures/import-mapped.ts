import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addOrganization } from '#src/organizations/add-organization.js';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { processorTimes, storeKinds } from '../process-kinds.js';
import { processorTimeOfEnded } from '../processes.js';
import { startApi, startWorker } from '../programs.js';
import { judged, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { runProgram } from './convert.js';
import { writeMappedTable, writePlainTable } from './convert-any.js';
import { nextWord, post } from './import-requests.js';

const warmUp = 5_000;

/**
 * How many people of a table come in with a second of processor time, by `muster convert csv` with a mapping and an import. The peer has a table
 * that needs no mapping. The time is that of the command, of the API process, the worker and the stores.
 */
export async function measureImportMapped(
  setting: Setting,
  { count, pace }: { count: number; pace: Pace },
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-mapped-'));
  const processes = [await startApi(setting), await startWorker(setting)];
  try {
    await warm(setting, folder);
    const { map, csv } = await writeMappedTable(folder, count);
    const plain = await writePlainTable(folder, count);
    const spent = async () => {
      const times = [...processes.map((one) => one.processorTime()), processorTimeOfEnded()];
      const stores = [...(await processorTimes(storeKinds)).values()];
      return [...(await Promise.all(times)), ...stores].reduce((sum, ms) => sum + ms, 0) / 1_000;
    };
    const move = async (words: readonly string[]) => {
      const before = await spent();
      await bringIn(setting, { folder, words, count });
      return count / ((await spent()) - before);
    };
    const rounds: { ours: number; peer: number }[] = [];
    for (let round = 0; round < Math.min(pace.rounds, 3); round++) {
      const sides = { ours: ['--users', csv, '--map', map], peer: ['--users', plain] };
      const rates = { ours: 0, peer: 0 };
      // The order of the sides changes, so that it favours neither.
      for (const side of round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const))
        rates[side] = await move(sides[side]);
      rounds.push(rates);
    }
    const row = {
      measure: `convert and import of ${count.toLocaleString('en')} people with a mapping`,
      ours: rate(median(rounds.map(({ ours }) => ours)), 'users/s of processor time'),
      peer: `without one: ${rate(median(rounds.map(({ peer }) => peer)), 'users/s')}`,
    };
    return [judged(row, median(rounds.map(({ ours, peer }) => ours / peer)), { atLeast: 0.9 })];
  } finally {
    for (const running of processes.reverse()) await running.stop();
    await rm(folder, { recursive: true });
  }
}

/** Brings in a few people by processes that have just started. */
async function warm(setting: Setting, folder: string): Promise<void> {
  const path = await writePlainTable(folder, warmUp);
  await bringIn(setting, { folder, words: ['--users', path], count: warmUp });
  await rm(path);
}

/** Converts a table for a new organization, and imports it. Identifiers are made of the organization, so nobody is there already. */
async function bringIn(
  setting: Setting,
  { folder, words, count }: { folder: string; words: readonly string[]; count: number },
): Promise<void> {
  const { id } = await addOrganization(setting.container, { name: `Mapped ${nextWord()}`, editor });
  const body = join(folder, 'body.json');
  const command = [resolve('dist/src/cli/main.js'), 'convert', 'csv', '--org', id, '--timeout', '5h'];
  await runProgram([...command, ...words, '--output', body]);
  const pieces = createReadStream(body, { encoding: 'utf8' });
  await post({ setting }, { to: 'import', pieces, expected: `"created":${count},` });
}
