import t from 'tap';
import { type Cost, growthTable, withGrowth } from '../../../bench/growth.js';

const list = 'first page, p95 in ms';
const costs: Cost[] = [
  { what: list, users: 1_000_000, cost: 30 },
  { what: list, users: 1_000, cost: 20 },
  { what: 'export, µs of one user', users: 1_000, cost: 29.04 },
];

t.test('each cost has a line, from the smallest size to the largest', async (t) => {
  t.equal(
    growthTable(costs),
    `## How cost grows

| users                  | 1,000 | 1,000,000 | largest by smallest |
| ---------------------- | ----- | --------- | ------------------- |
| ${list}  | 20.0  | 30.0      | 1.50                |
| export, µs of one user | 29.0  |           | 1.00                |`,
  );
});

t.test('a new measurement replaces the old one', async (t) => {
  const first = withGrowth('# Measurements\n\n- a note\n', costs);
  t.match(first, /^# Measurements\n\n- a note\n\n## How cost grows\n/);
  t.equal(withGrowth(first, []), first, 'nothing is lost');
  const again = withGrowth(first, [{ what: list, users: 1_000, cost: 10 }]);
  t.match(again, /\| first page, p95 in ms +\| 10\.0 +\| 1\.00 +\|/);
  t.match(again, /\| export, µs of one user \| 29\.0 +\|/);
  t.equal(again.split('## How cost grows').length, 2);
  const noted = withGrowth(`${first}- another note\n`, []);
  t.match(noted, /- a note\n- another note\n\n## How cost grows\n/, 'notes stay above');
});
