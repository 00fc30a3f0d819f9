import t from 'tap';
import type { RememberedBrowser } from '#src/tokens/remembered-browsers.store.js';
import { uniqueName } from '../../support/app/make.js';
import { openTestContainer } from '../../support/app/test-container.js';

/** Each condition of the store refuses alone: of another organization, of another person, and of another secret. */

const { container } = await openTestContainer(t);
const { rememberedBrowsers: browsers, mongo } = container;
const at = new Date('2026-01-01T00:00:00Z');
const never = new Date('2090-01-01T00:00:00Z');

async function add(given: Partial<RememberedBrowser> = {}, instead: string[] = []) {
  const browser: RememberedBrowser = {
    ...{ id: uniqueName('browser'), orgId: uniqueName('org'), userId: uniqueName('user') },
    ...{
      hash: uniqueName('hash'),
      by: 'code',
      proved: at,
      used: at,
      credentialsStamp: 'stamp',
      expires: never,
    },
    ...given,
  };
  await browsers.insert(browser, instead);
  return browser;
}
const idsOf = (found: readonly RememberedBrowser[]) => found.map(({ id }) => id);

t.test('a browser is found by its secret, its person and the organization', async (t) => {
  const mine = await add();
  const { orgId, userId, hash } = mine;
  t.same(await browsers.findByHash(orgId, userId, ['another', hash]), mine);
  t.equal(await browsers.findByHash('another', userId, [hash]), undefined, 'another organization');
  t.equal(await browsers.findByHash(orgId, 'another', [hash]), undefined, 'another person');
  t.equal(await browsers.findByHash(orgId, userId, ['another']), undefined, 'another secret');
  t.equal(await browsers.findByHash(orgId, userId, []), undefined, 'none');
  t.same(await browsers.ofUser(orgId, userId), [mine]);
  t.same([await browsers.ofUser('another', userId), await browsers.ofUser(orgId, 'another')], [[], []]);
});

t.test('a use and a removal are of the organization and the person', async (t) => {
  const { id, orgId, userId, hash } = await add();
  const later = new Date(at.getTime() + 1);
  const used = async () => (await browsers.findByHash(orgId, userId, [hash]))?.used;
  await browsers.use('another', id, later);
  t.same(await used(), at);
  await browsers.use(orgId, id, later);
  t.same(await used(), later);
  t.equal(await browsers.remove('another', userId, id), false, 'another organization');
  t.equal(await browsers.remove(orgId, 'another', id), false, 'another person');
  t.equal(await browsers.remove(orgId, userId, 'another'), false, 'another browser');
  t.same(await used(), later);
  t.equal(await browsers.remove(orgId, userId, id), true);
  t.equal(await browsers.remove(orgId, userId, id), false, 'once');
});

t.test('a new browser replaces what its cookie was good for, of this person alone', async (t) => {
  const first = await add();
  const { orgId, userId, hash } = first;
  const [foreign, colleague] = [await add({ userId, hash }), await add({ orgId, hash })];
  const other = await add({ orgId, userId });
  const next = await add({ orgId, userId }, [hash]);
  t.same(idsOf(await browsers.ofUser(orgId, userId)).sort(), [other.id, next.id].sort());
  for (const one of [foreign, colleague]) t.same(await browsers.ofUser(one.orgId, one.userId), [one]);
});

t.test('of more than 20 the first ones go, and the new one stays', async (t) => {
  const { orgId, userId, id: oldest } = await add({ proved: new Date(at.getTime() - 1) });
  const foreign = await add({ userId, proved: new Date(at.getTime() - 2) });
  for (let n = 0; n < 19; n++) await add({ orgId, userId });
  t.equal((await browsers.ofUser(orgId, userId)).length, 20);
  const late = await add({ orgId, userId, proved: new Date(at.getTime() - 3) });
  const left = idsOf(await browsers.ofUser(orgId, userId));
  t.equal(left.length, 20);
  t.ok(
    left.includes(oldest),
    'what is beyond the bound is the one that was just made, by a clock that is late',
  );
  t.same((await browsers.findByHash(orgId, userId, [late.hash]))?.id, late.id, 'and it counts nevertheless');
  await add({ orgId, userId });
  t.notOk(idsOf(await browsers.ofUser(orgId, userId)).includes(oldest));
  t.same(await browsers.ofUser(foreign.orgId, userId), [foreign], 'another organization');
});

t.test('with a person, all browsers of that person go, and no others', async (t) => {
  const mine = await add();
  await add({ orgId: mine.orgId, userId: mine.userId });
  const colleague = await add({ orgId: mine.orgId });
  await mongo.transaction(async (transaction) => {
    await browsers.removeAllOf([mine.userId], transaction);
    t.equal((await browsers.ofUser(mine.orgId, mine.userId)).length, 2, 'not before the commit');
  });
  t.same(await browsers.ofUser(mine.orgId, mine.userId), []);
  t.same(await browsers.ofUser(colleague.orgId, colleague.userId), [colleague]);
  await browsers.removeAllOf([colleague.userId]);
  t.same(await browsers.ofUser(colleague.orgId, colleague.userId), []);
});
