import t from 'tap';
import { keptChanges } from '#src/audit/changes.js';

t.test('a change has what named properties were and became, and nothing of others', (t) => {
  const before = {
    name: 'A',
    secret: 's1',
    on: false,
    list: ['a'],
    same: 1,
    login: { colour: '#1', open: true },
  };
  const after = { name: 'B', secret: 's2', on: true, list: [], same: 1, login: { colour: '#2', open: true } };
  t.strictSame(keptChanges(before, after, ['name', 'on', 'list', 'same', 'login']), {
    changes: {
      name: { from: 'A', to: 'B' },
      on: { from: false, to: true },
      list: { from: ['a'], to: [] },
      'login.colour': { from: '#1', to: '#2' },
    },
  });
  t.strictSame(keptChanges(before, before, ['name', 'login']), {});
  t.end();
});

t.test('values are bounded, and those that are no text are left out', (t) => {
  const long = 'x'.repeat(5_000);
  const given = {
    text: long,
    list: Array.from({ length: 500 }, () => long),
    date: new Date(),
    objects: [{ secret: 's' }],
  };
  const { changes } = keptChanges<Partial<typeof given>>({}, given, ['text', 'list', 'date', 'objects']);
  t.ok(JSON.stringify(changes).length < 3_000);
  t.strictSame(changes?.['text'], { to: `${'x'.repeat(200)}…` });
  t.notOk(changes?.['objects']);
  t.notOk(changes?.['date']);
  t.end();
});
