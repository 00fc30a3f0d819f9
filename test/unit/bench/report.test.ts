import t from 'tap';
import { withGrowth } from '../../../bench/growth.js';
import {
  commitOf,
  emptyResults,
  judgedTime,
  type Row,
  type Run,
  runsOf,
  withRows,
} from '../../../bench/report.js';

const rowOf = (measure: string, ours: string): Row => ({
  measure,
  ours,
  peer: 'bare Fastify: 10 requests/s',
  ratio: '1.00',
  asked: '',
  met: '',
});
const runOf = (number: string, command = `bench ${number}`): Run => ({
  ...{ number, command, areas: ['some'], ended: '2026-01-01 00:00 UTC', minutes: 1.5 },
  ...{ engine: 'DocumentDB', remark: '' },
});
const rowsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
const runIn = (text: string, measure: string) => rowsIn(text).find((cells) => cells[1] === measure)?.[7];
const commandsIn = (text: string) => runsOf(text).map(({ command }) => command);

const empty = emptyResults({ commit: '0123abcd', notes: ['A note.'] });
const first = withGrowth(withRows(empty, [rowOf('get', '1'), rowOf('list', '2')], runOf('1')), [
  { what: 'get, ms', users: 100, cost: 1 },
]);

t.test('each row names its run', async (t) => {
  t.equal(runIn(first, 'get'), '1');
  t.same(runsOf(first), [runOf('1')]);
  const again = withRows(first, [rowOf('get', '3'), rowOf('create', '4')], runOf('2'));
  t.equal(runIn(again, 'get'), '2');
  t.equal(runIn(again, 'create'), '2');
  t.equal(runIn(again, 'list'), '1');
  t.same(runsOf(again), [runOf('1'), runOf('2')]);
  t.equal(commitOf(again), '0123abcd');
  t.match(again, /\n- A note\.\n\n## Runs\n\n\| run/);
  t.match(again, /\n\n## How cost grows\n\n\| users/, 'what follows stays');
});

t.test('a run of which no row is left is not named', async (t) => {
  const second = withRows(first, [rowOf('get', '3')], runOf('2'));
  const third = withRows(second, [rowOf('get', '5')], runOf('3'));
  t.same(commandsIn(third), ['bench 1', 'bench 3']);
  t.equal(runIn(third, 'get'), '3');
});

t.test('a run that goes on is named once', async (t) => {
  const more = { ...runOf('1'), areas: ['some', 'more'], minutes: 4 };
  const again = withRows(first, [rowOf('create', '4')], more);
  t.same(runsOf(again), [more]);
  t.equal(runIn(again, 'get'), '1');
  t.equal(runIn(again, 'create'), '1');
});

t.test('a row that is compared with nothing is not in the results', async (t) => {
  const alone = { ...rowOf('memory', '9 MiB'), ratio: '' };
  t.equal(runIn(withRows(empty, [alone], runOf('1')), 'memory'), undefined);
  const again = withRows(first, [alone], { ...runOf('2'), areas: ['memory'] });
  t.equal(runIn(again, 'memory'), undefined);
  t.same(runsOf(again).at(-1)?.areas, ['memory'], 'but its run says that it was measured');
  const old = first.replace('| 1.00  |', '|       |');
  t.equal(runIn(old, 'get'), '1');
  t.equal(runIn(withRows(old, [rowOf('create', '4')], runOf('2')), 'get'), undefined, 'and leaves them');
});

t.test('a time is judged by itself, not by its ratio', async (t) => {
  const row = { measure: 'a change', peer: 'a create: 1 ms' };
  t.match(judgedTime(row, { ours: 1.2, peer: 1, ratio: 1.2 }, 1.2), {
    ...{ ours: '1.20 ms', ratio: '1.20', asked: '<= 1.2 ms', met: 'yes' },
  });
  t.match(judgedTime(row, { ours: 1.3, peer: 2, ratio: 0.6 }, 1.2), { met: 'NO' });
});
