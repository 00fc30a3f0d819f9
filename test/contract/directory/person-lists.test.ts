import t from 'tap';
import type { PersonList, WebauthnCredential } from '#src/accounts/person-lists/index.js';
import { newId } from '#src/platform/ids.js';
import { uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';

/** Each condition of the lists of passkeys refuses alone: of another organization, of another version, and after a use. */

const { container } = await openTestContainer(t);
const { webauthnCredentials: lists, mongo } = container;
const at = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-02T00:00:00Z');
type List = PersonList<WebauthnCredential>;

const passkey = (given: Partial<WebauthnCredential> = {}): WebauthnCredential => ({
  ...{ id: uniqueName('credential'), publicKey: 'pQ', counter: 0 },
  ...given,
});

async function add(passkeys: readonly WebauthnCredential[], given: Partial<List> = {}): Promise<List> {
  const items = Object.fromEntries(passkeys.map((one) => [one.id, one]));
  const times = { version: 1, created: at, lastModified: at };
  const list = {
    id: newId(),
    orgId: uniqueName('org'),
    userId: uniqueName('user'),
    items,
    ...times,
    ...given,
  };
  await mongo.transaction((transaction) => lists.insert(list.orgId, [list], transaction));
  return list;
}

const stored = async ({ orgId, userId }: List) => (await lists.findMany(orgId, [userId]))[0];
const replace = (orgId: string, list: List, expectedVersion: number) =>
  mongo.transaction((transaction) => lists.replace(orgId, { list, expectedVersion }, transaction));

t.test('a list is read, counted and removed in its organization', async (t) => {
  const mine = await add([passkey(), passkey()]);
  const { orgId, userId, items } = mine;
  const keys = Object.keys(items);
  t.same(await lists.findMany(orgId, [userId, 'nobody']), [mine]);
  t.same(await lists.findMany('another', [userId]), []);
  t.same(await lists.findMany(orgId, ['nobody']), []);
  t.same(await lists.holders(orgId, [...keys, 'none']), new Map(keys.map((key) => [key, userId])));
  t.same(await lists.holders('another', keys), new Map());
  t.same([await lists.countItems(orgId), await lists.countItems('another')], [2, 0]);
  t.same(await lists.pageOfAll(orgId, { limit: 5 }), [mine]);
  t.same(await lists.pageOfAll(orgId, { limit: 5, after: userId }), []);
  t.same(await lists.pageOfAll('another', { limit: 5 }), []);
  const remove = (of: string, id: string) =>
    mongo.transaction((transaction) => lists.remove(of, [id], transaction));
  await remove('another', userId);
  await remove(orgId, 'nobody');
  t.same(await stored(mine), mine);
  await remove(orgId, userId);
  t.equal(await stored(mine), undefined);
});

t.test('a list is replaced at its version, in its organization, if nobody used it since', async (t) => {
  const mine = await add([passkey()]);
  const { orgId } = mine;
  const next: List = { ...mine, items: {}, version: 2, lastModified: later };
  t.equal(await replace('another', next, 1), false, 'another organization');
  t.equal(await replace(orgId, next, 2), false, 'a later version');
  t.equal(await replace(orgId, { ...next, userId: 'nobody' }, 1), false, 'another person');
  const [key = ''] = Object.keys(mine.items);
  const item = { ...(mine.items[key] ?? passkey()), counter: 1 };
  t.equal(await lists.replaceUsed(orgId, { list: mine, key, item }), true);
  t.equal(await replace(orgId, next, 1), false, 'a use in between');
  const used = await stored(mine);
  t.match(used, { version: 1, uses: 1, items: { [key]: { counter: 1 } } });
  t.equal(await replace(orgId, { ...next, uses: 1 }, 1), true);
  t.match(await stored(mine), { version: 2, items: {} });
  t.equal(await replace(orgId, { ...next, uses: 1 }, 1), false, 'a version that is gone');
});

t.test('a use counts once for what was read, in its organization', async (t) => {
  const mine = await add([passkey(), passkey()]);
  const { orgId, items } = mine;
  const [key = '', other = ''] = Object.keys(items);
  const use = (list: List, of = orgId) =>
    lists.replaceUsed(of, { list, key, item: { ...(items[key] ?? passkey()), counter: 1 } });
  t.equal(await use(mine, 'another'), false, 'another organization');
  t.equal(await use({ ...mine, version: 2 }), false, 'another version');
  t.equal(await use({ ...mine, uses: 1 }), false, 'uses that nobody made');
  t.equal(await use({ ...mine, userId: 'nobody' }), false, 'another person');
  t.same(await stored(mine), mine);
  const made = await Promise.all(Array.from({ length: 5 }, () => use(mine)));
  t.equal(made.filter(Boolean).length, 1, 'one of many');
  t.match(await stored(mine), {
    version: 1,
    uses: 1,
    items: { [key]: { counter: 1 }, [other]: { counter: 0 } },
  });
  t.equal(await use(mine), false, 'what was read before a use');
});

t.test('one person of an organization has a credential, and one of the instance made it', async (t) => {
  const { orgId, items } = await add([passkey()]);
  const [imported = passkey()] = Object.values(items);
  const duplicate = { code: 11000 } as unknown as Error;
  await t.rejects(add([imported], { orgId }), duplicate, 'a colleague');
  const copy = await add([imported]);
  const copies = await lists.findAnywhere(imported.id);
  t.same(copies.map(({ list }) => list.orgId).sort(), [orgId, copy.orgId].sort());
  const maker = await add([{ ...imported, madeHere: true }]);
  t.same(
    (await lists.findAnywhere(imported.id)).map(({ list }) => list),
    [maker],
    'the one who made it is meant alone',
  );
  await t.rejects(add([{ ...imported, madeHere: true }]), duplicate, 'nobody else of the instance');
  t.same(await lists.findAnywhere('none'), []);
});

t.test('a credential that many organizations imported costs a bounded look-up', async (t) => {
  const shared = passkey();
  for (let n = 0; n < 22; n++) await add([shared]);
  t.equal((await lists.findAnywhere(shared.id)).length, 20);
});
