import { deflateRawSync, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { deflateSmall, inflateSmall } from '#src/authorization/small-deflate.js';

/** What zlib writes and reads is the other program for the format. */

const most = 64 * 1024;
const texts = [
  '',
  '{}',
  'é'.repeat(499),
  'x'.repeat(999),
  'x'.repeat(1_000),
  'x'.repeat(1_001),
  'x'.repeat(most),
];

t.test('zlib reads what it writes, and it reads what zlib writes', async (t) => {
  for (const text of texts) {
    const own = deflateSmall(text);
    t.equal(inflateRawSync(own).toString(), text);
    t.equal(inflateSmall(own, most), text);
    for (const level of [0, 1, 9]) t.equal(inflateSmall(deflateRawSync(text, { level }), most), text);
  }
});

t.test('a short text is not compressed, and a long one is', async (t) => {
  t.equal(deflateSmall('x'.repeat(1_000)).length, 1_005);
  t.ok(deflateSmall('x'.repeat(1_001)).length < 100);
});

t.test('several blocks are no short text', async (t) => {
  const [one, two] = [deflateSmall('first'), deflateSmall('second')];
  const first = Buffer.from(one);
  first[0] = 0;
  t.equal(inflateSmall(Buffer.concat([first, two]), most), 'firstsecond');
});

t.test('a text that is too long, cut off or damaged is refused', async (t) => {
  t.throws(() => inflateSmall(deflateRawSync('x'.repeat(most + 1)), most));
  const own = deflateSmall('some text');
  for (const damaged of [Buffer.alloc(0), own.subarray(0, 1), own.subarray(0, 4), own.subarray(0, -1)])
    t.throws(() => inflateSmall(damaged, most), `${damaged.length} bytes`);
});
