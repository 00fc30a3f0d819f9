import t from 'tap';
import { createFingerprints } from '#src/keys/fingerprints.js';

const key = (id: string, fill: number) => ({ id, key: Buffer.alloc(32, fill) });
const [first, second] = [key('one', 1), key('two', 2)];
const own = createFingerprints([first], 'test');

t.test('a fingerprint is of one text of one object', async (t) => {
  const print = own.of('ada', 'hash');
  t.match(print, /^one:[\w-]{43}$/);
  t.equal(own.matches(print, 'ada', 'hash'), true);
  t.equal(own.matches(print, 'ada', 'other'), false);
  t.equal(own.matches(print, 'bob', 'hash'), false, 'two people with one hash do not look alike');
  t.equal(own.matches(`${print}x`, 'ada', 'hash'), false);
});

t.test('a fingerprint is of one key and one purpose', async (t) => {
  const print = own.of('ada', 'hash');
  const rotated = createFingerprints([second, first], 'test');
  t.equal(rotated.matches(print, 'ada', 'hash'), true, 'an older key still recognizes');
  t.match(rotated.of('ada', 'hash'), /^two:/);
  t.equal(createFingerprints([second], 'test').matches(print, 'ada', 'hash'), undefined, 'the key is gone');
  t.equal(createFingerprints([first], 'other').matches(print, 'ada', 'hash'), false);
  t.equal(own.matches('', 'ada', 'hash'), undefined);
  t.throws(() => createFingerprints([], 'test'));
});
