import t from 'tap';
import { createBodyBuffers } from '#src/http/bodies/body-buffers.js';

t.test('a buffer is used again for a body of its size', async (t) => {
  const buffers = createBodyBuffers();
  const first = buffers.take(5_000);
  t.equal(first.length, 16_384);
  const second = buffers.take(5_000);
  t.not(second, first, 'each has one reader');
  buffers.giveBack(first);
  t.not(buffers.take(16_385), first, 'it is too small');
  t.equal(buffers.take(16_384), first);
});

t.test('large buffers are not kept', async (t) => {
  const buffers = createBodyBuffers();
  const large = buffers.take(65_537);
  t.equal(large.length, 65_537);
  buffers.giveBack(large);
  t.not(buffers.take(65_537), large);
});

t.test('at most 32 MiB are kept', async (t) => {
  const buffers = createBodyBuffers();
  const lent = Array.from({ length: 600 }, () => buffers.take(65_536));
  for (const buffer of lent) buffers.giveBack(buffer);
  const again = new Set(Array.from({ length: 600 }, () => buffers.take(65_536)));
  t.equal(lent.filter((buffer) => again.has(buffer)).length, 512);
});
