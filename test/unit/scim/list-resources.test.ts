import t from 'tap';
import { createListPermits, type ListClient } from '#src/scim/list/list-permits.js';
import { compileListQuery } from '#src/scim/list/list-query.js';
import { type ListSource, listResources, type SourceQuery } from '#src/scim/operations/list-resources.js';
import { userSchema } from '#src/scim/schema/user-attributes.js';

const stays: ListClient = { isGone: () => false, onceGone: () => () => undefined };

/** An organization of 50,000 users whose store only says what it is asked for. */
function open({ scimScanLimit = 200_000 } = {}) {
  const asked: SourceQuery[] = [];
  let turns = 0;
  const source: ListSource<number> = {
    noun: 'user',
    async page(query, { take }) {
      asked.push(query);
      return { taken: await take([1]), last: { value: 'a', id: 'a' }, more: true };
    },
    count: async () => 50_000,
  };
  const deps = {
    config: { scimScanLimit },
    scans: {
      run<T>(_holder: string, work: () => Promise<T>): Promise<T> {
        turns++;
        return work();
      },
    },
  } as Parameters<typeof listResources>[0];
  return {
    asked,
    turns: () => turns,
    list: (startIndex: number, cursor?: string) =>
      listResources(deps, source, {
        orgId: 'org',
        work: createListPermits().open({ orgId: 'org', noun: 'user', count: 1, most: 1, client: stays }),
        take: async ({ length }) => length,
        query: compileListQuery(
          { startIndex, count: 1, ...(cursor !== undefined && { cursor }) },
          userSchema,
        ),
      }),
  };
}

t.test('a page near the start is read at once, a deep one takes turns', async (t) => {
  const { list, turns, asked } = open();
  await list(10000);
  t.equal(turns(), 0);
  await list(10001);
  t.equal(turns(), 1);
  t.equal(asked.at(-1)?.skip, 10_000);
});

t.test('too deep a page is refused, and the error names cursors', async (t) => {
  const { list, asked } = open();
  t.match(await list(20000), { startIndex: 20_000, totalResults: 50_000 });
  const tooDeep = { definition: { id: 'scim.startIndexTooDeep', scimType: 'tooMany' } };
  for (const startIndex of [20_001, 50_000])
    await t.rejects(list(startIndex), {
      name: 'AppError',
      ...tooDeep,
      message: /above 20000\. Page by cursor/,
    });
  t.equal(asked.length, 1);
  await t.resolves(open({ scimScanLimit: 0 }).list(50000), '0 means no limit');
});

t.test('a page behind the end is empty, and nothing is read for it', async (t) => {
  const { list, asked } = open();
  for (const startIndex of [50_001, Number.MAX_SAFE_INTEGER])
    t.same(await list(startIndex), {
      taken: 0,
      totalResults: 50_000,
      startIndex,
    });
  t.same(asked, []);
});

t.test('a cursor makes startIndex meaningless', async (t) => {
  const { list, turns } = open();
  t.match(await list(50000, ''), { taken: 1 });
  t.equal(turns(), 0);
});
