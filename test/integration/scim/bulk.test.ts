import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import t, { type Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { Rooms } from '#src/rooms.js';
import { runJob } from '#workers/run-job.js';
import { scimBulkWorker } from '#workers/scim-bulk.worker.js';
import { startWorkers } from '#workers/start-workers.js';
import { until } from '../../../dev/until.js';
import { makeCaller, testEditor } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { humanUser, importOf } from '../../support/migration/imports.js';
import {
  type Answer,
  type Json,
  newUser,
  patchOp,
  type ScimClient,
  urn,
} from '../../support/scim/scim-client.js';
import { namesOfCommands } from '../../support/stores/mongo-commands.js';
import { openOwnGateway } from '../../support/stores/own-gateway.js';

/** Bulk requests as clients send them, with workers in this process. */

const { tenant, client, call, container } = await openScim(t, { workers: true });
const scim = await tenant();

const post = (bulkId: string | undefined, differences: Record<string, unknown> = {}) => ({
  method: 'POST',
  path: '/Users',
  ...(bulkId !== undefined && { bulkId }),
  data: newUser(differences),
});
const title = (value: string) => patchOp({ op: 'replace', path: 'title', value });

/** Statuses of the operations in order; the answer itself must be 200. */
function statuses(t: Test, answer: Answer): string[] {
  t.equal(answer.status, 200, answer.text);
  t.match(answer.headers['content-type'], /^application\/scim\+json/);
  t.same(Object.keys(answer.body).sort(), ['Operations', 'schemas']);
  t.same(answer.body.schemas, [urn.bulkResponse]);
  return answer.body.Operations.map(({ status }: Json) => status);
}

/** Checks the whole error of one operation. */
function failedWith(t: Test, result: Json, expected: { status: string; type?: string; id: string }): void {
  const { detail, [urn.errorDetail]: extension, ...rest } = result.response;
  t.equal(result.status, expected.status);
  t.same(rest, {
    schemas: [urn.error, urn.errorDetail],
    ...(expected.type !== undefined && { scimType: expected.type }),
    status: expected.status,
  });
  t.ok(detail.length > 0);
  t.equal(extension.id, expected.id);
  t.notOk('version' in result);
}

t.test('a Bulk of 100 creates takes few commands of MongoDB', async (t) => {
  const send = async () => {
    const operations = Array.from({ length: 100 }, (_, n) => post(`${n}`));
    t.same([...new Set(statuses(t, await scim.bulk(operations)))], ['201']);
  };
  await send();
  const tries: string[][] = [];
  for (let round = 0; round < 3; round++) tries.push(await namesOfCommands(send));
  // Other work of the processes, such as the recovery of jobs, may fall into one of the Bulks.
  const [commands = []] = tries.sort((a, b) => a.length - b.length);
  t.comment(`${commands.length} commands`);
  t.ok(commands.length <= 14, `${commands.length}: ${commands.join(', ')}`);
  for (const kind of ['insert jobBodies', 'insert users', 'insert events'])
    t.equal(commands.filter((command) => command === kind).length, 1, kind);
});

t.test('a worker writes new users of two Bulks of an organization at a time', async (t) => {
  const { users } = container;
  const { insert } = users;
  t.teardown(() => Object.assign(users, { insert }));
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let inside = 0;
  const held: typeof insert = async (orgId, ...given) => {
    if (orgId === scim.orgId) {
      inside += 1;
      await gate;
    }
    await insert(orgId, ...given);
  };
  t.teardown(() => open());
  Object.assign(users, { insert: held });
  const send = async (to: ScimClient) => {
    const operations = Array.from({ length: 5 }, (_, n) => post(`${n}`));
    t.same([...new Set(statuses(t, await to.bulk(operations)))], ['201']);
  };
  const sent = Promise.all([scim, scim, scim, scim].map(send));
  await until(() => inside === 2);
  await send(await tenant());
  t.pass('a Bulk of another organization does not wait');
  await pause(200);
  t.equal(inside, 2, 'the other two wait');
  open();
  await sent;
  t.equal(inside, 4);
});

t.test('each method is answered as the same request alone would be', async (t) => {
  const [a, b, c] = [await scim.create(), await scim.create(), await scim.create()];
  const answer = await scim.bulk([
    post('new', { userName: 'bulk-created' }),
    { method: 'put', path: `/Users/${a.id}`, bulkId: 'put', data: newUser({ title: 'Replaced' }) },
    { method: 'PATCH', path: `/Users/${b.id}`, data: title('Patched') },
    { method: 'DELETE', path: `/Users/${c.id}`, bulkId: 'gone' },
  ]);
  t.same(statuses(t, answer), ['201', '200', '204', '204']);
  const created = (await scim.get('/Users?filter=userName+eq+%22bulk-created%22')).body.Resources[0];
  const [replaced, patched] = [await scim.get(`/Users/${a.id}`), await scim.get(`/Users/${b.id}`)];
  t.equal(replaced.body.title, 'Replaced');
  t.equal(patched.body.title, 'Patched');
  t.equal((await scim.get(`/Users/${c.id}`)).status, 404);
  const at = (id: string) => `${scim.absoluteBase}/Users/${id}`;
  t.same(answer.body.Operations, [
    { method: 'POST', bulkId: 'new', location: at(created.id), version: created.meta.version, status: '201' },
    { method: 'PUT', bulkId: 'put', location: at(a.id), version: replaced.body.meta.version, status: '200' },
    { method: 'PATCH', location: at(b.id), version: patched.body.meta.version, status: '204' },
    { method: 'DELETE', bulkId: 'gone', location: at(c.id), status: '204' },
  ]);
});

t.test('a Bulk makes and replaces users that have only a userName', async (t) => {
  const { id } = await scim.create();
  const answer = await scim.bulk([
    { method: 'POST', path: '/Users', bulkId: 'a', data: { schemas: [urn.user], userName: 'bulk-bare' } },
    { method: 'PUT', path: `/Users/${id}`, data: { schemas: [urn.user], userName: 'bulk-bare-put' } },
    {
      method: 'PATCH',
      path: '/Users/bulkId:a',
      data: patchOp({ op: 'add', path: 'name.familyName', value: 'Bare' }),
    },
  ]);
  t.same(statuses(t, answer), ['201', '200', '204']);
  t.match((await scim.get('/Users?filter=userName+eq+%22bulk-bare%22')).body.Resources, [
    { displayName: 'Bare', name: { familyName: 'Bare' } },
  ]);
  t.notHas((await scim.get(`/Users/${id}`)).body, { name: {}, emails: [] });
});

t.test('lists keep display, type and primary, whichever way they come', async (t) => {
  const parts = { display: 'D', type: 'T', primary: true };
  const values: Record<string, Json> = {
    emails: { value: 'parts@example.com' },
    phoneNumbers: { value: '+15550100' },
    ims: { value: 'im' },
    photos: { value: 'https://example.com/photo' },
    addresses: { country: 'CH' },
    entitlements: { value: 'entitlement' },
    roles: { value: 'role' },
  };
  const lists = Object.entries(values);
  const kept = Object.fromEntries(lists.map(([name, value]) => [name, [{ ...value, ...parts }]]));
  const sent = Object.fromEntries(
    lists.map(([name, value]) => [name, [{ ...value, ...parts, primary: 'True', unknown: [1] }]]),
  );
  const patch = patchOp(...Object.entries(sent).map(([path, value]) => ({ op: 'add', path, value })));
  const made = async () => (await scim.create({ emails: undefined })).id;
  const alone = async (answer: Promise<Answer>) => {
    const { status, text, body } = await answer;
    t.ok(status < 300, text);
    return body?.id;
  };
  const inBulk = async (operation: Json) => {
    const answer = await scim.bulk([operation]);
    t.ok(Number(statuses(t, answer)[0]) < 300, answer.text);
    return answer.body.Operations[0].location.split('/').at(-1);
  };
  const [put, patched, putInBulk, patchedInBulk] = [await made(), await made(), await made(), await made()];
  const users = {
    POST: await alone(scim.post('/Users', newUser(sent))),
    PUT: await alone(scim.put(`/Users/${put}`, newUser(sent))),
    PATCH: (await alone(scim.patch(`/Users/${patched}`, patch))) ?? patched,
    'POST in a Bulk': await inBulk(post('a', sent)),
    'PUT in a Bulk': await inBulk({ method: 'PUT', path: `/Users/${putInBulk}`, data: newUser(sent) }),
    'PATCH in a Bulk': await inBulk({ method: 'PATCH', path: `/Users/${patchedInBulk}`, data: patch }),
  };
  for (const [way, id] of Object.entries(users)) {
    const { body } = await scim.get(`/Users/${id}`);
    t.same(Object.fromEntries(lists.map(([name]) => [name, body[name]])), kept, way);
  }

  // What Entra sends for a single role, and a user with another vendor's URN alone.
  const path = 'roles[primary eq "True"].value';
  const role = patchOp({ op: 'replace', path, value: 'another' });
  const legacy = { schemas: ['urn:scim:schemas:core:2.0'], userName: 'bulk-legacy' };
  const answer = await scim.bulk([
    { method: 'PATCH', path: `/Users/${users.POST}`, data: role },
    { method: 'POST', path: '/Users', bulkId: 'b', data: legacy },
  ]);
  t.same(statuses(t, answer), ['204', '201']);
  t.same((await scim.get(`/Users/${users.POST}`)).body.roles, [{ value: 'another', ...parts }]);
  t.equal(await scim.found('userName eq "bulk-legacy"'), 'bulk-legacy');
});

t.test('operations on one user keep their order', async (t) => {
  const { id } = await scim.create({ userName: 'ordered' });
  const path = `/Users/${id}`;
  const answer = await scim.bulk([
    { method: 'PATCH', path, data: title('1') },
    { method: 'PATCH', path, data: title('2') },
    { method: 'PUT', path, data: newUser({ userName: 'ordered', title: '3', nickName: 'kept' }) },
    { method: 'PATCH', path, data: title('4') },
    { method: 'DELETE', path },
    { method: 'PATCH', path, data: title('5') },
    post(undefined, { userName: 'ordered', title: '6' }),
  ]);
  t.same(statuses(t, answer), ['204', '204', '200', '204', '204', '404', '201']);
  const versions = answer.body.Operations.slice(0, 4).map(({ version }: Json) => version);
  t.equal(new Set(versions).size, 4, 'each version is another');
  const events = await container.events.search({ aggregateId: id, limit: 100, ascending: true });
  t.same(
    events.map(({ type, sequence }) => [type, sequence]),
    [
      ['user.human.added', 1],
      ['user.human.changed', 2],
      ['user.human.changed', 3],
      ['user.human.changed', 4],
      ['user.human.changed', 5],
      ['user.removed', 6],
    ],
  );
  t.equal((await scim.get('/Users?filter=userName+eq+%22ordered%22')).body.Resources[0].title, '6');
});

t.test('operations on one user keep their order when a reference pulls the last one forward', async (t) => {
  const [a, b] = [await scim.create(), await scim.create()];
  const answer = await scim.bulk([
    { method: 'PUT', path: `/Users/${b.id}`, data: newUser({ nickName: 'bulkId:c' }) },
    { method: 'PATCH', path: `/Users/${a.id}`, data: title('1') },
    { method: 'PATCH', path: `/Users/${a.id}`, bulkId: 'c', data: title('2') },
  ]);
  t.same(statuses(t, answer), ['200', '204', '204']);
  t.equal((await scim.get(`/Users/${a.id}`)).body.title, '2');
  t.equal((await scim.get(`/Users/${b.id}`)).body.nickName, a.id);
});

t.test('an operation that changes nothing succeeds and leaves the version', async (t) => {
  const user = await scim.create({ title: 'same' });
  const answer = await scim.bulk([{ method: 'PATCH', path: `/Users/${user.id}`, data: title('same') }]);
  t.same(statuses(t, answer), ['204']);
  t.equal(answer.body.Operations[0].version, user.meta.version);
  t.same((await scim.get(`/Users/${user.id}`)).body, user);
});

t.test('a bulkId stands for an identifier that needs encoding in paths', async (t) => {
  const operator = await makeCaller(container, scim.orgId, ['IAM_OWNER']);
  const userId = 'auth0|5f%20';
  const body = importOf(scim.orgId, [humanUser('encoded', { userId })]);
  t.match(await call('POST /admin/v1/import', { as: operator, body }), { body: { summary: { created: 1 } } });
  const answer = await scim.bulk([
    {
      method: 'PUT',
      path: `/Users/${encodeURIComponent(userId)}`,
      bulkId: 'put',
      data: newUser({ userName: 'encoded' }),
    },
    post('refers', { externalId: 'bulkId:put' }),
    { method: 'PATCH', path: '/Users/bulkId:put', data: title('found') },
  ]);
  t.same(statuses(t, answer), ['200', '201', '204']);
  const [put, refers, patched] = answer.body.Operations;
  t.equal(patched.location, put.location);
  const created = refers.location.slice(refers.location.lastIndexOf('/') + 1);
  t.equal((await scim.get(`/Users/${created}`)).body.externalId, userId);
  t.equal((await scim.get(`/Users/${encodeURIComponent(userId)}`)).body.title, 'found');
});

t.test('a bulkId stands for what it made, in paths and in data, before and after', async (t) => {
  const answer = await scim.bulk([
    { method: 'PATCH', path: '/Users/bulkId:later', data: title('forward') },
    post('early', { userName: 'early', externalId: 'bulkId:later' }),
    post('later', { userName: 'later' }),
    {
      method: 'PUT',
      path: '/Users/bulkId:early',
      data: newUser({ userName: 'early', nickName: 'bulkId:later' }),
    },
  ]);
  t.same(statuses(t, answer), ['204', '201', '201', '200']);
  const [patched, early, later, replaced] = answer.body.Operations;
  t.equal(patched.location, later.location);
  t.equal(replaced.location, early.location);
  const idOf = (location: string) => location.slice(location.lastIndexOf('/') + 1);
  t.equal((await scim.get(`/Users/${idOf(later.location)}`)).body.title, 'forward');
  t.equal((await scim.get(`/Users/${idOf(early.location)}`)).body.nickName, idOf(later.location));
});

t.test('references that lead nowhere or in a circle fail their operation alone', async (t) => {
  const answer = await scim.bulk([
    post('a', { externalId: 'bulkId:b' }),
    post('b', { externalId: 'bulkId:a' }),
    post('self', { nickName: 'bulkId:self' }),
    post('c', { externalId: 'bulkId:nobody' }),
    { method: 'DELETE', path: '/Users/bulkId:nobody' },
    post('bad', { userName: '' }),
    { method: 'PATCH', path: '/Users/bulkId:bad', data: title('x') },
    post('good'),
  ]);
  t.same(statuses(t, answer), ['409', '409', '409', '400', '400', '400', '400', '201']);
  const circular = { status: '409', id: 'bulk.circularReference' };
  const unresolved = { status: '400', type: 'invalidValue', id: 'bulk.unresolvedReference' };
  const [a, b, self, c, nobody, bad, afterBad] = answer.body.Operations;
  for (const result of [a, b, self]) failedWith(t, result, circular);
  for (const result of [c, nobody, afterBad]) failedWith(t, result, unresolved);
  failedWith(t, bad, { status: '400', type: 'invalidValue', id: 'scim.missingValue' });
  for (const result of [a, nobody, afterBad]) t.notOk('location' in result);
  t.equal(await scim.found('externalId sw "x" or userName eq "a"'), '');
});

t.test('a Bulk and a PATCH in it need no schemas, but other operations do', async (t) => {
  const user = await scim.create();
  const group = (await scim.post('/Groups', { schemas: [urn.group], displayName: 'No schemas' })).body.id;
  const { schemas: _schemas, ...nameless } = newUser();
  const answer = await scim.post('/Bulk', {
    Operations: [
      {
        method: 'PATCH',
        path: `/Users/${user.id}`,
        data: { Operations: [{ op: 'replace', path: 'title', value: 'Chief' }] },
      },
      {
        method: 'PATCH',
        path: `/Groups/${group}`,
        data: { Operations: [{ op: 'add', path: 'members', value: [{ value: user.id }] }] },
      },
      { method: 'POST', path: '/Users', bulkId: 'nameless', data: nameless },
      { method: 'PUT', path: `/Users/${user.id}`, data: { userName: 'nameless' } },
      {
        method: 'PATCH',
        path: `/Users/${user.id}`,
        data: { schemas: [urn.bulkRequest], Operations: [{ op: 'remove', path: 'title' }] },
      },
    ],
  });
  t.same(statuses(t, answer), ['204', '204', '400', '400', '400']);
  for (const { response } of answer.body.Operations.slice(2))
    t.equal(response[urn.errorDetail].id, 'scim.missingSchema');
  t.equal((await scim.get(`/Users/${user.id}`)).body.title, 'Chief');
  t.match((await scim.get(`/Groups/${group}`)).body.members, [{ value: user.id }]);
});

t.test('JSON texts in a Bulk: the data, and the value of a PATCH with references', async (t) => {
  const group = (await scim.post('/Groups', { schemas: [urn.group], displayName: 'Texts' })).body.id;
  const answer = await scim.bulk([
    {
      method: 'PATCH',
      path: `/Groups/${group}`,
      data: {
        Operations: [
          { op: 'add', path: 'members', value: '[{"value":"bulkId:one"}]' },
          { op: 'add', value: { members: ['{"value":"bulkId:two"}'] } },
        ],
      },
    },
    { ...post('one'), data: JSON.stringify(newUser({ title: '["bulkId:none"]' })) },
    { ...post('two'), data: newUser({ title: '["bulkId:none"]' }) },
    { ...post('three'), data: '{"schemas":' },
    { ...post('four'), data: `${'['.repeat(20)}${']'.repeat(20)}` },
  ]);
  t.same(statuses(t, answer), ['204', '201', '201', '400', '400']);
  const [, one, two] = answer.body.Operations.map(({ location }: Json) => location?.split('/').at(-1));
  const { members } = (await scim.get(`/Groups/${group}`)).body;
  t.same(members.map(({ value }: Json) => value).sort(), [one, two].sort());
  t.equal((await scim.get(`/Users/${one}`)).body.title, '["bulkId:none"]', 'elsewhere a text is a text');
  const tooMany = await scim.bulk(Array(3).fill({ ...post(undefined), data: `[${'{},'.repeat(7_000)}{}]` }));
  t.equal(tooMany.status, 413, 'all texts have the limits of one body');
});

t.test('the manager of a new user may be a JSON text with a reference', async (t) => {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  const text = (bulkId: string) => JSON.stringify({ value: `bulkId:${bulkId}` });
  const answer = await scim.bulk([
    post('early', { [enterprise]: { manager: text('boss') } }),
    post('boss', { title: text('none') }),
    post('lost', { [`${enterprise}:Manager`]: text('none') }),
  ]);
  t.same(statuses(t, answer), ['201', '201', '400']);
  const [early, boss] = answer.body.Operations.map(({ location }: Json) => location?.split('/').at(-1));
  const user = (await scim.get(`/Users/${early}`)).body;
  t.equal(user[enterprise].manager.value, boss);
});

t.test('an operation that fails says why, and the others go on', async (t) => {
  const taken = await scim.create({ userName: 'bulk-taken' });
  const base = scim.absoluteBase;
  const cases: [Json, { status: string; type?: string; id: string }, string?][] = [
    [
      post('x', { userName: 'BULK-TAKEN' }),
      { status: '409', type: 'uniqueness', id: 'directory.userNameTaken' },
    ],
    [
      post('y', { emails: [{ value: 'no' }] }),
      { status: '400', type: 'invalidValue', id: 'directory.valueInvalid' },
    ],
    [post('z', { schemas: [] }), { status: '400', type: 'invalidSyntax', id: 'scim.missingSchema' }],
    [post('w', { password: 'weak' }), { status: '400', type: 'invalidValue', id: 'directory.passwordWeak' }],
    [
      { method: 'POST', path: '/Users' },
      { status: '400', type: 'invalidSyntax', id: 'bulk.dataMissing' },
    ],
    [
      { method: 'PUT', path: `/Users/${taken.id}` },
      { status: '400', type: 'invalidSyntax', id: 'bulk.dataMissing' },
      `${base}/Users/${taken.id}`,
    ],
    [
      { method: 'PATCH', path: '/Users/nobody', data: title('x') },
      { status: '404', id: 'directory.userNotFound' },
      `${base}/Users/nobody`,
    ],
    [
      { method: 'PATCH', path: `/Users/${taken.id}`, data: patchOp({ op: 'replace', path: 'x', value: 1 }) },
      { status: '400', type: 'invalidPath', id: 'scim.badPath' },
      `${base}/Users/${taken.id}`,
    ],
    [
      { method: 'DELETE', path: '/Users/nobody', bulkId: 'd' },
      { status: '404', id: 'directory.userNotFound' },
      `${base}/Users/nobody`,
    ],
    [
      { method: 'DELETE', path: '/Users' },
      { status: '404', id: 'bulk.pathUnsupported' },
    ],
    [
      { method: 'POST', path: '/Devices', data: {} },
      { status: '404', id: 'bulk.pathUnsupported' },
    ],
    [
      { method: 'DELETE', path: '/Users/%zz' },
      { status: '404', id: 'bulk.pathUnsupported' },
    ],
    [
      { method: 'DELETE', path: '' },
      { status: '404', id: 'bulk.pathUnsupported' },
    ],
    [
      { method: 'GET', path: `/Users/${taken.id}` },
      { status: '400', type: 'invalidValue', id: 'bulk.methodUnsupported' },
      `${base}/Users/${taken.id}`,
    ],
  ];
  const answer = await scim.bulk([...cases.map(([operation]) => operation), post('last')]);
  t.equal(statuses(t, answer).at(-1), '201');
  for (const [index, [operation, expected, location]] of cases.entries()) {
    const result = answer.body.Operations[index];
    failedWith(t, result, expected);
    t.equal(result.method, operation.method);
    t.equal(result.bulkId, operation.bulkId);
    if (!/%zz/.test(operation.path)) t.equal(result.location, location, operation.path);
  }
  t.same((await scim.get(`/Users/${taken.id}`)).body, taken);
});

t.test('failOnErrors stops; operations that were not run are absent', async (t) => {
  const bad = (bulkId: string) => post(bulkId, { userName: '' });
  const { id } = await scim.create();
  const missing = { method: 'DELETE', path: '/Users/nobody' };
  const cases: [string, number, Json[], string[]][] = [
    ['after the first error', 1, [post('a'), bad('b'), post('c'), post('d')], ['201', '400']],
    ['after the second', 2, [bad('a'), post('b'), bad('c'), post('d'), bad('e')], ['400', '201', '400']],
    [
      'between other methods',
      1,
      [{ method: 'PATCH', path: `/Users/${id}`, data: title('x') }, missing, post('a')],
      ['204', '404'],
    ],
    [
      'counting both',
      2,
      [missing, post('a'), bad('b'), { method: 'DELETE', path: `/Users/${id}` }],
      ['404', '201', '400'],
    ],
    ['not before', 3, [bad('a'), bad('b'), post('c')], ['400', '400', '201']],
    ['for a circle too', 1, [post('a', { title: 'bulkId:a' }), post('b')], ['409']],
  ];
  for (const [name, failOnErrors, operations, expected] of cases) {
    const before = (await scim.get('/Users?count=0')).body.totalResults;
    const answer = await scim.bulk(operations, { failOnErrors });
    t.same(statuses(t, answer), expected, name);
    const created = expected.filter((status) => status === '201').length;
    t.equal(
      (await scim.get('/Users?count=0')).body.totalResults,
      before + created,
      'nothing more was applied',
    );
  }
  t.equal((await scim.get(`/Users/${id}`)).status, 200);
});

t.test(
  'a userName is given once, within a request, against the directory and between requests',
  async (t) => {
    const within = await scim.bulk([
      post('a', { userName: 'Twin' }),
      post('b', { userName: 'tWIN' }),
      post('c', { userName: 'single' }),
      post('d', { userName: ' twin ' }),
    ]);
    t.same(statuses(t, within), ['201', '409', '201', '409']);

    const names = Array.from({ length: 30 }, (_, i) => `race-${i}`);
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, turn) =>
        scim.bulk((turn % 2 ? [...names].reverse() : names).map((userName) => post(undefined, { userName }))),
      ),
    );
    const all = answers.flatMap((answer) => statuses(t, answer));
    t.equal(all.filter((status) => status === '201').length, 30, 'each name once');
    t.equal(all.filter((status) => status === '409').length, 90);
    t.equal((await scim.get('/Users?filter=userName+sw+%22race-%22&count=0')).body.totalResults, 30);
  },
);

t.test('permissions are asked for each operation', async (t) => {
  const { id } = await scim.create({ userName: 'permitted' });
  const operations = [
    post('a'),
    { method: 'PUT', path: `/Users/${id}`, data: newUser() },
    { method: 'PATCH', path: `/Users/${id}`, data: title('x') },
    { method: 'DELETE', path: `/Users/${id}` },
  ];
  const viewer = await client({ orgId: scim.orgId, role: 'ORG_USER_VIEWER' });
  const answer = await viewer.bulk(operations);
  t.same(statuses(t, answer), ['403', '403', '403', '403']);
  for (const result of answer.body.Operations) {
    failedWith(t, result, { status: '403', id: 'tokens.permissionMissing' });
  }
  t.equal((await scim.get(`/Users/${id}`)).body.title, undefined);
  const stranger = await client({ orgId: (await tenant()).orgId });
  t.equal((await stranger.at(scim.orgId).bulk(operations)).status, 404, 'no role: no organization');
});

t.test('each attempt asks anew what the service user may do', async (t) => {
  const idle = await openScim(t);
  const owner = await idle.tenant();
  const { container, call } = idle;
  // No user can be deactivated while the instance has no owner.
  await idle.client({ orgId: owner.orgId, role: 'IAM_OWNER' });
  const serviceUser = `/admin/v1/orgs/${owner.orgId}/service-users`;
  const lostEverything: Record<string, (id: string) => Promise<number>> = {
    'an inactive one': async (id) =>
      (await call(`PATCH ${serviceUser}/${id}`, { as: owner, body: { active: false } })).status,
    'a removed one': async (id) => (await call(`DELETE ${serviceUser}/${id}`, { as: owner })).status,
    'one without roles': async (id) => {
      const memberships = `/admin/v1/orgs/${owner.orgId}/memberships`;
      const { body } = await call(`GET ${memberships}`, { as: owner });
      const { id: own } = body.items.find(({ userId }: Json) => userId === id);
      return (await call(`DELETE ${memberships}/${own}`, { as: owner })).status;
    },
  };
  const { id } = await owner.create();
  const path = `/Users/${id}`;
  const operations = [
    post('a'),
    { method: 'PATCH', path: '/Users/bulkId:a', data: title('x') },
    post('circle', { title: 'bulkId:circle' }),
    { method: 'PATCH', path, data: title('x') },
    { method: 'DELETE', path },
  ];
  for (const [name, lose] of Object.entries(lostEverything)) {
    const scim = await idle.client({ orgId: owner.orgId });
    const jobId = await queuedJob(scim, operations);
    t.ok([1, 200, 204].includes(await lose(scim.userId)), name);
    await scimBulkWorker(container)({ jobId, attemptId: 'only' }, container.logger);
    const results = (await jobEnded(idle, owner, `https://x/admin/v1/jobs/${jobId}`)).result.Operations;
    t.equal(results.length, operations.length);
    for (const result of results) failedWith(t, result, { status: '403', id: 'tokens.permissionMissing' });
  }
  t.equal((await owner.get(path)).body.title, undefined);

  await t.test('recorded results stay', async (t) => {
    const scim = await idle.client({ orgId: owner.orgId });
    const jobId = await queuedJob(scim, [{ method: 'PATCH', path, data: title('done') }, operations[4]]);
    let recorded = 0;
    const recordParts: typeof container.jobs.recordParts = (...parts) => {
      if (++recorded === 2) throw Object.assign(new Error('crash'), { code: 'ECONNRESET' });
      return container.jobs.recordParts(...parts);
    };
    const crashing = scimBulkWorker({ ...container, jobs: { ...container.jobs, recordParts } });
    await t.rejects(crashing({ jobId, attemptId: 'first' }, container.logger), /crash/);
    await lostEverything['an inactive one']?.(scim.userId);
    await scimBulkWorker(container)({ jobId, attemptId: 'second' }, container.logger);
    const { result } = await jobEnded(idle, owner, `https://x/admin/v1/jobs/${jobId}`);
    t.same(
      result.Operations.map(({ status }: Json) => status),
      ['204', '403'],
    );
    t.equal((await owner.get(path)).body.title, 'done');
  });

  await t.test('a right that is lost in the middle ends the rest of the attempt', async (t) => {
    for (const [name, lose] of Object.entries(lostEverything)) {
      const scim = await idle.client({ orgId: owner.orgId });
      const last = [post('b'), { method: 'PATCH', path, data: title(name) }, { method: 'DELETE', path }];
      const jobId = await queuedJob(scim, [{ method: 'PATCH', path, data: title(`first ${name}`) }, ...last]);
      let recorded = 0;
      const recordParts: typeof container.jobs.recordParts = async (...parts) => {
        if (++recorded === 1) await lose(scim.userId);
        return container.jobs.recordParts(...parts);
      };
      const worker = scimBulkWorker({ ...container, jobs: { ...container.jobs, recordParts } });
      await worker({ jobId, attemptId: 'only' }, container.logger);
      const { result } = await jobEnded(idle, owner, `https://x/admin/v1/jobs/${jobId}`);
      t.same(
        result.Operations.map(({ status }: Json) => status),
        ['204', '403', '403', '403'],
        name,
      );
      t.equal((await owner.get(path)).body.title, `first ${name}`);
    }
  });

  await t.test('whether passwords are ignored is asked too', async (t) => {
    const scim = await idle.client({ orgId: owner.orgId });
    const jobId = await queuedJob(scim, [post('a', { password: 'weak' })]);
    const body = { ignorePasswordOnCreate: true };
    t.equal((await call(`PATCH ${serviceUser}/${scim.userId}`, { as: owner, body })).status, 200);
    await scimBulkWorker(container)({ jobId, attemptId: 'only' }, container.logger);
    const { result } = await jobEnded(idle, owner, `https://x/admin/v1/jobs/${jobId}`);
    t.equal(result.Operations[0].status, '201');
  });
});

t.test('a user of another organization is not reached', async (t) => {
  const theirs = await tenant();
  const user = await theirs.create();
  const answer = await scim.bulk([
    { method: 'PUT', path: `/Users/${user.id}`, data: newUser() },
    { method: 'PATCH', path: `/Users/${user.id}`, data: title('x') },
    { method: 'DELETE', path: `/Users/${user.id}` },
  ]);
  t.same(statuses(t, answer), ['404', '404', '404']);
  t.same((await theirs.get(`/Users/${user.id}`)).body, user);
});

t.test('bounds of a request', async (t) => {
  const many = (length: number) =>
    Array.from({ length }, () => ({ method: 'DELETE', path: '/Users/nobody' }));
  t.equal(statuses(t, await scim.bulk(many(100))).length, 100);
  t.equal(statuses(t, await scim.bulk([])).length, 0);
  const tooMany = await scim.bulk(many(101));
  t.equal(tooMany.status, 413);
  t.equal(tooMany.body[urn.errorDetail].id, 'scim.tooManyOperations');

  const body = (bytes: number) => {
    const request = JSON.stringify({ schemas: [urn.bulkRequest], Operations: many(1), padding: '' });
    return request.replace('"padding":""', `"padding":"${'x'.repeat(bytes - Buffer.byteLength(request))}"`);
  };
  const largest = body(1_000_000);
  t.equal(Buffer.byteLength(largest), 1_000_000);
  t.same(statuses(t, await scim.post('/Bulk', largest)), ['404']);
  const tooLarge = await scim.post('/Bulk', body(1_000_001));
  t.equal(tooLarge.status, 413);
  t.equal(tooLarge.body[urn.errorDetail].id, 'http.bodyTooLarge');
});

t.test('an envelope that cannot be read is refused as a whole', async (t) => {
  const cases: Record<string, [Json, string, string]> = {
    'an operation that is no object': [{ Operations: ['x'] }, 'invalidSyntax', 'scim.wrongType'],
    'an operation without method': [{ Operations: [{ path: '/Users' }] }, 'invalidSyntax', 'scim.wrongType'],
    'an operation without path': [{ Operations: [{ method: 'POST' }] }, 'invalidSyntax', 'scim.wrongType'],
    'a bulkId that is a number': [
      { Operations: [{ ...post('x'), bulkId: 7 }] },
      'invalidSyntax',
      'scim.wrongType',
    ],
    'a bulkId used twice': [{ Operations: [post('x'), post('x')] }, 'invalidValue', 'scim.badValue'],
    'failOnErrors 0': [{ failOnErrors: 0, Operations: [] }, 'invalidValue', 'scim.badValue'],
    'failOnErrors that is no integer': [
      { failOnErrors: 'one', Operations: [] },
      'invalidSyntax',
      'scim.wrongType',
    ],
    'no Operations': [{}, 'invalidSyntax', 'scim.wrongType'],
  };
  for (const [name, [body, scimType, id]] of Object.entries(cases)) {
    const answer = await scim.post('/Bulk', { schemas: [urn.bulkRequest], ...body });
    t.equal(answer.status, 400, name);
    t.equal(answer.body.scimType, scimType, name);
    t.equal(answer.body[urn.errorDetail].id, id, name);
  }
});

t.test('passwords are neither in Redis nor readable in MongoDB, while a job waits and after', async (t) => {
  const idle = await openScim(t);
  const scim = await idle.tenant();
  const operations = [
    post('a', { password: 'Bulk-Secret-1' }),
    post('b', { password: 'Bulk-Secret-2' }),
    post('c', { password: 'bulk-secret' }),
  ];
  const waiting = scim.bulk(operations, {}, { prefer: 'respond-async' });
  const { location } = (await waiting).headers;
  t.notMatch(await everything(idle.container), /Bulk-Secret/i, 'while it waits');
  const body = await idle.container.mongo.db.collection('jobBodies').findOne();
  t.ok(body, 'the body is staged');
  t.notMatch(Buffer.from(body?.['body'].buffer).toString('latin1'), /Secret|userName/);
  const workers = startWorkers(idle.container);
  t.teardown(() => workers.close());
  const job = await jobEnded(idle, scim, String(location));
  t.same(
    job.result.Operations.map(({ status }: Json) => status),
    ['201', '201', '400'],
  );
  t.notMatch(await everything(idle.container), /Bulk-Secret/i, 'afterwards');
  t.equal(await idle.container.mongo.db.collection('jobBodies').countDocuments(), 0, 'the body is dropped');
});

t.test('respond-async answers 202 with the address of the job', async (t) => {
  const answer = await scim.bulk(
    [post('a', { userName: 'async' }), post('b', { userName: '' })],
    {},
    { prefer: 'respond-async' },
  );
  t.equal(answer.status, 202);
  t.equal(answer.text, '');
  t.equal(answer.headers['preference-applied'], 'respond-async');
  t.match(answer.headers['location'], /^https:\/\/muster\.example\/admin\/v1\/jobs\/[\w-]+$/);
  const job = await jobEnded({ call }, scim, String(answer.headers['location']));
  t.equal(job.state, 'completed');
  t.same(job.progress, { processed: 2, total: 2, errors: 1 });
  t.same(job.result.schemas, [urn.bulkResponse]);
  t.same(
    job.result.Operations.map(({ bulkId, status }: Json) => [bulkId, status]),
    [
      ['a', '201'],
      ['b', '400'],
    ],
  );
  t.equal(await scim.found('userName eq "async"'), 'async');
  const stranger = await tenant();
  const path = new URL(String(answer.headers['location'])).pathname;
  t.equal((await call(`GET ${path}`, { as: stranger })).status, 404, 'others do not see it');
});

t.test('what the deadline prevented answers 503 and is never applied', async (t) => {
  const idle = await openScim(t, { requestTimeoutSeconds: 1 });
  const scim = await idle.tenant();
  const user = await scim.create({ userName: 'late' });
  const answer = await scim.bulk([
    post('a', { userName: 'too-late' }),
    { method: 'PATCH', path: `/Users/${user.id}`, data: title('x') },
    { method: 'DELETE', path: `/Users/${user.id}` },
  ]);
  t.same(statuses(t, answer), ['503', '503', '503']);
  const [created, patched, deleted] = answer.body.Operations;
  for (const result of [created, patched, deleted])
    failedWith(t, result, { status: '503', id: 'bulk.notRun' });
  t.notOk('location' in created);
  t.equal(patched.location, `${scim.absoluteBase}/Users/${user.id}`);

  const workers = startWorkers(idle.container);
  t.teardown(() => workers.close());
  await queueIsEmpty(idle.container);
  t.same((await scim.get('/Users')).body.Resources, [user], 'a worker that starts later applies nothing');
});

t.test('a job that is cancelled before a worker takes it applies nothing', async (t) => {
  const idle = await openScim(t);
  const scim = await idle.tenant();
  const { headers } = await scim.bulk(
    [post('a', { userName: 'cancelled' })],
    {},
    { prefer: 'respond-async' },
  );
  const path = new URL(String(headers['location'])).pathname;
  const cancelled = await idle.call(`DELETE ${path}`, { as: scim });
  t.equal(cancelled.status, 200);
  t.equal(cancelled.body.state, 'cancelled');
  const workers = startWorkers(idle.container);
  t.teardown(() => workers.close());
  await queueIsEmpty(idle.container);
  t.equal((await scim.get('/Users')).body.totalResults, 0);
  t.equal((await idle.call(`GET ${path}`, { as: scim })).body.state, 'cancelled');
});

t.test('a waiting client learns what a cancelled job did', async (t) => {
  const idle = await openScim(t);
  const scim = await idle.tenant();
  const answering = scim.bulk([post('a'), post('b')]);
  const jobs = idle.container.mongo.db.collection<{ _id: string }>('jobs');
  const id = await until(async () => (await jobs.findOne())?._id);
  t.equal((await idle.call(`DELETE /admin/v1/jobs/${id}`, { as: scim })).status, 200);
  t.same(statuses(t, await answering), ['503', '503']);
});

t.test('a fault of ours fails one operation alone', async (t) => {
  const idle = await openScim(t);
  const scim = await idle.tenant();
  const operations = [
    post('a', { userName: 'first' }),
    { method: 'PATCH', path: '/Users/faulty', data: title('1') },
    { method: 'PATCH', path: '/Users/bulkId:a', data: title('2') },
  ];
  const { headers } = await scim.bulk(operations, {}, { prefer: 'respond-async' });
  const location = String(headers['location']);
  const { users } = idle.container;
  const faulty = {
    ...users,
    find: async (...sought: Parameters<typeof users.find>) => {
      if (sought[1] === 'faulty') throw new TypeError('a mistake');
      return users.find(...sought);
    },
  };
  const attempt = scimBulkWorker({ ...idle.container, users: faulty });
  const jobId = location.slice(location.lastIndexOf('/') + 1);
  await attempt({ jobId, attemptId: 'only' }, idle.container.logger);
  const job = await jobEnded(idle, scim, location);
  t.same(
    job.result.Operations.map(({ status }: Json) => status),
    ['201', '500', '204'],
  );
  t.notMatch(JSON.stringify(job), /a mistake/);
});

t.test('work goes on after MongoDB refused it, and after an election', async (t) => {
  const gateway = await openOwnGateway(t, { sharedUrl: container.config.mongodbUrl, replicaSet: 'rs0' });
  if (gateway === undefined) return;
  const idle = await openScim(t, { mongodbUrl: gateway.url });
  const scim = await idle.tenant();
  const { failures } = gateway.faults;
  const { id } = await scim.create();
  // A plan that an index killed, a missing right, and a shard that cannot be reached.
  for (const code of [175, 13, 290]) {
    failures.push({ command: 'insert', collection: 'users', code });
    const answer = await scim.post('/Users', newUser({ userName: `refused-${code}` }));
    t.equal(answer.status, 503);
    t.equal(answer.headers['retry-after'], '2');
    t.equal(answer.body.detail, 'MongoDB refuses work at the moment; try again shortly');
    t.same(answer.body[urn.errorDetail], {
      id: 'http.storeUnavailable',
      message:
        'A store of the service cannot be reached, or did not do the work. The detail says which, and what helps',
    });
  }
  // The last code is one that no list has.
  for (const code of [175, 13, 290, 96]) {
    const jobId = await queuedJob(scim, [
      post('a', { userName: `first-${code}` }),
      post('b', { userName: `second-${code}` }),
      { method: 'PATCH', path: `/Users/${id}`, data: title(`${code}`) },
    ]);
    const lastAttempt = {
      name: 'scim-bulk',
      data: { jobId },
      attemptsMade: 4,
      stalledCounter: 0,
      timestamp: 0,
    };
    const attempt = () => runJob(idle.container, scimBulkWorker(idle.container), lastAttempt);
    const ends = [];
    for (const command of ['insert', 'update']) {
      failures.push({ command, collection: 'users', code });
      const failure = await attempt().catch((error: unknown) => error);
      t.ok(isStoreUnavailable(failure), `${code}: later`);
      ends.push(Object.keys((await idle.container.jobs.find(jobId))?.parts ?? {}).length);
    }
    t.same(ends, [0, 2], 'what was applied stays');
    await attempt();
    const job = await jobEnded(idle, scim, `https://x/admin/v1/jobs/${jobId}`);
    t.equal(job.state, 'completed');
    t.same(
      job.result.Operations.map(({ status }: Json) => status),
      ['201', '201', '204'],
    );
  }
  t.same(failures, []);
  t.equal(await scim.found('userName sw "refused"'), '');

  const changes = ['1', '2', '3', '4', '5'];
  const operations = changes.map((value) => ({ method: 'PATCH', path: `/Users/${id}`, data: title(value) }));
  const jobId = await queuedJob(scim, operations);
  const { jobs, logger } = idle.container;
  let recorded = 0;
  let meanwhile: ReturnType<typeof scim.post> | undefined;
  const recordParts: typeof jobs.recordParts = (...parts) => {
    if (++recorded === 3) {
      // The longest election.
      gateway.faults.noPrimaryUntil = Date.now() + 12_000;
      meanwhile = scim.post('/Users', newUser({ userName: 'meanwhile' }));
    }
    return jobs.recordParts(...parts);
  };
  const worker = scimBulkWorker({ ...idle.container, jobs: { ...jobs, recordParts } });
  await t.resolves(worker({ jobId, attemptId: 'only' }, logger), 'no other attempt is needed');
  t.equal((await meanwhile)?.status, 201, 'a request waits for the election too');
  t.ok(Date.now() >= gateway.faults.noPrimaryUntil);
  const job = await jobEnded(idle, scim, `https://x/admin/v1/jobs/${jobId}`);
  t.same(
    job.result.Operations.map(({ status }: Json) => status),
    changes.map(() => '204'),
  );
  t.match(
    (await scim.get(`/Users/${id}`)).body,
    { title: '5', meta: { version: /^W\/"10-/ } },
    'each change once',
  );
});

t.test('an attempt that crashed is continued, and nothing is applied twice', async (t) => {
  for (const crashAt of [1, 2, 3, 4]) {
    const idle = await openScim(t);
    const scim = await idle.tenant();
    const { jobs } = idle.container;
    const operations = [
      post('a', { userName: 'first' }),
      { method: 'PATCH', path: '/Users/bulkId:a', data: title('1') },
      { method: 'PATCH', path: '/Users/bulkId:a', data: title('2') },
      post('b', { userName: 'FIRST' }),
    ];
    const { headers } = await scim.bulk(operations, {}, { prefer: 'respond-async' });
    const location = String(headers['location']);
    const jobId = location.slice(location.lastIndexOf('/') + 1);
    let recorded = 0;
    const crashing = {
      ...jobs,
      recordParts: (...parts: Parameters<typeof jobs.recordParts>) => {
        recorded++;
        if (recorded === crashAt) throw Object.assign(new Error('crash'), { code: 'ECONNRESET' });
        return jobs.recordParts(...parts);
      },
    };
    const attempt = scimBulkWorker({ ...idle.container, jobs: crashing });
    await t.rejects(attempt({ jobId, attemptId: 'crashed' }, idle.container.logger), /crash/);
    const workers = startWorkers(idle.container);
    const job = await jobEnded(idle, scim, location);
    await workers.close();
    t.same(
      job.result.Operations.map(({ status }: Json) => status),
      ['201', '204', '204', '409'],
      `crashed at ${crashAt}`,
    );
    t.same(job.progress, { processed: 4, total: 4, errors: 1 });
    const { body } = await scim.get('/Users');
    t.equal(body.totalResults, 1);
    t.equal(body.Resources[0].title, '2');
    t.match(body.Resources[0].meta.version, /^W\/"3-/, 'each change once');
  }
});

/** Sends a Bulk request that is not waited for; the identifier of its job. */
async function queuedJob(scim: ScimClient, operations: unknown[]): Promise<string> {
  const { headers } = await scim.bulk(operations, {}, { prefer: 'respond-async' });
  return String(headers['location']).replace(/^.*\//, '');
}

function jobEnded({ call: ask }: { call: typeof call }, as: ScimClient, location: string): Promise<Json> {
  const path = new URL(location).pathname;
  return until(async () => {
    const { body } = await ask(`GET ${path}`, { as });
    return ['queued', 'running'].includes(body.state) ? undefined : body;
  });
}

/** Waits until the workers have taken everything and no queue holds a job. */
async function queueIsEmpty({ redis, config }: Rooms): Promise<void> {
  await until(async () => {
    for (const state of ['wait', 'active', 'delayed', 'prioritized']) {
      const key = `{${config.redisPrefix}:queue}:scim-bulk:${state}`;
      const size = ['wait', 'active'].includes(state) ? await redis.llen(key) : await redis.zcard(key);
      if (size > 0) return undefined;
    }
    return true;
  });
}

/** All that Redis and MongoDB hold of an application, as text. */
async function everything({ redis, mongo, config }: Rooms): Promise<string> {
  const one = redis as Redis;
  const parts: unknown[] = [];
  for await (const keys of one.scanStream({ match: `*${config.redisPrefix}*`, count: 1000 })) {
    for (const key of keys as string[]) {
      const readers: Record<string, () => Promise<unknown>> = {
        string: () => one.get(key),
        hash: () => one.hgetall(key),
        list: () => one.lrange(key, 0, -1),
        set: () => one.smembers(key),
        zset: () => one.zrange(key, '0', '-1'),
        stream: () => one.xrange(key, '-', '+'),
      };
      const type = await one.type(key);
      parts.push(key, await readers[type]?.());
    }
  }
  if (parts.length === 0) throw new Error('Redis holds nothing, so nothing was looked at');
  for (const { name } of await mongo.db.listCollections().toArray()) {
    for (const document of await mongo.db.collection(name).find().toArray()) parts.push(document);
  }
  return JSON.stringify(parts);
}

t.test('a caller cannot set the password of a more powerful person', async (t) => {
  const scim = await tenant();
  const manager = await client({ orgId: scim.orgId, role: 'ORG_USER_MANAGER' });
  const { id } = await scim.create();
  await addMembership(container, {
    userId: id,
    role: 'IMPERSONATOR',
    orgId: scim.orgId,
    editor: testEditor,
  });
  const data = patchOp({ op: 'replace', path: 'password', value: 'Another-Horse-8' });
  const answer = await manager.bulk([
    { method: 'PATCH', path: `/Users/${id}`, data },
    { method: 'PUT', path: `/Users/${id}`, data: newUser({ password: 'Another-Horse-8' }) },
    { method: 'PATCH', path: `/Users/${id}`, data: title('Helper') },
  ]);
  t.same(statuses(t, answer), ['403', '403', '403']);
});
