import { readFile } from 'node:fs/promises';
import { createLocalJWKSet, jwtVerify } from 'jose';
import t, { type Test } from 'tap';
import { newEvent } from '#src/audit/new-event.js';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import { removeServiceUser } from '#src/removal/remove-service-user.js';
import { testEditor as editor } from '../../support/app/make.js';
import { openScim } from '../../support/app/scim-app.js';
import { type Json, newUser, patchOp, type ScimClient, urn } from '../../support/scim/scim-client.js';

/** Security event tokens (RFC 9967) by poll (RFC 8936). */

const { tenant, client, container, call, clock } = await openScim(t);
// An instance keeps an owner, so that others can be deactivated.
await tenant({ role: 'IAM_OWNER' });
const prov = 'urn:ietf:params:scim:event:prov:';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** An event is sent so many seconds after its change. */
const settled = 95;

const poll = (scim: ScimClient, body: object = {}) => scim.post('/SecurityEvents', body);

/** The claims of the tokens of a response, in their order. */
async function claimsOf(t: Test, { body }: Json, audience: string): Promise<Json[]> {
  const keys = createLocalJWKSet((await call('GET /oauth/v2/keys')).body);
  return Promise.all(
    Object.entries(body.sets).map(async ([jti, token]) => {
      const issuer = container.config.baseUrl;
      const { payload } = await jwtVerify(String(token), keys, {
        ...{ issuer, audience, typ: 'secevent+jwt' },
        currentDate: clock.now(),
      });
      t.equal(payload.jti, jti);
      t.notOk(payload.sub, 'a token of this kind is none for access');
      return payload;
    }),
  );
}

/** What a token tells, as short as possible. */
const told = ({ sub_id: { uri }, events }: Json) => {
  const [[name = '', content] = []] = Object.entries<Json>(events);
  return [name.slice(prov.length), uri, ...(content.attributes ?? [])];
};

t.test('a receiver follows users and groups, and acknowledges what it has', async (t) => {
  const scim = await tenant();
  const { orgId } = scim;
  const receiver = await client({ orgId, role: 'ORG_USER_VIEWER' });
  // Made before the stream begins, and visible after it, like an event of a slow transaction.
  const slow = newEvent('user.deactivated', {
    ...{ aggregate: 'user', id: 'slow', orgId, editor, sequence: 2, date: clock.now() },
  });
  t.same((await poll(receiver)).body, { sets: {}, moreAvailable: false }, 'the stream begins now');
  await container.events.record(slow);
  const machine = await client({ orgId, role: 'ORG_USER_VIEWER' });
  const { id } = (await scim.post('/Users', newUser({ externalId: 'ext-1' }))).body;
  const change = { title: 'Chief', [`${enterprise}:department`]: 'Sales' };
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', value: change }));
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'active', value: false }));
  await scim.patch(`/Users/${id}`, patchOp({ op: 'replace', path: 'active', value: true }));
  const group = (await scim.post('/Groups', { schemas: [urn.group], displayName: 'Staff' })).body.id;
  await scim.patch(`/Groups/${group}`, patchOp({ op: 'add', path: 'members', value: [{ value: id }] }));
  await scim.patch(`/Groups/${group}`, patchOp({ op: 'replace', path: 'displayName', value: 'Crew' }));
  // The events of service users have some of the same types.
  await changeServiceUser(container, { orgId, id: machine.userId, change: { active: false }, editor });
  await removeServiceUser(container, { orgId, id: machine.userId, editor });
  await scim.delete(`/Groups/${group}`);
  await scim.delete(`/Users/${id}`);

  t.same((await poll(receiver)).body.sets, {}, 'an older event may still appear');
  clock.advance(settled);
  const all = await poll(receiver);
  t.match(all.headers['content-type'], /^application\/json/);
  t.equal(all.body.moreAvailable, false);
  const claims = await claimsOf(t, all, receiver.userId);
  const [, created] = claims;
  t.match(created, {
    txn: created.jti,
    toe: Number,
    iat: Number,
    sub_id: { format: 'scim', externalId: 'ext-1' },
  });
  const [isSlow, ...others] = claims.map(told);
  t.strictSame(isSlow, ['deactivate', '/Users/slow']);
  t.strictSame(others, [
    ['create:notice', `/Users/${id}`, 'id', 'userName', 'displayName', 'emails', 'externalId', 'active'],
    ['patch:notice', `/Users/${id}`, `${enterprise}:department`, 'title'],
    ['deactivate', `/Users/${id}`],
    ['activate', `/Users/${id}`],
    ['create:notice', `/Groups/${group}`, 'id', 'displayName'],
    ['patch:notice', `/Groups/${group}`, 'members'],
    ['patch:notice', `/Groups/${group}`, 'displayName'],
    ['delete', `/Groups/${group}`],
    ['delete', `/Users/${id}`],
  ]);
  t.notMatch(JSON.stringify(claims), /Chief|Sales|Staff/, 'no token has a value');

  const jtis = Object.keys(all.body.sets);
  t.strictSame(
    Object.keys((await poll(receiver)).body.sets),
    jtis,
    'again, because nothing was acknowledged',
  );
  const two = await poll(receiver, { maxEvents: 2, ack: [jtis[1]] });
  t.strictSame(Object.keys(two.body.sets), [jtis[0], jtis[2]], 'in any order');
  t.equal(two.body.moreAvailable, true);
  t.same((await poll(receiver, { maxEvents: 0, ack: [jtis[0]] })).body, { sets: {}, moreAvailable: true });
  const rest = await poll(receiver, { setErrs: { [jtis[2] ?? '']: { err: 'invalid_request' } } });
  t.strictSame(Object.keys(rest.body.sets), jtis.slice(3));
  const other = await client({ orgId, role: 'ORG_USER_VIEWER' });
  t.same((await poll(other)).body.sets, {}, 'each receiver has a stream of its own');
  t.same((await poll(receiver, { ack: jtis.slice(3) })).body, { sets: {}, moreAvailable: false });
  t.same((await poll(receiver, { ack: jtis })).body, { sets: {}, moreAvailable: false }, 'and again');
  const uris = claims.flatMap(({ events }) => Object.keys(events));
  const document = await readFile('docs/scim.md', 'utf8');
  const [, events = ''] = /\n\| event \| for \|\n(.*?)\n\n/s.exec(document) ?? [];
  const documented = [...events.matchAll(/`(prov:[a-z:]+)`/g)].map(([, name]) => name);
  t.strictSame(
    [...new Set(uris)].sort(),
    documented.map((name) => `urn:ietf:params:scim:event:${name}`).sort(),
  );
});

t.test('ServiceProviderConfig has the members of RFC 7643 and RFC 9865 alone', async (t) => {
  const scim = await tenant();
  const { body } = await scim.get('/ServiceProviderConfig');
  const members = ['patch', 'bulk', 'filter', 'changePassword', 'sort', 'etag', 'authenticationSchemes'];
  t.strictSame(
    Object.keys(body).sort(),
    [...members, 'schemas', 'documentationUri', 'pagination', 'meta'].sort(),
  );
  const described = (await scim.get('/Schemas/urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'))
    .body;
  t.strictSame(
    described.attributes.map(({ name }: Json) => name).sort(),
    [...members, 'documentationUri', 'pagination'].sort(),
    'the schema names no other',
  );
});

t.test('more events than one response has, and two requests at once', async (t) => {
  const scim = await tenant();
  await poll(scim);
  // The identifiers of events have the time of the machine, not that of the test.
  const receivers = container.mongo.db.collection('eventReceivers');
  await receivers.updateMany({ orgId: scim.orgId }, { $set: { position: '00000000-0000' } });
  await Promise.all(Array.from({ length: 130 }, () => scim.post('/Users', newUser())));
  clock.advance(settled);
  const seen = new Set<string>();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([poll(scim, { ack: [...seen] }), poll(scim, { maxEvents: 10 })]);
    for (const { body } of answers) for (const jti of Object.keys(body.sets)) seen.add(jti);
    if (answers.every(({ body }) => Object.keys(body.sets).length === 0)) break;
  }
  t.equal(seen.size, 130);
  const crowd = await Promise.all(Array.from({ length: 8 }, () => poll(scim)));
  t.ok(crowd.some(({ status }) => status === 200));
  t.match(
    crowd.find(({ status }) => status !== 200),
    { status: 429, headers: { 'retry-after': '1' } },
  );
});

t.test('what is kept of a receiver is bounded, and ends with its caller', async (t) => {
  const scim = await tenant();
  const { orgId } = scim;
  const receivers = container.mongo.db.collection<{ _id: string; orgId: string }>('eventReceivers');
  const left = () => receivers.countDocuments({ orgId });
  const machine = await client({ orgId, role: 'ORG_USER_VIEWER' });
  await poll(machine);
  await poll(scim);
  t.equal(await left(), 2);
  await removeServiceUser(container, { orgId, id: machine.userId, editor });
  t.equal(await left(), 1);
  await receivers.insertMany(Array.from({ length: 99 }, (_, n) => ({ _id: `${orgId} ${n}`, orgId })));
  t.equal((await poll(scim)).status, 200, 'who polls already goes on');
  const late = await client({ orgId, role: 'ORG_USER_VIEWER' });
  t.match(await poll(late), { status: 403, body: { detail: /100 receivers/ } });
  t.equal(await left(), 100);
});

t.test('who may poll', async (t) => {
  const scim = await tenant();
  const stranger = await tenant();
  t.equal((await poll(stranger.at(scim.orgId))).status, 404);
  const nobody = await client({ orgId: scim.orgId, role: 'none' });
  t.equal((await poll(nobody)).status, 404);
  t.match(await poll(scim, { ack: 'a' }), { status: 400, body: { scimType: 'invalidSyntax' } });
  t.equal((await scim.get('/SecurityEvents')).status, 405);
});
