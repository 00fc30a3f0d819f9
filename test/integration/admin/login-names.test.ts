import t from 'tap';
import { makeCaller, makeOrganization, makeTenant } from '../../support/app/make.js';
import { makeHome, makePerson } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { container, call, clock } = await buildTestApp(t);
const one = await makeHome(container, { domains: ['one.example'] });
const two = await makeHome(container);
const as = await makeCaller(container, (await makeOrganization(container)).id, ['IAM_OWNER']);

const search = (loginName: string) => call('POST /admin/v1/login-names/_search', { as, body: { loginName } });

t.test('a name of one user, in every form', async (t) => {
  const user = await makePerson(container, one, { userName: 'Only.One' });
  const expected = {
    meant: { orgId: one.id, userId: user.id },
    holders: [
      {
        orgId: one.id,
        orgName: one.name,
        userId: user.id,
        userName: 'Only.One',
        displayName: 'Anna Lind',
        active: true,
      },
    ],
  };
  for (const name of [
    'only.one',
    ' ONLY.ONE ',
    'only.one@one.example',
    `only.one@${one.id}`,
    'only.one@people.example',
  ])
    t.same((await search(name)).body, expected, name);
});

t.test('a name of several means the first, and all are told', async (t) => {
  const first = await makePerson(container, one, { userName: 'shared' });
  clock.advance(1);
  const second = await makePerson(container, two, { userName: 'shared', emails: [] });
  const { body } = await search('shared');
  t.same(body.meant, { orgId: one.id, userId: first.id });
  t.same(
    body.holders.map(({ userId }: { userId: string }) => userId),
    [first.id, second.id],
  );
});

t.test('a name that nobody has means nobody', async (t) => {
  t.same((await search('nobody-at-all')).body, { holders: [] });
  t.same((await search('   ')).body, { holders: [] });
});

t.test('people of an organization that is being removed are told without it', async (t) => {
  const ended = await makeHome(container);
  const user = await makePerson(container, ended, { userName: 'of-the-ended' });
  const path = `/admin/v1/orgs/${ended.id}?name=${encodeURIComponent(ended.name)}`;
  t.equal((await call(`DELETE ${path}`, { as })).status, 202);
  const { body } = await search('of-the-ended');
  t.notOk('meant' in body);
  t.match(body.holders, [{ orgId: ended.id, userId: user.id }]);
  t.notOk('orgName' in body.holders[0]);
});

t.test('only an owner of the instance may ask, and only for a name', async (t) => {
  const { owner } = await makeTenant(container);
  const body = { loginName: 'shared' };
  t.equal((await call('POST /admin/v1/login-names/_search', { as: owner, body })).status, 403);
  for (const wrong of [{}, { loginName: '' }, { loginName: 'x'.repeat(401) }, { loginName: 1 }])
    t.equal((await call('POST /admin/v1/login-names/_search', { as, body: wrong })).status, 400);
});
