import t from 'tap';
import { ListTooLong, parseLongList } from '#src/platform/json/parse-long-list.js';

const read = (element: unknown) => (element as { value: unknown }).value;
const parse = (text: string, most = 1_000_000) =>
  parseLongList(text, { name: 'members', read, most }, JSON.parse);
const outcome = async (text: string) => {
  try {
    return await parse(text);
  } catch (error) {
    return (error as Error).name;
  }
};

t.test('short texts', async (t) => {
  for (const [text, expected] of [
    ['{"members":[{"value":"a"},{"value":"b"}],"x":[1]}', { members: ['a', 'b'], x: [1] }],
    [
      '{ "x" : {"members":[1]} , "Members" : [ {"value":"]\\"[,"} ] }',
      { x: { members: [1] }, Members: [']"[,'] },
    ],
    ['{"members":[]}', { members: [] }],
    ['{"members":[ \n ]}', { members: [] }],
    ['{"members":null,"a":["members"]}', { members: null, a: ['members'] }],
    ['{"members":{"value":"a"}}', { members: { value: 'a' } }],
    ['{"a":"members","b":[{"c":1}]}', { a: 'members', b: [{ c: 1 }] }],
    ['{"members":[{"value":"a"}],"members":[{"value":"b"}]}', { members: ['b'] }],
    ['{"members":[{"value":[[1],{"a":[2]}]}]}', { members: [[[1], { a: [2] }]] }],
    ['[{"members":[1]}]', [{ members: [1] }]],
    ['7', 7],
    ['{"members":[{"value":"a"}', 'SyntaxError'],
    ['{"members":[,]}', 'SyntaxError'],
    ['{"members":[{"value":1},]}', 'SyntaxError'],
    ['{"members":[{"value":1}}', 'SyntaxError'],
    ['{"members":[1]]', 'SyntaxError'],
    ['{"members":["a" "b"]}', 'SyntaxError'],
    ['', 'SyntaxError'],
  ] as const)
    t.strictSame(await outcome(text), expected, text);
});

t.test('a long list is read in parts', async (t) => {
  const values = Array.from({ length: 50_000 }, (_, n) => `${n},"[]{}\\`);
  const members = values.map((value) => ({ value, display: 'x' }));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  t.strictSame(await parse(JSON.stringify({ a: 1, members, b: 2 })), { a: 1, b: 2, members: values });
  isDone = true;
  t.ok(turns > 20, `${turns} turns of other work`);
  t.strictSame(await parse(JSON.stringify({ members }, null, 1)), { members: values });
  const text = JSON.stringify({ members });
  const middle = text.indexOf('},{', text.length / 2);
  t.equal(await outcome(`${text.slice(0, middle)}},,{${text.slice(middle + 3)}`), 'SyntaxError');
  t.equal(await outcome(`${text.slice(0, -2)},]}`), 'SyntaxError');
  t.ok((await parse(text, 49_999).catch((error: unknown) => error)) instanceof ListTooLong);
});
