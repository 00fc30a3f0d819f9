import t from 'tap';
import { readJson } from '#src/console/settings/read-json.js';

const errorOf = (text: string) => {
  const read = readJson(text);
  return 'error' in read ? read.error : undefined;
};

t.test('an object is read', async (t) => {
  t.same(readJson(' { "a": [1, -2.5e3, true, null, "\\u00e9"], "b": {} } '), {
    value: { a: [1, -2500, true, null, 'é'], b: {} },
  });
});

for (const [text, place] of [
  ['{\n  "name": oops\n}', 'line 2, column 11: oops'],
  ['{ "a": 1, }', 'line 1, column 11: }'],
  ['{ "a" 1 }', 'line 1, column 7: 1 }'],
  ['{ "a": [1 2] }', 'line 1, column 11: 2] }'],
  ['{ "a": 1', 'line 1, column 9: it ends too early'],
  ['{ "a": "x\n" }', 'line 1, column 8: "x'],
  ['{} {}', 'line 1, column 4: {}'],
  ["{ 'a': 1 }", "line 1, column 3: 'a': 1 }"],
  ['{ "a": 01 }', 'line 1, column 8: 01 }'],
  ['', 'line 1, column 1: it ends too early'],
] as const) {
  t.test(`the fault of ${JSON.stringify(text)} has its place`, async (t) => {
    t.equal(errorOf(text), `The text is no JSON at ${place}`);
  });
}

t.test('other values are refused', async (t) => {
  for (const text of ['[]', 'null', '"{}"', '1']) t.match(errorOf(text), 'no JSON object');
});
