import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createTextWriter } from '#src/migration/convert/text-writer.js';

const blockLength = 1024 * 1024;

t.test('a file has each text once and in order, whatever the lengths', async (t) => {
  const path = join(t.testdir(), 'out.json');
  const texts = [
    '',
    'a',
    'ü€😀'.repeat(100_000),
    'x'.repeat(blockLength),
    '€'.repeat(Math.floor(blockLength / 3)),
    '😀'.repeat(blockLength),
    ...Array.from({ length: 5_000 }, (_, n) => `{"n":${n},"name":"Åsa ${'é'.repeat(n % 300)}"}\n`),
    'the end',
  ];
  const writer = createTextWriter(path);
  for (const text of texts) writer.write(text);
  writer.finish();
  t.ok(readFileSync(path, 'utf8') === texts.join(''));
});

t.test('a file that exists already is left alone', async (t) => {
  const path = join(t.testdir({ 'out.json': 'mine' }), 'out.json');
  t.throws(() => createTextWriter(path));
  t.equal(readFileSync(path, 'utf8'), 'mine');
});
