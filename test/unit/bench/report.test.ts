import t from 'tap';
import { withGrowth } from '../../../bench/growth.js';
import { document, type Row, remeasured } from '../../../bench/report.js';

const rowOf = (measure: string, ours: string): Row => ({
  measure,
  ours,
  peer: 'bare Fastify: 10 requests/s',
  ratio: '1.00',
  asked: '',
  met: '',
});
const facts = (command: string) => ({ command, engine: 'DocumentDB', busy: false });
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
const runOf = (text: string, measure: string) => rowsOf(text).find((cells) => cells[1] === measure)?.[7];
const commands = (text: string) =>
  rowsOf(text).flatMap((cells) => cells.filter((cell) => /^`bench/.test(cell)));

const whole = withGrowth(
  document({
    rows: [rowOf('get', '1'), rowOf('list', '2')],
    engine: 'DocumentDB',
    notes: ['A note.'],
    command: 'bench whole',
    minutes: 3,
  }),
  [{ what: 'get, ms', users: 100, cost: 1 }],
);

t.test('each row names its run', async (t) => {
  t.equal(runOf(whole, 'get'), '1');
  t.same(commands(whole), ['`bench whole`']);
  const again = remeasured(whole, [rowOf('get', '3'), rowOf('create', '4')], facts('bench some'));
  t.equal(runOf(again, 'get'), '2');
  t.equal(runOf(again, 'create'), '2');
  t.equal(runOf(again, 'list'), '1');
  t.same(commands(again), ['`bench whole`', '`bench some`']);
  t.match(again, /\n- A note\.\n\n## Runs\n\n\| run/);
  t.match(again, /\n\n## How cost grows\n\n\| users/, 'what follows stays');
});

t.test('a run of which no row is left is not named, and its number is not used again', async (t) => {
  const second = remeasured(whole, [rowOf('get', '3')], facts('bench get'));
  const third = remeasured(second, [rowOf('get', '5')], facts('bench get once more'));
  t.same(commands(third), ['`bench whole`', '`bench get once more`']);
  t.equal(runOf(third, 'get'), '3');
});

t.test('a row that is compared with nothing is not in the results', async (t) => {
  const alone = { ...rowOf('memory', '9 MiB'), ratio: '' };
  const first = document({
    ...{
      rows: [rowOf('get', '1'), alone],
      engine: 'DocumentDB',
      notes: [],
      command: 'bench whole',
      minutes: 3,
    },
  });
  t.equal(runOf(first, 'memory'), undefined);
  const again = remeasured(whole, [alone], facts('bench some'));
  t.equal(runOf(again, 'memory'), undefined);
  t.same(commands(again), ['`bench whole`']);
  const old = whole.replace('| 1.00  |', '|       |');
  t.equal(runOf(old, 'get'), '1');
  t.equal(
    runOf(remeasured(old, [rowOf('create', '4')], facts('bench some')), 'get'),
    undefined,
    'and leaves them',
  );
});
