import t from 'tap';
import { drawRandom } from '#src/platform/random.js';

t.test('no bytes are drawn twice, also where the pool is filled again', async (t) => {
  const drawn = Array.from({ length: 2_000 }, () => drawRandom(17));
  t.ok(drawn.every((bytes) => bytes.length === 17));
  t.equal(new Set(drawn.map((bytes) => bytes.toString('hex'))).size, drawn.length);
  t.notOk(drawn.some((bytes) => bytes.every((byte) => byte === 0)));
  t.equal(drawRandom(8_192).length, 8_192, 'the whole pool');
});

t.test('what was drawn stays as it was', async (t) => {
  const first = drawRandom(32);
  const copy = Buffer.from(first);
  for (let n = 0; n < 1_000; n++) drawRandom(32);
  t.strictSame(first, copy);
});

t.test('other lengths are refused, and the next bytes are whole', async (t) => {
  for (const length of [0, -1, 1.5, 8_193, Number.NaN, Number.POSITIVE_INFINITY])
    t.throws(() => drawRandom(length), RangeError, String(length));
  t.equal(drawRandom(32).length, 32);
});
