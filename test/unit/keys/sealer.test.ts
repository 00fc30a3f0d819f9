import { randomBytes } from 'node:crypto';
import t from 'tap';
import { createSealer, parseMasterKeys } from '#src/keys/sealer.js';

const keyText = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
const one = keyText('k1');
const two = keyText('k2');
const sealerOf = (text: string, purpose = 'test') => createSealer(parseMasterKeys(text), purpose);
const plaintext = Buffer.from('a secret');

t.test('sealing and unsealing returns the text, and the sealed form differs each time', async (t) => {
  const sealer = sealerOf(one);
  for (const bytes of [plaintext, Buffer.alloc(0), randomBytes(10_000)]) {
    const [first, second] = [sealer.seal(bytes), sealer.seal(bytes)];
    t.same(sealer.unseal(first), bytes);
    t.same(sealer.unseal(second), bytes);
    t.notSame(first, second);
  }
  t.notOk(sealer.seal(plaintext).includes(plaintext));
});

t.test('keys can be rotated: the first seals, all unseal', async (t) => {
  const before = sealerOf(one).seal(plaintext);
  const rotated = sealerOf(`${two},${one}`);
  t.same(rotated.unseal(before), plaintext);
  const after = rotated.seal(plaintext);
  t.same(sealerOf(two).unseal(after), plaintext);
  t.equal(sealerOf(one).unseal(after), undefined);
  t.equal(sealerOf(two).unseal(before), undefined);
  t.same([rotated.isCurrent(before), rotated.isCurrent(after)], [false, true]);
});

t.test('another key under the same name opens nothing', async (t) => {
  t.equal(sealerOf(keyText('k1')).unseal(sealerOf(one).seal(plaintext)), undefined);
});

t.test('a text sealed for one purpose is not unsealed for another', async (t) => {
  t.equal(sealerOf(one, 'access-token').unseal(sealerOf(one, 'job-body').seal(plaintext)), undefined);
});

t.test('no single bit can be changed, and nothing cut off or added', async (t) => {
  const sealer = sealerOf(one);
  const sealed = sealer.seal(plaintext);
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (sealer.unseal(changed) !== undefined) t.fail(`bit ${bit} was changed`);
  }
  for (let length = 0; length < sealed.length; length++) {
    if (sealer.unseal(sealed.subarray(0, length)) !== undefined) t.fail(`cut to ${length} bytes`);
  }
  t.equal(sealer.unseal(Buffer.concat([sealed, Buffer.from([0])])), undefined);
  for (const bytes of [Buffer.alloc(0), Buffer.alloc(100, 255), randomBytes(200)]) {
    t.equal(sealer.unseal(bytes), undefined);
  }
});

t.test('there is no sealer without a key', async (t) => {
  t.throws(() => createSealer([], 'test'));
});
