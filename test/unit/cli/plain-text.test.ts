import fc from 'fast-check';
import t from 'tap';
import { createOutput } from '#src/cli/terminal/output.js';
import { plainJson, plainText, plainWord } from '#src/cli/terminal/plain-text.js';
import { table } from '#src/cli/terminal/table.js';

const hostile = [
  '\u001b[2J',
  '\u001b]0;title\u0007',
  '\u009b31m',
  '\r',
  '\b',
  '\u007f',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u2028',
  '\ud800',
];

t.test('what a terminal could take as a command is an escape', async (t) => {
  for (const text of hostile) {
    const shown = plainText(`a${text}b`);
    t.match(shown, /^a(\\u[0-9a-f]{4})[ -~]*b$/);
    t.notMatch(shown, text);
  }
  t.equal(plainText('\u001b[31mred'), '\\u001b[31mred');
});

t.test('names of every language stay, and lines of a text too', async (t) => {
  for (const name of ['Ærøskøbing', '山田 太郎', 'نیم\u200cفاصله', '👩\u200d💻', 'a\tb\nc'])
    t.equal(plainText(name), name);
  t.equal(plainWord('one\ntwo\tthree'), 'one\\u000atwo\\u0009three', 'but a word has no lines');
});

t.test('JSON has the same value, and no controls', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const json = plainJson({ value, text: [text, ...hostile] });
      t.same(JSON.parse(json), JSON.parse(JSON.stringify({ value, text: [text, ...hostile] })));
      return !/[^\P{Cc}\n]/u.test(json);
    }),
    { numRuns: 200 },
  );
});

t.test('cells of a table are words', async (t) => {
  const rows = [
    ['a\n\u001b', 1],
    ['b', 22],
  ];
  const width = 'a\\u000a\\u001b'.length;
  t.same(table(['name', 'n'], rows).split('\n'), [
    `${'name'.padEnd(width)}   n`,
    'a\\u000a\\u001b   1',
    `${'b'.padEnd(width)}  22`,
  ]);
});

t.test('everything that an output prints is plain', async (t) => {
  for (const isJson of [false, true]) {
    const written = { out: '', err: '' };
    const output = createOutput(
      {
        stdout: { write: (text) => (written.out += text) },
        stderr: { write: (text) => (written.err += text) },
      },
      isJson,
    );
    output.print('print \u001b[2J');
    output.note('note \u009b2J');
    output.result({ name: 'result \u001b\u009b' });
    t.equal(written.err, 'note \\u009b2J\n');
    t.equal(
      written.out,
      isJson ? '{\n  "name": "result \\u001b\\u009b"\n}\n' : 'print \\u001b[2J\n',
      'standard output has the text or the document, never both',
    );
  }
});
