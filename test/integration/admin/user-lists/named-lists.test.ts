import t from 'tap';
import { addApplication } from '#src/clients/applications/add-application.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { runUpgrades } from '#src/platform/mongo/run-upgrades.js';
import { upgrades } from '#src/upgrades.js';
import { makeCaller, makeTenant, testEditor } from '../../../support/app/make.js';
import { makeHome } from '../../../support/app/people.js';
import { buildTestApp } from '../../../support/app/test-app.js';

/** The lists in which people search groups and applications by their names. */

const { container, call, clock } = await buildTestApp(t);
const home = await makeHome(container, { name: 'Acme' });
const caller = await makeCaller(container, home.id, ['ORG_OWNER']);
const names = ['Über uns', 'Buecher', "O'Brien", 'straße', 'Zoo', 'Bäder'];
const inOrder = ['Bäder', 'Buecher', "O'Brien", 'straße', 'Über uns', 'Zoo'];

const kinds = {
  groups: async (orgId: string, displayName: string) => {
    const profile = { displayName };
    await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor });
  },
  applications: async (orgId: string, name: string) => {
    const settings = {
      name,
      type: 'native',
      authMethod: 'none',
      redirectUris: ['https://a.example/'],
    } as const;
    await addApplication(container, { orgId, settings, editor: testEditor });
  },
};

for (const [kind, add] of Object.entries(kinds)) {
  const byName = kind === 'groups' ? {} : { sort: 'name' };

  const page = (query: Record<string, string>, orgId = home.id) =>
    call(`GET /admin/v1/orgs/${orgId}/${kind}?${new URLSearchParams(query)}`, { as: caller });

  /** The names of all pages. */
  async function namesOf(query: Record<string, string>): Promise<string[]> {
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { status, body } = await page({ ...query, ...(after !== undefined && { after }) });
      t.equal(status, 200);
      found.push(...body.items.map(({ name, displayName = name }: Record<string, string>) => displayName));
      after = body.next;
    } while (after !== undefined);
    return found;
  }

  t.test(`${kind} are found however their names are written`, async (t) => {
    for (const name of names) {
      clock.advance(1);
      await add(home.id, name);
    }
    const other = await makeTenant(container);
    await add(other.orgId, 'Zoo elsewhere');
    const found = async (search: string) => namesOf({ ...byName, search });
    for (const search of ['über', 'ueber', 'UBER', ' Über u'])
      t.same(await found(search), ['Über uns'], search);
    for (const search of ['bücher', 'bucher', 'Buecher']) t.same(await found(search), ['Buecher'], search);
    for (const search of ['obrien', 'O’B', "o'b"]) t.same(await found(search), ["O'Brien"], search);
    for (const search of ['strasse', 'Straße']) t.same(await found(search), ['straße'], search);
    t.same(await found('zoo'), ['Zoo'], 'not that of another organization');
    t.same(await found('b'), ['Bäder', 'Buecher']);
    t.same(await found('rien'), []);
    t.same(await found("'"), inOrder, 'nothing is left of the text');
  });

  t.test(`${kind} have orders, pages and a count`, async (t) => {
    for (const limit of ['50', '4', '1']) t.same(await namesOf({ ...byName, limit }), inOrder, limit);
    t.same(await namesOf({ ...byName, order: 'desc', limit: '4' }), inOrder.toReversed());
    t.same(await namesOf({ sort: 'created', limit: '4' }), names);
    t.same(await namesOf({ sort: 'created', order: 'desc', limit: '4' }), names.toReversed());
    const counted = await page({ ...byName, search: 'b', limit: '1', includeTotal: 'true' });
    t.match(counted.body, { total: 2, items: { length: 1 } });
    t.equal((await page({ ...byName, limit: '1', includeTotal: 'true' })).body.total, names.length);
  });

  t.test(`${kind}: a cursor of another list is refused`, async (t) => {
    const byTime = (await page({ sort: 'created', limit: '1' })).body.next;
    for (const after of ['x', 'W10', Buffer.from('[0,1,"a"]').toString('base64url')])
      t.equal((await page({ ...byName, after })).status, 400, after);
    const next = (await page({ ...byName, limit: '1' })).body.next;
    t.equal((await page({ sort: 'created', after: next })).status, 400, 'a name is no time');
    t.equal((await page({ sort: 'created', after: byTime })).status, 200);
    t.equal((await page({ search: 'x'.repeat(201) })).status, 400);
    t.equal((await page({ sort: 'roles' })).status, 400);
  });

  t.test(`${kind} that an earlier version wrote are found after the upgrade`, async (t) => {
    const documents = container.mongo.collection<{ _id: string; orgId: string }>(kind);
    const early = { $set: { schemaVersion: 1 }, $unset: { nameKey: '', 'search.loose': '' } } as const;
    await documents.updateMany({ orgId: home.id }, early);
    t.same(await namesOf({ ...byName, search: 'ueber' }), []);
    t.equal((await namesOf({ ...byName, limit: '4' })).length, names.length, 'the list has all of them');
    const options = { again: true, now: () => clock.now(), log: () => {} };
    await runUpgrades(container.mongo, upgrades(container), options);
    t.same(await namesOf({ ...byName, search: 'ueber' }), ['Über uns']);
    t.same(await namesOf(byName), inOrder);
  });
}

t.test('groups are not searched in the order of a time, which no index has', async (t) => {
  const path = `GET /admin/v1/orgs/${home.id}/groups`;
  t.equal((await call(`${path}?search=b&sort=created`, { as: caller })).status, 400);
  t.same(Object.keys((await call(`${path}?search=zoo`, { as: caller })).body.items[0]), [
    'id',
    'displayName',
    'created',
    'lastModified',
  ]);
});

t.test('applications are listed by their state', async (t) => {
  const path = `/admin/v1/orgs/${home.id}/applications`;
  const { items } = (await call(`GET ${path}?search=zoo`, { as: caller })).body;
  await call(`PATCH ${path}/${items[0].id}`, { as: caller, body: { active: false } });
  const found = await call(`GET ${path}?active=false&sort=name&includeTotal=true`, { as: caller });
  t.match(found.body, { total: 1, items: [{ name: 'Zoo' }] });
  t.equal((await call(`GET ${path}?active=true&includeTotal=true`, { as: caller })).body.total, 5);
});
