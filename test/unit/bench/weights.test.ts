import { readFileSync } from 'node:fs';
import t from 'tap';
import { weights } from '../../../bench/weights.js';

t.test('the guide for operators has what documents weigh', (t) => {
  const guide = readFileSync('docs/operations.md', 'utf8');
  const told = [...guide.matchAll(/^\| (\w+) \| (?:`([^`]+)`|documents) \| ([\d,]+) \|$/gm)];
  const rows = weights().flatMap(({ collection, document, keys }) => [
    [collection, undefined, document],
    ...[...keys].map(([name, bytes]) => [collection, name, bytes]),
  ]);
  t.same(
    told.map(([, collection, name, bytes = '']) => [collection, name, Number(bytes.replaceAll(',', ''))]),
    rows,
  );
  t.end();
});

t.test('a partial index has only what meets its condition', (t) => {
  const users = weights().find(({ collection }) => collection === 'users');
  t.notOk(users?.keys.has('inactive'), 'the user is active');
  t.ok(users?.keys.has('orgId, externalId'));
  t.end();
});
