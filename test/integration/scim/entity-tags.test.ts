import t from 'tap';
import { makeCaller } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { humanUser, importOf } from '../../support/migration/imports.js';
import { type Json, newUser, patchOp, urn } from '../../support/scim/scim-client.js';

/** ETag, If-Match and If-None-Match (RFC 7644 section 3.14), and `version` in a Bulk (section 3.7). */

const { tenant, call, container } = await openScim(t, { workers: true });
const scim = await tenant();

const title = (value: string) => patchOp({ op: 'replace', path: 'title', value });
/** The text in the quotes of a version, which earlier versions sent alone. */
const bare = ({ version }: Json): string => version.slice(3, -1);
const read = async (id: string) => (await scim.get(`/Users/${id}`)).body;

t.test('every answer with one user has its entity tag', async (t) => {
  const created = await scim.post('/Users', newUser());
  const { id } = created.body;
  t.equal(created.headers['etag'], created.body.meta.version);
  t.equal((await scim.get(`/Users/${id}`)).headers['etag'], created.headers['etag']);

  const patched = await scim.patch(`/Users/${id}`, title('One'));
  t.equal(patched.status, 204);
  t.equal(patched.headers['etag'], (await read(id)).meta.version);
  t.not(patched.headers['etag'], created.headers['etag'], 'another after a change');
  const same = await scim.patch(`/Users/${id}?attributes=title`, title('One'));
  t.equal(same.headers['etag'], patched.headers['etag'], 'the same when nothing changed');
  const replaced = await scim.put(`/Users/${id}`, newUser());
  t.equal(replaced.headers['etag'], replaced.body.meta.version);

  t.equal((await scim.get('/Users')).headers['etag'], undefined, 'a list has none');
  const { body: config } = await scim.get('/ServiceProviderConfig');
  t.same(config.etag, { supported: false });
});

t.test('If-None-Match: 304 without a body while the user is the same', async (t) => {
  const { id, meta } = await scim.create();
  const ask = (tag: string) => scim.get(`/Users/${id}`, { 'if-none-match': tag });
  for (const tag of [meta.version, bare(meta), `"${bare(meta)}"`, '*', `"x", ${meta.version}`]) {
    const answer = await ask(tag);
    t.equal(answer.status, 304, tag);
    t.equal(answer.text, '');
    t.equal(answer.headers['etag'], meta.version);
    t.equal(answer.headers['content-type'], undefined);
  }
  t.equal((await ask('W/"99"')).status, 200);
  await scim.patch(`/Users/${id}`, title('changed'));
  const changed = await ask(meta.version);
  t.equal(changed.status, 200);
  t.equal(changed.body.title, 'changed');
});

t.test('If-Match: a change of another version is refused, and nothing is changed', async (t) => {
  const { id, meta } = await scim.create();
  await scim.patch(`/Users/${id}`, title('newer'));
  const before = await read(id);
  const stale = { 'if-match': meta.version };
  const answers = {
    PUT: await scim.put(`/Users/${id}`, newUser(), stale),
    PATCH: await scim.patch(`/Users/${id}`, title('lost'), stale),
    'PATCH that changes nothing': await scim.patch(`/Users/${id}`, title('newer'), stale),
    DELETE: await scim.delete(`/Users/${id}`, stale),
  };
  for (const [name, answer] of Object.entries(answers)) {
    t.equal(answer.status, 412, name);
    t.match(answer.body, {
      schemas: [urn.error, urn.errorDetail],
      status: '412',
      detail: `The user has the version ${before.meta.version}`,
      [urn.errorDetail]: { id: 'scim.versionChanged' },
    });
    t.notOk('scimType' in answer.body);
  }
  t.same(await read(id), before);

  const current = { 'if-match': before.meta.version };
  const patched = await scim.patch(`/Users/${id}`, title('newest'), current);
  t.equal(patched.status, 204);
  t.equal((await scim.put(`/Users/${id}`, newUser(), { 'if-match': '*' })).status, 200);
  const last = { 'if-match': (await scim.get(`/Users/${id}`)).headers['etag'] ?? '' };
  t.equal((await scim.delete(`/Users/${id}`, last)).status, 204);
  t.equal((await scim.delete(`/Users/${id}`, last)).status, 404, 'a user that is gone has no version');
});

t.test('a user that was removed and imported again has another version', async (t) => {
  const owner = await makeCaller(container, scim.orgId, ['IAM_OWNER']);
  const importUser = async () => {
    const body = importOf(scim.orgId, [humanUser('incarnation')]);
    const { summary } = (await call('POST /admin/v1/import', { as: owner, body })).body;
    t.equal(summary.created, 1);
    return scim.get('/Users/id-incarnation');
  };
  const first = await importUser();
  const tag = first.headers['etag'] ?? '';
  t.equal((await scim.delete('/Users/id-incarnation', { 'if-match': tag })).status, 204);
  const second = await importUser();
  t.not(second.headers['etag'], tag);
  for (const old of [tag, bare(first.body.meta)]) {
    const stale = { 'if-match': old };
    t.equal((await scim.patch('/Users/id-incarnation', title('lost'), stale)).status, 412);
    t.equal((await scim.get('/Users/id-incarnation', { 'if-none-match': old })).status, 200);
    t.equal((await scim.delete('/Users/id-incarnation', stale)).status, 412);
  }
});

t.test('what is wrong in any version is said first', async (t) => {
  const { id } = await scim.create();
  const stale = { 'if-match': '"99"' };
  t.equal(
    (await scim.patch(`/Users/${id}`, title('x'), { ...stale, 'content-type': 'text/plain' })).status,
    400,
  );
  t.equal((await scim.patch(`/Users/${id}`, patchOp({ op: 'remove' }), stale)).status, 400);
  t.equal((await scim.put(`/Users/${id}`, { schemas: [urn.user] }, stale)).status, 400);
  const viewer = await tenant({ role: 'ORG_USER_VIEWER' });
  t.equal((await viewer.delete('/Users/x', stale)).status, 403);
});

t.test('of many changes with one tag exactly one is made', async (t) => {
  const { id, meta } = await scim.create();
  const tag = { 'if-match': meta.version };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => scim.patch(`/Users/${id}`, title(`t${n}`), tag)),
  );
  t.same(answers.map(({ status }) => status).sort(), [204, ...Array(19).fill(412)]);
  const winner = answers.findIndex(({ status }) => status === 204);
  const after = await read(id);
  t.equal(after.title, `t${winner}`);
  t.equal(answers[winner]?.headers['etag'], after.meta.version);
});

t.test('a counter of many clients loses no step', async (t) => {
  const { id } = await scim.create({ title: '0' });
  const step = async (): Promise<void> => {
    for (;;) {
      const { body, headers } = await scim.get(`/Users/${id}`);
      const next = title(String(Number(body.title) + 1));
      const { status } = await scim.patch(`/Users/${id}`, next, { 'if-match': headers['etag'] ?? '' });
      if (status === 204) return;
      t.equal(status, 412);
    }
  };
  await Promise.all(Array.from({ length: 8 }, step));
  t.equal((await read(id)).title, '8');
});

t.test('operations of a Bulk name versions', async (t) => {
  const [a, b, c, d] = [await scim.create(), await scim.create(), await scim.create(), await scim.create()];
  await scim.patch(`/Users/${c.id}`, title('newer'));
  const path = ({ id }: Json) => `/Users/${id}`;
  const answer = await scim.bulk([
    { method: 'PATCH', path: path(a), version: a.meta.version, data: title('1') },
    { method: 'PATCH', path: path(a), version: bare(a.meta), data: title('2') },
    { method: 'PUT', path: path(b), version: bare(b.meta), data: newUser() },
    { method: 'DELETE', path: path(c), version: `"${bare(c.meta)}"` },
    { method: 'PUT', path: path(c), version: c.meta.version, data: newUser() },
    { method: 'DELETE', path: path(d), version: '*' },
    { method: 'POST', path: '/Users', bulkId: 'n', version: 'W/"7"', data: newUser() },
  ]);
  t.same(
    answer.body.Operations.map(({ status }: Json) => status),
    ['204', '412', '200', '412', '412', '204', '201'],
  );
  for (const index of [1, 3, 4]) {
    t.match(answer.body.Operations[index].response, {
      status: '412',
      [urn.errorDetail]: { id: 'scim.versionChanged' },
    });
  }
  t.equal((await read(a.id)).title, '1');
  t.equal((await read(c.id)).title, 'newer');
  const wrong = await scim.bulk([{ method: 'DELETE', path: path(a), version: {} }]);
  t.match(wrong, { status: 400, body: { scimType: 'invalidSyntax' } });
});
