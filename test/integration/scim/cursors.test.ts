import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { type Json, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Pages by cursor (RFC 9865) while users come and go, and cursors that are not for the list. */

const { tenant } = await openScim(t);

const sorts = [
  undefined,
  'id',
  'userName',
  'name.familyName',
  'name.givenName',
  'emails',
  'meta.created',
  'meta.lastModified',
] as const;

type Parameters = Readonly<Record<string, string | number>>;

async function list(client: ScimClient, parameters: Parameters, path = '/Users'): Promise<Json> {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return (await client.get(`${path}?${query}`)).body;
}

/** A user with ties in every attribute that lists are sorted by, and in half of all cases without these attributes. */
const userOf = (userName: string, n: number) => ({
  schemas: [urn.user],
  userName,
  ...(n % 2 === 0 && {
    name: { familyName: `F${n % 3}`, givenName: `G${n % 4}` },
    emails: [{ value: `${n % 3}@x.example`, type: 'work', primary: true }],
  }),
});

/** Filters that are tested in the order of the list, and one whose matches are united. */
const filters = ['title co "stays" or active eq true', 'userName sw "s" or userName sw "c"'];
const orders = sorts.flatMap((sortBy) =>
  (['ascending', 'descending'] as const).map((sortOrder) => ({ sortBy, sortOrder, filter: undefined })),
);
const filtered = filters.flatMap((filter) => [
  { sortBy: undefined, sortOrder: 'ascending' as const, filter },
  { sortBy: 'name.familyName', sortOrder: 'descending' as const, filter },
]);

for (const { sortBy, sortOrder, filter } of [...orders, ...filtered]) {
  const name = `by ${sortBy ?? 'nothing'} ${sortOrder}${filter === undefined ? '' : `, ${filter}`}`;
  t.test(`${name}: who stays all the time is found exactly once`, async (t) => {
    const scim = await tenant();
    const standing: string[] = [];
    const passing: string[] = [];
    // Several at once, so that some are created in the same millisecond.
    const create = async (kind: string, n: number) => {
      const { status, body, text } = await scim.post('/Users', userOf(`${kind}-${(n * 7) % 16}-${n}`, n));
      if (status !== 201) throw new Error(text);
      return body.id as string;
    };
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        standing.push(await create('stays', n));
        if (n % 2 === 0) passing.push(await create('s-goes', n));
      }),
    );
    const order = { ...(sortBy && { sortBy }), sortOrder, ...(filter && { filter }) };
    const found: string[] = [];
    let cursor: string | undefined = '';
    for (let pages = 0; cursor !== undefined; pages++) {
      const page: Json = await list(scim, { ...order, count: 3, cursor });
      found.push(...page.Resources.map(({ id }: Json) => id));
      cursor = page.nextCursor;
      const going = passing.shift();
      if (going !== undefined) await scim.delete(`/Users/${going}`);
      if (pages < 6) await create('comes', pages);
      if (pages > 50) throw new Error('endless');
    }
    t.equal(new Set(found).size, found.length, 'nobody twice');
    t.same(
      standing.filter((id) => !found.includes(id)),
      [],
      'nobody is missing',
    );
  });
}

t.test('a cursor of another list is refused', async (t) => {
  const scim = await tenant();
  const theirs = await tenant();
  for (const client of [scim, theirs]) {
    for (const n of [0, 1, 2]) await client.create({ userName: `user-${n}` });
    for (const n of [0, 1, 2])
      await client.post('/Groups', { schemas: [urn.group], displayName: `group-${n}` });
  }
  const filter = 'active eq true';
  const lists: Record<string, [ScimClient, Parameters, string]> = {
    'the list': [scim, { filter }, '/Users'],
    'another organization': [theirs, { filter }, '/Users'],
    'another filter': [scim, { filter: 'userName pr' }, '/Users'],
    'no filter': [scim, {}, '/Users'],
    'another order': [scim, { filter, sortBy: 'userName' }, '/Users'],
    'the other direction': [scim, { filter, sortOrder: 'descending', sortBy: 'id' }, '/Users'],
    'groups of the organization': [scim, {}, '/Groups'],
  };
  for (const [made, [client, parameters, path]] of Object.entries(lists)) {
    const { nextCursor } = await list(client, { ...parameters, count: 2, cursor: '' }, path);
    for (const [used, [other, others, otherPath]] of Object.entries(lists)) {
      const answer = await list(other, { ...others, count: 2, cursor: nextCursor }, otherPath);
      const outcome = answer.scimType ?? answer.Resources?.length;
      t.equal(outcome, made === used ? 1 : 'invalidCursor', `of ${made} for ${used}`);
      if (made !== used) t.equal(answer.status, '400');
    }
  }
});

t.test(
  'a filtered list by cursor has the total of its first page; the whole list has the one of now',
  async (t) => {
    const scim = await tenant();
    for (let n = 0; n < 5; n++) await scim.create({ userName: `user-${n}` });
    const filters: [Parameters, number][] = [
      [{}, 6],
      [{ filter: 'active eq true' }, 5],
      [{ filter: 'userName sw "user"' }, 6],
    ];
    for (const [parameters, total] of filters) {
      const first = await list(scim, { ...parameters, count: 2, cursor: '' });
      t.equal(first.totalResults, 5);
      const { id } = await scim.create({ userName: 'user-later' });
      const second = await list(scim, { ...parameters, count: 2, cursor: first.nextCursor });
      t.equal(second.totalResults, total, JSON.stringify(parameters));
      await scim.delete(`/Users/${id}`);
    }
  },
);
