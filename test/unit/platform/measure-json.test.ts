import t from 'tap';
import { measureJson } from '#src/platform/json/measure-json.js';

t.test('objects, arrays and members count, and strings hide everything', async (t) => {
  const examples: [unknown, { depth: number; values: number; members: number }][] = [
    [1, { depth: 0, values: 0, members: 0 }],
    ['{[":"]}', { depth: 0, values: 0, members: 0 }],
    ['\\"{', { depth: 0, values: 0, members: 0 }],
    [{}, { depth: 1, values: 1, members: 0 }],
    [[1, 2, 3], { depth: 1, values: 1, members: 0 }],
    [
      { a: 1, 'b:{': ':' },
      { depth: 1, values: 3, members: 2 },
    ],
    [[{ a: [] }, { b: { c: null } }], { depth: 3, values: 8, members: 3 }],
  ];
  for (const [value, measures] of examples) {
    for (const text of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      t.same(measureJson(text), measures, text);
    }
  }
});

t.test('it takes any text', async (t) => {
  for (const text of ['', ']]]', '"', '"\\', '[[[']) t.doesNotThrow(() => measureJson(text), text);
  t.same(measureJson(']]][').depth, 0);
});
