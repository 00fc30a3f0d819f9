import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { emptyResults, type Row, runsOf } from '../../../bench/report.js';
import { type NewRun, openResults } from '../../../bench/results-file.js';

const rowOf = (measure: string): Row => ({
  ...{ measure, ours: '1', peer: 'other: 2', ratio: '0.50', asked: '', met: '' },
});
const measuredOf = (measure: string) => ({ rows: [rowOf(measure)], costs: [], minutes: 1 });

async function open(t: Test, more: Partial<NewRun> = {}, commit = '0123abcd') {
  const file = join(t.testdir(), 'results.md');
  await writeFile(file, emptyResults({ commit, notes: ['A note.'] }));
  const run = { ...given(file), ...more };
  return { file, run, text: () => readFile(file, 'utf8') };
}

const given = (file: string): NewRun => ({
  ...{ file, commit: '0123abcd', command: 'bench', engine: 'DocumentDB', remark: '', notes: ['A note.'] },
  ...{ isNew: false, isResumed: false },
});

t.test('rows of two commits are never in one table', async (t) => {
  const { file, run, text } = await open(t, {}, 'ffff0000');
  await t.rejects(openResults(run), { message: /of ffff0000, and this is 0123abcd/ });
  await (await openResults({ ...run, isNew: true })).add('tokens', measuredOf('token'));
  t.match(await text(), '`0123abcd`');
  t.notMatch(await text(), 'ffff0000');
  await (await openResults(given(file))).add('scim', measuredOf('get'));
  t.same(
    runsOf(await text()).map(({ number, areas }) => [number, areas]),
    [
      ['1', ['tokens']],
      ['2', ['scim']],
    ],
  );
});

t.test('a table that names no commit is not added to', async (t) => {
  const { file, run } = await open(t);
  await writeFile(file, '# Measurements\n');
  await t.rejects(openResults(run), { message: /of no commit/ });
});

t.test('each area is written when it ends, and a run that broke off goes on after it', async (t) => {
  const { run, text } = await open(t);
  const broken = await openResults(run);
  t.same([...broken.measured], []);
  await broken.add('tokens', measuredOf('token'));
  await broken.add('scim', measuredOf('get'));
  t.match(await text(), /\| token +\|/);
  const resumed = await openResults({ ...run, isResumed: true });
  t.same([...resumed.measured], ['tokens', 'scim']);
  await resumed.add('bulk', measuredOf('bulk'));
  t.match(runsOf(await text()), [{ number: '1', areas: ['tokens', 'scim', 'bulk'], minutes: 3 }]);
});

t.test('only a run of the same command goes on', async (t) => {
  const { run } = await open(t);
  await (await openResults(run)).add('tokens', measuredOf('token'));
  const other = { ...run, command: 'bench --only scim', isResumed: true };
  await t.rejects(openResults(other), { message: /no run of bench --only scim/ });
});
