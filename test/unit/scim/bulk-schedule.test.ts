import t from 'tap';
import { creationGroupLength } from '#src/scim/bulk/creation-group.js';
import { referencesOf, resolveReferences } from '#src/scim/bulk/references.js';
import { scheduleOperations } from '#src/scim/bulk/schedule.js';
import { growthByFour } from '../../support/processor-time.js';

/** An operation: its path, its bulkId (or an empty text), and the bulkIds that its data refers to. */
type Short = readonly [path: string, bulkId?: string, ...refersTo: string[]];

function scheduled(...operations: Short[]) {
  const { order, circular } = scheduleOperations(
    operations.map(([path, bulkId = '', ...refersTo]) => ({
      method: /^.Users$/.test(path) ? 'POST' : 'PATCH',
      path,
      ...(bulkId !== '' && { bulkId }),
      data: { values: refersTo.map((one) => `bulkId:${one}`) },
    })),
  );
  return { order: order.join(), circular: [...circular].sort().join() };
}

const a = '/Users/a';
const b = '/Users/b';

t.test('without references the order of the request stands', async (t) => {
  t.same(scheduled([a], ['/Users'], [b], [a], ['/Users']), { order: '0,1,2,3,4', circular: '' });
});

t.test('an operation comes after those that it refers to', async (t) => {
  t.same(scheduled(['/Users', 'x', 'y'], ['/Users'], ['/Users', 'y']), { order: '2,0,1', circular: '' });
  t.same(scheduled(['/Users/bulkId:x'], ['/Users', 'x']), { order: '1,0', circular: '' });
});

t.test(
  'the JSON text of a manager refers as its object does, and every other text of a creation is a text',
  (t) => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
    const text = '{"value":"bulkId:boss"}';
    const resolved = '{"value":"42"}';
    const rows: [data: Record<string, unknown>, after?: Record<string, unknown>][] = [
      [{ [enterprise]: { manager: text } }, { [enterprise]: { manager: resolved } }],
      [{ [`${enterprise}:Manager`]: text }, { [`${enterprise}:Manager`]: resolved }],
      [{ [`${enterprise}.manager`]: text }, { [`${enterprise}.manager`]: resolved }],
      [{ title: text, [enterprise]: { department: text, managers: text, manager: '{"value":"m"}' } }],
    ];
    for (const method of ['POST', 'PUT'])
      for (const [data, after = data] of rows) {
        const operation = { method, path: method === 'POST' ? '/Users' : a, data };
        const name = `${method} ${JSON.stringify(data)}`;
        t.same([...referencesOf(operation)], after === data ? [] : ['boss'], name);
        t.same(resolveReferences(operation, new Map([['boss', '42']])).data, after, name);
      }
    t.end();
  },
);

t.test('operations on one resource keep their order when a reference moves them', async (t) => {
  t.same(scheduled([b, '', 'c'], [a], [a, 'c']), { order: '1,2,0', circular: '' });
  t.same(scheduled([b, '', 'c'], [a], ['/users/%61', 'c']), { order: '1,2,0', circular: '' }, 'other text');
  const through = '/Users/bulkId:x';
  t.same(scheduled([b, '', 'c'], [through], [through, 'c'], ['/Users', 'x']), {
    order: '3,1,2,0',
    circular: '',
  });
});

t.test('creations share a path and no resource', async (t) => {
  t.same(scheduled([b, '', 'c'], ['/Users', 'd'], ['/Users', 'c']), { order: '2,0,1', circular: '' });
});

t.test('where the order of one resource contradicts references, references win', async (t) => {
  t.same(scheduled([a, '', 'c'], [a, 'c']), { order: '1,0', circular: '' });
  t.same(scheduled([a, 'x', 'y'], [b, 'y', 'z'], [a, 'z'], [a]), { order: '2,1,0,3', circular: '' });
  // Each order alone is possible. Both together are not.
  t.same(scheduled([a, '', 'b2'], [b, '', 'a2'], [a, 'a2'], [b, 'b2']), { order: '3,0,2,1', circular: '' });
});

t.test('only references make a circle, and all of it is told', async (t) => {
  t.same(scheduled(['/Users', 'x', 'x'], [a], [a]), { order: '0,1,2', circular: '0' });
  t.same(scheduled([a, 'x', 'y'], [b], [a, 'y', 'x']), { order: '0,1,2', circular: '0,2' });
  const sharing = scheduled(
    ['/Users', 'x', 'y', 'z'],
    ['/Users', 'y', 'x'],
    ['/Users', 'z', 'y'],
    ['/Users', '', 'x'],
  );
  t.same(sharing, { order: '0,1,2,3', circular: '0,1,2' });
});

t.test('the work to order a request does not grow with the paths between its operations', async (t) => {
  const ordered = (count: number) => {
    const names = Array.from({ length: count }, (_, index) => `n${index}`);
    return scheduled(...names.map((name, index): Short => [a, name, ...names.slice(index + 1)]));
  };
  t.equal(ordered(100).order.split(',')[0], '99');
  const growth = growthByFour(25, (count) => void ordered(count));
  // The cube of four: each operation is looked at from each other one. Paths would be as many as two to their number.
  t.ok(growth < 64, `${growth} times for four times as many operations`);
});

t.test('few creations with passwords share a transaction, wherever the password stands', async (t) => {
  const core = 'urn:ietf:params:scim:schemas:core:2.0:User';
  const lengthWith = (data: Record<string, unknown>) => {
    const operations = Array.from({ length: 120 }, () => ({ method: 'POST', path: '/Users', data }));
    return creationGroupLength(operations, [...operations.keys()], new Set());
  };
  t.equal(lengthWith({ userName: 'a' }), 100);
  const password = 'Correct-Horse-7';
  for (const data of [{ Password: password }, { [core]: { password } }, { [`${core}:password`]: password }])
    t.equal(lengthWith(data), 20, Object.keys(data).join());
});
