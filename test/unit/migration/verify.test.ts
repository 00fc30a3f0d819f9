import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { comparePart } from '#src/migration/verify/compare-part.js';
import { KeySet } from '#src/migration/verify/key-set.js';
import { ListSums } from '#src/migration/verify/list-sums.js';
import { canonicalJson, keyLength, RecordSum, totalDigest } from '#src/migration/verify/record-digest.js';

const sumOf = (texts: readonly string[]) => {
  const sum = new RecordSum();
  for (const text of texts) sum.add(text);
  return sum;
};

t.test('a sum depends on what is in it, and on nothing else', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 8 }), fc.nat(), (texts, at) => {
      const digest = sumOf(texts).digest();
      const [before, behind] = [texts.slice(0, at % 9), texts.slice(at % 9)];
      const joined = sumOf(behind);
      joined.addBytes(sumOf(before).bytes());
      return (
        joined.digest() === digest &&
        sumOf([...texts].reverse()).digest() === digest &&
        sumOf([...texts, 'more']).digest() !== digest &&
        (texts.length === 0 || sumOf(texts.slice(1)).digest() !== digest)
      );
    }),
  );
  t.not(sumOf(['a', 'a']).digest(), sumOf(['b', 'b']).digest(), 'a pair does not cancel itself out');
  t.not(sumOf(['a', 'a']).digest(), sumOf([]).digest());
});

t.test('a sum is what its description says', async (t) => {
  // Computed apart from the product: SHAKE128, little-endian 16-bit additions, SHA-256.
  const texts = ['one', 'two', 'three'];
  const lanes = Array.from({ length: 1_024 }, (_, lane) =>
    texts
      .map((text) =>
        createHash('shake128', { outputLength: 2_048 })
          .update(text)
          .digest()
          .readUInt16LE(lane * 2),
      )
      .reduce((a, b) => (a + b) % 65_536),
  );
  const bytes = Buffer.concat(lanes.map((value) => Buffer.from([value % 256, value >> 8])));
  t.equal(sumOf(texts).digest(), createHash('sha256').update(bytes).digest('hex'));
  const lines = 'a 1\nb 2\n';
  const total = totalDigest(
    new Map([
      ['b', '2'],
      ['a', '1'],
    ]),
  );
  t.equal(total, createHash('sha256').update(lines).digest('hex'));
});

t.test('equal values have equal texts, and others have not', async (t) => {
  t.equal(canonicalJson({ b: [1, { d: null, c: 'x' }], a: undefined }), '{"b":[1,{"c":"x","d":null}]}');
  t.equal(canonicalJson({ at: new Date(0) }), '{"at":"1970-01-01T00:00:00.000Z"}');
  t.equal(canonicalJson(undefined), 'null');
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      return canonicalJson(JSON.parse(text)) === text;
    }),
  );
});

t.test('a set of keys knows what was added, however full it is', async (t) => {
  const keys = Array.from({ length: 3_000 }, () => randomBytes(keyLength));
  const set = new KeySet(2_000);
  const all = Buffer.concat(keys.slice(0, 2_000));
  for (let at = 0; at < all.length; at += keyLength) set.add(all, at);
  set.add(all, 0);
  t.ok(keys.slice(0, 2_000).every((key) => set.has(key)));
  t.notOk(keys.slice(2_000).some((key) => set.has(key)));
  const empty = new KeySet(0);
  t.notOk(empty.has(keys[0] ?? Buffer.alloc(keyLength)));
});

t.test('the digests of a part are equal exactly if every record is the same', async () => {
  const verdicts = ['same', 'missing', 'different', 'refused'] as const;
  const outcomes = {
    same: { kind: 'skipped', id: 'x' },
    missing: { kind: 'created', id: 'x' },
    different: { kind: 'failed', id: 'x', code: 'OTHER-CONTENT', message: '' },
    refused: { kind: 'failed', id: 'x', code: 'VALUE-INVALID', message: '' },
  } as const;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...verdicts), { minLength: 1, maxLength: 6 }),
      fc.nat(2),
      (chosen, extra) => {
        const part = comparePart({
          list: 'humanUsers',
          orgId: 'o',
          records: chosen.map((_, place) => ({ value: place })),
          outcomes: chosen.map((verdict) => outcomes[verdict]),
          comparisons: new Map(
            chosen.flatMap((verdict, place) =>
              verdict === 'refused'
                ? []
                : [[place, { key: `k${place}`, given: { a: 1 }, stored: { a: 1 } }] as const],
            ),
          ),
        });
        const sums = new ListSums();
        sums.add('humanUsers', part);
        for (let one = 0; one < extra; one++) sums.addExtra('humanUsers', `extra ${one}`);
        const { isSame, lists } = sums.result();
        const counted = chosen.filter((verdict) => verdict === 'same' || verdict === 'different').length;
        return (
          isSame === (extra === 0 && chosen.every((verdict) => verdict === 'same')) &&
          part.matched.length === counted * keyLength &&
          verdicts.every((verdict) => lists[0]?.[verdict] === chosen.filter((one) => one === verdict).length)
        );
      },
    ),
  );
});
