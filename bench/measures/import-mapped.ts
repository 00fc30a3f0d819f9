import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { addOrganization } from '#src/organizations/add-organization.js';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { startApi, startWorker } from '../programs.js';
import { judged, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { runProgram } from './convert.js';
import { writeMappedTable, writePlainTable } from './convert-any.js';
import { nextWord, perSecond, post } from './import-requests.js';

/** The rate at which people of a table come in, by `muster convert csv` with a mapping and an import. The peer has a table that needs no mapping. */
export async function measureImportMapped(
  setting: Setting,
  { count, pace }: { count: number; pace: Pace },
): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-mapped-'));
  const processes = [await startApi(setting), await startWorker(setting)];
  try {
    const { map, csv } = await writeMappedTable(folder, count);
    const plain = await writePlainTable(folder, count);
    const move = (words: readonly string[]) =>
      perSecond(count, () => bringIn(setting, { folder, words, count }));
    const rounds: { ours: number; peer: number }[] = [];
    for (let round = 0; round < Math.min(pace.rounds, 3); round++)
      rounds.push({
        ours: await move(['--users', csv, '--map', map]),
        peer: await move(['--users', plain]),
      });
    const row = {
      measure: `convert and import of ${count.toLocaleString('en')} people with a mapping`,
      ours: rate(median(rounds.map(({ ours }) => ours)), 'users/s'),
      peer: `without one: ${rate(median(rounds.map(({ peer }) => peer)), 'users/s')}`,
    };
    return [judged(row, median(rounds.map(({ ours, peer }) => ours / peer)), { atLeast: 0.9 })];
  } finally {
    for (const running of processes.reverse()) await running.stop();
    await rm(folder, { recursive: true });
  }
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
