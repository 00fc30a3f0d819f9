import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { KeySet } from '#src/migration/digest/key-set.js';
import {
  canonicalJson,
  isSameJson,
  keyLength,
  sumOf,
  totalDigest,
} from '#src/migration/digest/record-digest.js';
import { createRecordSums } from '#src/migration/digest/record-sums.js';
import type { Comparison } from '#src/migration/import/lists/section/section.js';
import { comparePart } from '#src/migration/import/verify/compare-part.js';
import { ListSums } from '#src/migration/import/verify/list-sums.js';
import { processorTime } from '../../support/processor-time.js';

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
  const count = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0]);
  const bytes = Buffer.concat([...lanes.map((value) => Buffer.from([value % 256, value >> 8])), count]);
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

t.test('65,536 equal records are not as good as none', async (t) => {
  const sum = sumOf(['one']);
  for (let doubled = 0; doubled < 16; doubled++) sum.addBytes(sum.bytes());
  t.not(sum.digest(), sumOf([]).digest());
  const sums = new ListSums();
  const counts = { same: 0, missing: 65_536, different: 0, refused: 0 };
  sums.add('humanUsers', { ...counts, source: sum.bytes(), target: sum.bytes(), matched: Buffer.alloc(0) });
  t.equal(sums.result().isSame, false, 'and the counts decide too');
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

t.test('values are known as the same without making their texts', async (t) => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).reverse();
    return Object.fromEntries(entries.map(([key, item]) => [key, reversed(item)]));
  };
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const areSame = canonicalJson(a) === canonicalJson(b);
      return isSameJson(a, b) === areSame && isSameJson(a, reversed(a)) && isSameJson([a, { b }], [a, { b }]);
    }),
  );
  t.ok(isSameJson({ a: 1, b: undefined, at: new Date(7) }, { at: new Date(7), a: 1, c: undefined }));
  for (const [a, b] of [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [
      { a: 1, b: 2 },
      { a: 1, c: 2 },
    ],
    [{ toString: {} }, {}],
    [new Date(1), new Date(2)],
    [new Date(1), {}],
    [{}, new Date(1)],
    [{}, []],
    [[], {}],
    [[1, 2], [1]],
    [
      [1, 2],
      [2, 1],
    ],
    [null, undefined],
    ['1', 1],
  ])
    t.notOk(isSameJson(a, b), JSON.stringify([a, b]));
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

t.test('a set of keys takes keys that begin alike as fast as others', async (t) => {
  const keys = Array.from({ length: 40_000 }, () => Buffer.concat([Buffer.alloc(4, 7), randomBytes(12)]));
  const set = new KeySet(keys.length);
  const begun = processorTime();
  for (const key of keys) set.add(key);
  t.ok(processorTime() - begun < 2_000);
});

const recordSums = createRecordSums();
t.teardown(() => recordSums.close());

t.test('a thread sums up the records of a large part as they are summed up here', async (t) => {
  const texts = Array.from({ length: 300 }, (_, index) => `record ${index} ${'é€😀'.repeat(index % 3)}`);
  for (const some of [texts.slice(0, 3), texts, texts.slice(100)])
    t.ok((await recordSums.of(some)).equals(sumOf(some).bytes()));
});

const partOf = (kind: 'skipped' | 'failed', value: unknown, compared?: Comparison) =>
  comparePart(recordSums, {
    list: 'humanUsers',
    orgId: 'o',
    records: [{ value }],
    outcomes: [
      kind === 'skipped' ? { kind, id: 'x' } : { kind, id: 'x', code: 'VALUE-INVALID', message: '' },
    ],
    ...(compared && { comparisons: new Map([[0, compared]]) }),
  });

t.test('the digest of the service is of what the service has', async (t) => {
  const same = await partOf('skipped', {}, { key: 'k', given: { a: 1 }, stored: { a: 1 } });
  t.ok(same.source.equals(same.target));
  const other = await partOf('skipped', {}, { key: 'k', given: { a: 1 }, stored: { a: 2 } });
  t.ok(other.source.equals(same.source));
  t.notOk(other.target.equals(same.target), 'also if the counts say that it is the same');
});

t.test('a password in plain text is not part of a digest', async (t) => {
  const source = async (password: string, nickName: string) =>
    (await partOf('failed', { userId: 'x', user: { password, nested: [{ password }], nickName } })).source;
  const first = await source('first', 'a');
  t.ok(first.equals(await source('second', 'a')));
  t.notOk(first.equals(await source('first', 'b')));
});

t.test('the digests of a part are equal exactly if every record is the same', async () => {
  const verdicts = ['same', 'missing', 'different', 'refused'] as const;
  const outcomes = {
    same: { kind: 'skipped', id: 'x' },
    missing: { kind: 'created', id: 'x' },
    different: { kind: 'failed', id: 'x', code: 'OTHER-CONTENT', message: '' },
    refused: { kind: 'failed', id: 'x', code: 'VALUE-INVALID', message: '' },
  } as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...verdicts), { minLength: 1, maxLength: 6 }),
      fc.nat(2),
      async (chosen, extra) => {
        const part = await comparePart(recordSums, {
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
