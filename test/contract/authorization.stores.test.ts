import t from 'tap';
import type { WaitingRequest } from '#src/authorization/authorization-requests.store.js';
import type { AuthorizationGrant } from '#src/oidc/authorize/authorization-grant.js';
import { familyOf } from '#src/oidc/authorize/codes.store.js';
import { openTestContainer } from '../support/app/test-container.js';
import { keysOf } from '../support/stores/redis-keys.js';

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
  t.same(await codes.redeem(code), { grant: { ...grant, familyId: familyOf(code) } });
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

t.test('requests wait half an hour', async (t) => {
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
    created: new Date('2026-01-01T00:00:00Z'),
    agentHash: 'agent',
  };
  await authorizationRequests.put(request);
  t.same(await authorizationRequests.find('request-1'), request);
  await authorizationRequests.update('request-1', { sessionId: 's' });
  t.same(await authorizationRequests.find('request-1'), { ...request, sessionId: 's' });
  const life = await redis.pttl(`${config.redisPrefix}:authorization-request:request-1`);
  t.ok(life > 1_700_000 && life <= 1_800_000, 'an update keeps the end');

  const all = await Promise.all([1, 2, 3].map(() => authorizationRequests.remove('request-1')));
  t.equal(all.filter(Boolean).length, 1, 'one of several takes it');
  t.equal(await authorizationRequests.find('request-1'), undefined);
  await authorizationRequests.update('request-1', { sessionId: 's' });
  t.equal(await authorizationRequests.find('request-1'), undefined, 'an update brings nothing back');
  t.equal(await authorizationRequests.find('x'.repeat(10_000)), undefined);
});

t.test(
  'an address has a limit of pending entries, and an entry that is removed or over counts no more',
  async (t) => {
    const { pendingLimits } = container;
    const holder = 'login:::1';
    const add = (id: string, of = holder) => pendingLimits.add(of, id, { limit: 2, seconds: 600 });
    const added = { added: true, retryAfterSeconds: 0 };
    t.same(await add('a'), added);
    t.same(await add('b'), added);
    const refused = await add('c');
    t.equal(refused.added, false);
    t.ok(refused.retryAfterSeconds > 300 && refused.retryAfterSeconds <= 600, 'until the first entry ends');
    t.same(await add('c', 'login:::2'), added, 'another address has its own');

    const [key = ''] = await keysOf(redis, `${config.redisPrefix}:waiting:${encodeURIComponent(holder)}`);
    t.ok((await redis.pttl(key)) > 0);
    await redis.zadd(key, Date.now() - 1, 'a');
    t.same(await add('d'), added, 'the first one is over');
    t.equal((await add('e')).added, false);
    for (let times = 0; times < 3; times++) await pendingLimits.remove(holder, 'b');
    t.same(await add('e'), added, 'an entry that is removed again and again is one entry');
    t.equal((await add('f')).added, false);
  },
);
