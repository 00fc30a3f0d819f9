import t from 'tap';
import { batchLists } from '#src/platform/work/batch-lists.js';

/** Reads of short lists share a query. Long lists are read one by one. */

interface Item {
  readonly of: string;
  readonly n: number;
}

function open(sizes: Readonly<Record<string, number>>, laneOf?: (key: string) => string) {
  const reads: string[] = [];
  const listOf = (key: string): Item[] => Array.from({ length: sizes[key] ?? 0 }, (_, n) => ({ of: key, n }));
  const read = batchLists<string, Item>({
    async readMany(keys, limit) {
      reads.push(`many ${keys.join(' ')}`);
      return keys.flatMap(listOf).slice(0, limit);
    },
    async readOne(key) {
      reads.push(`one ${key}`);
      return listOf(key);
    },
    keyOf: ({ of }) => of,
    nameOf: (key) => key,
    ...(laneOf && { laneOf }),
  });
  const sizesOf = async (...keys: string[]) =>
    (await Promise.all(keys.map(read))).map((list, n) => {
      t.ok(
        list.every(({ of }) => of === keys[n]),
        'no item of another key',
      );
      return list.length;
    });
  return { reads, sizesOf };
}

t.test('simultaneous reads are one, and each caller gets its list', async (t) => {
  const { reads, sizesOf } = open({ a: 2, c: 498 });
  t.strictSame(await sizesOf('a', 'b', 'c', 'a'), [2, 0, 498, 2]);
  t.strictSame(reads, ['many a b c']);
});

t.test('a caller alone reads its list', async (t) => {
  const { reads, sizesOf } = open({ a: 700 });
  t.strictSame(await sizesOf('a'), [700]);
  t.strictSame(reads, ['one a']);
});

t.test('lists that are long together are read one by one, and completely', async (t) => {
  const { reads, sizesOf } = open({ a: 2, b: 499 });
  t.strictSame(await sizesOf('a', 'b'), [2, 499]);
  t.strictSame(reads, ['many a b', 'one a', 'one b']);
});

t.test('keys of different lanes share nothing', async (t) => {
  const { reads, sizesOf } = open({ a1: 1, a2: 1, b1: 1, b2: 1 }, (key) => key[0] ?? '');
  t.strictSame(await sizesOf('a1', 'b1', 'a2', 'b2'), [1, 1, 1, 1]);
  t.strictSame(reads.sort(), ['many a1 a2', 'many b1 b2']);
});
