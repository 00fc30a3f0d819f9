import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';

/** The threat model names nothing that does not exist, and a test for every threat but of libraries. */

const text = readFileSync('SECURITY.md', 'utf8');

t.test('files', async (t) => {
  const named = [...text.matchAll(/`((?:src|test|dev)\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path);
  t.ok(named.length > 20);
  t.same(
    named.filter((path) => !existsSync(path)),
    [],
  );
});

t.test('each threat has its mitigation and what shows it', async (t) => {
  const [, section = ''] = text.split('## Threats');
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| threat'));
  t.ok(rows.length > 15);
  for (const row of rows) {
    const cells = row.split('|').map((cell) => cell.trim());
    t.equal(cells.length, 5, row);
    t.notOk(cells.slice(1, 4).includes(''), row);
    t.match(cells[3], /`(test|dev)\//, row);
  }
});
