import t from 'tap';
import type { WaitingRequest } from '#src/authorization/authorization-requests.store.js';
import { familyOf } from '#src/oidc/authorize/codes.store.js';
import type { AuthorizationGrant } from '#src/oidc/issuance/authorization-grant.js';
import { openTestContainer } from '../../support/app/test-container.js';
import { keysOf } from '../../support/stores/redis-keys.js';

const { container, clock } = await openTestContainer(t);
const { authorizationRequests, codes, redis, config } = container;

const grant: Omit<AuthorizationGrant, 'familyId'> = {
  clientId: 'client',
  redirectUri: 'https://client.example/callback',
  userId: 'user of an import',
  orgId: 'org',
  sessionId: 'session',
  scope: 'openid {"braces"}',
  nonce: 'n',
  authTime: new Date('2026-01-01T00:00:00Z'),
  amr: ['pwd'],
};

t.test('a code is redeemed once, and remembered', async (t) => {
  const code = await codes.issue(grant);
  t.match(code, /^[\w-]{43}$/);
  const began = grant.authTime;
  t.same(await codes.redeem(code), { grant: { ...grant, began, familyId: familyOf(code) } });
  const replay = { replayedFamilyId: familyOf(code), userId: grant.userId };
  t.same(await codes.redeem(code), replay);
  t.same(await codes.redeem(code), replay, 'however often');
});

t.test('of many at once one gets the grant', async (t) => {
  const code = await codes.issue(grant);
  const all = await Promise.all(Array.from({ length: 20 }, () => codes.redeem(code)));
  t.equal(all.filter((one) => one !== undefined && 'grant' in one).length, 1);
  t.equal(all.filter((one) => one !== undefined && 'replayedFamilyId' in one).length, 19);
});

t.test('codes that nobody issued, or that have expired', async (t) => {
  for (const code of ['', 'x', 'A'.repeat(43), 'A'.repeat(100_000), '*'.repeat(43)]) {
    t.equal(await codes.redeem(code), undefined);
  }
  const code = await codes.issue(grant);
  clock.advance(config.codeSeconds + 1);
  t.equal(await codes.redeem(code), undefined);
});

t.test('Redis does not hold the text of a code', async (t) => {
  const code = await codes.issue(grant);
  const keys = await keysOf(redis, `${config.redisPrefix}:code:*`);
  t.ok(keys.length > 0);
  t.notOk(keys.some((key) => key.includes(code)));
  for (const key of keys) t.ok((await redis.pttl(key)) > 0);
});

t.test('requests wait half an hour, and Redis stores nothing before a person is known', async (t) => {
  const request: WaitingRequest = {
    id: 'request-1',
    clientId: 'client',
    redirectUri: 'https://client.example/callback',
    responseType: 'code',
    responseMode: 'query',
    scope: 'openid',
    state: 'a\r\nb"',
    prompts: [],
    uiLocales: [],
    created: clock.now(),
    agentHash: 'agent',
  };
  const stored = () => keysOf(redis, `${config.redisPrefix}:authorization-request:*`);
  const flow = authorizationRequests.seal(request);
  t.match(flow, /^[\w-]+$/);
  t.same(await authorizationRequests.find(flow), { ...request, stage: 'waiting' });
  t.same(await stored(), []);

  await authorizationRequests.update(flow, { sessionId: 's' });
  t.same(await authorizationRequests.find(flow), { ...request, sessionId: 's', stage: 'waiting' });
  const [key = ''] = await stored();
  const life = await redis.pttl(key);
  t.ok(life > 1_700_000 && life <= 1_800_000);
  t.ok((await redis.strlen(key)) < 100, 'whatever the request holds');

  const all = await Promise.all([1, 2, 3].map(() => authorizationRequests.end(flow, 'session-2')));
  t.equal(all.filter(Boolean).length, 1, 'one of several takes it');
  const answered = await authorizationRequests.find(flow);
  t.same(answered, { ...request, sessionId: 'session-2', stage: 'answered' });
  await authorizationRequests.update(flow, { sessionId: 's' });
  t.same(await authorizationRequests.find(flow), answered, 'an update brings nothing back');

  const other = authorizationRequests.seal({ ...request, id: 'request-2' });
  for (const forged of ['x', '', 'x'.repeat(100_000), `${other.slice(0, -2)}AA`, other.slice(1)]) {
    t.equal(await authorizationRequests.find(forged), undefined);
    t.equal(await authorizationRequests.end(forged), false);
  }
  clock.advance(1_799);
  t.ok(await authorizationRequests.find(other));
  clock.advance(1);
  const expired = await authorizationRequests.find(other);
  t.same(expired, { ...request, id: 'request-2', stage: 'expired' });
  t.equal(await authorizationRequests.end(other), false);
  await authorizationRequests.update(other, { sessionId: 's' });
  t.same(await authorizationRequests.find(other), expired, 'nothing changes it');
  t.match(await authorizationRequests.find(flow), { stage: 'expired' }, 'answered or not');

  if (expired === undefined) throw new Error('the request is gone');
  const { agentHash: _, ...asked } = request;
  const { id, created, ...anew } = authorizationRequests.renew(expired);
  t.same({ ...anew, id: asked.id, created: asked.created }, asked, 'it asks for the same');
  t.not(id, 'request-2');
  t.ok(created > expired.created);
});
