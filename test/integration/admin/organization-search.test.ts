import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call } = await buildTestApp(t);
const home = await makeOrganization(container, { name: 'Home' });
const as = await makeCaller(container, home.id, ['IAM_OWNER']);
for (const name of ['Zebra', 'acme West', 'Acme East', 'ACME', 'Ács', 'Acme East']) {
  await makeOrganization(container, { name });
}

const names = (body: { items: { name: string }[] }) => body.items.map(({ name }) => name);

t.test('organizations are found by the beginning of their names, in the order of names', async (t) => {
  const found = await call('GET /admin/v1/orgs?name=acME', { as });
  t.same(names(found.body), ['ACME', 'Acme East', 'Acme East', 'acme West']);
  t.same(names((await call('GET /admin/v1/orgs?name=nobody', { as })).body), []);
  t.same(names((await call('GET /admin/v1/orgs?name=.*', { as })).body), [], 'it is no pattern');
});

t.test('each page continues the one before', async (t) => {
  const seen: string[] = [];
  let next = '';
  do {
    const query = new URLSearchParams({ name: '', limit: '2', ...(next !== '' && { after: next }) });
    const { status, body } = await call(`GET /admin/v1/orgs?${query}`, { as });
    t.equal(status, 200);
    seen.push(...body.items.map(({ id }: { id: string }) => id));
    next = body.next ?? '';
  } while (next !== '');
  t.equal(new Set(seen).size, seen.length);
  const { body } = await call('GET /admin/v1/orgs?name=', { as });
  t.same(
    seen,
    body.items.map(({ id }: { id: string }) => id),
  );
});

t.test('an owner of organizations finds only those', async (t) => {
  const other = await makeOrganization(container, { name: 'Acme North' });
  const owner = await makeCaller(container, other.id, ['ORG_OWNER']);
  await addMembership(container, { userId: owner.id, role: 'ORG_OWNER', orgId: home.id, editor: testEditor });
  const listed = async (name: string) =>
    names((await call(`GET /admin/v1/orgs?name=${name}`, { as: owner })).body);
  t.same(await listed('acme'), ['Acme North']);
  t.same(await listed(''), ['Acme North', 'Home']);
});

t.test('a cursor of another list is refused', async (t) => {
  for (const after of ['x', Buffer.from('[1,2]').toString('base64url'), home.id]) {
    const answer = await call(`GET /admin/v1/orgs?name=&after=${after}`, { as });
    t.match(answer, { status: 400, body: { id: 'directory.valueInvalid' } });
  }
});
