import t from 'tap';
import { foldCase } from '#src/directory/search-keys.js';
import { newId } from '#src/platform/ids.js';
import { makeOrganization } from '../../../support/app/make.js';
import { makePerson } from '../../../support/app/oauth-client.js';
import { openTestContainer } from '../../../support/app/test-container.js';
import { havingValue } from '../../../support/stores/queries.js';

const { container } = await openTestContainer(t);
const { users } = container;
const here = await makeOrganization(container);
const there = await makeOrganization(container);
const people = await Promise.all(
  [here, there].flatMap((organization) =>
    ['Ada', 'Grace', 'ΟΔΥΣΣΕΥΣ'].map((userName) => makePerson(container, organization, { userName })),
  ),
);

t.test('simultaneous look-ups are kept apart by organization, by id and by userName', async (t) => {
  const asked = [here, there].flatMap(({ id: orgId }) => people.map((person) => ({ orgId, person })));
  const byId = await Promise.all(asked.map(({ orgId, person }) => users.find(orgId, person.id)));
  t.same(
    byId.map((found) => found?.id),
    asked.map(({ orgId, person }) => (person.orgId === orgId ? person.id : undefined)),
  );
  const byUserName = await Promise.all(
    asked.map(({ orgId, person }) =>
      users.page(orgId, {
        filter: havingValue('search.userName', foldCase(person.userName)),
        sort: { field: '_id', direction: 1 },
        skip: 0,
        limit: 10,
      }),
    ),
  );
  for (const [index, { orgId, person }] of asked.entries()) {
    const page = byUserName[index];
    const expected = people.find((one) => one.orgId === orgId && one.userName === person.userName);
    t.same(page?.users, [await users.find(orgId, expected?.id ?? '')]);
    t.same(page?.last, { value: expected?.id, id: expected?.id });
  }
});

t.test('a look-up of a missing user beside others finds no user', async (t) => {
  const page = (orgId: string, userName: string) =>
    users.page(orgId, {
      filter: havingValue('search.userName', userName),
      sort: { field: '_id', direction: -1 },
      skip: 0,
      limit: 1,
    });
  const [ada, nobody, nowhere] = await Promise.all([
    page(here.id, 'ada'),
    page(here.id, 'nobody'),
    page(newId(), 'ada'),
  ]);
  t.equal(ada.users.length, 1);
  t.same([nobody, nowhere], [{ users: [] }, { users: [] }]);
});
