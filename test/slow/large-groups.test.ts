import t from 'tap';
import { openScim } from '../support/app/scim-app.js';
import { type Json, urn } from '../support/scim/scim-client.js';

/** A page by index of several groups has 100,000 memberships at most, and a filter looks at no more. */

const { tenant, container } = await openScim(t);
const group = 'urn:ietf:params:scim:schemas:core:2.0:Group';

t.test('lists and filters over groups of 50,001 members', async (t) => {
  const scim = await tenant();
  const groups: string[] = [];
  for (const displayName of ['First', 'Second'])
    groups.push((await scim.post('/Groups', { schemas: [group], displayName })).body.id);
  const { db } = container.mongo;
  const memberships = groups.flatMap((groupId, g) =>
    Array.from({ length: 50_001 }, (_, n) => ({
      _id: `${groupId} ${g}-${n}` as never,
      orgId: scim.orgId,
      groupId,
      userId: `${g}-${n}`,
    })),
  );
  for (let from = 0; from < memberships.length; from += 10_000)
    await db.collection('groupMembers').insertMany(memberships.slice(from, from + 10_000));
  const read = async (parameters: string) => {
    const { body } = await scim.get(`/Groups?sortBy=displayName&${parameters}`);
    const { totalResults, itemsPerPage, startIndex, nextCursor, Resources } = body;
    t.notOk(Resources.some((found: Json) => 'members' in found));
    const names = Resources.map(({ displayName }: Json) => displayName);
    return { page: [totalResults, itemsPerPage, startIndex, ...names], nextCursor };
  };
  const tooMany = await scim.get('/Groups?sortBy=displayName&count=100');
  t.strictSame(
    [tooMany.status, tooMany.body.scimType],
    [400, 'tooMany'],
    'a page by index is whole or refused',
  );
  t.strictSame((await read('count=1')).page, [2, 1, 1, 'First']);
  t.strictSame((await read('count=100&startIndex=2')).page, [2, 1, 2, 'Second']);
  const byCursor = await read('cursor=');
  t.strictSame(
    [byCursor.page, byCursor.nextCursor],
    [[2, 2, 1, 'First', 'Second'], undefined],
    'a page by cursor ends by its text, and members who are gone have none',
  );
  const first = await read('cursor=&count=1');
  const next = await read(`cursor=${first.nextCursor}&count=1`);
  t.strictSame(
    [first.page, next.page, next.nextCursor],
    [[2, 1, 1, 'First'], [2, 1, 1, 'Second'], undefined],
  );
  t.strictSame((await read('excludedAttributes=members')).page, [2, 2, 1, 'First', 'Second']);
  const search = {
    schemas: [urn.searchRequest],
    filter: 'meta.resourceType eq "Group"',
    sortBy: 'displayName',
  };
  t.match((await scim.post('/.search', search)).body, { status: '400', scimType: 'tooMany' });
  const one = await scim.post('/.search', { ...search, count: 1 });
  t.match(one.body, { totalResults: 2, itemsPerPage: 1, Resources: [{ displayName: 'First' }] });
  for (const filter of [
    `groups.value eq "${groups[0]}" and active eq true`,
    `groups.value eq "${groups[0]}" or groups.value eq "${groups[1]}"`,
  ]) {
    const refused = await scim.get(`/Users?filter=${encodeURIComponent(filter)}`);
    t.strictSame([refused.status, refused.body.scimType], [400, 'tooMany'], filter);
  }
});
