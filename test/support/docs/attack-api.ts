import type { JWTPayload } from 'jose';
import type { Test } from 'tap';
import { openSigningKey } from '#src/keys/signing-key.js';
import { until } from '../../../dev/until.js';
import { forgedJwts, signJwt } from '../oidc/forged-jwts.js';
import type { ApiGuide } from './api-guide.js';
import type { MusterOfReader } from './muster-of-reader.js';

/** What an API of a guide does not do, and why its guide says so. */
export interface ApiLimits {
  /** What it answers to a bad token. Gateways answer some with 403. */
  readonly refused?: readonly number[];
  /** Whether it takes opaque tokens. */
  readonly opaque?: boolean;
  /** Whether it introspects to remove an order. */
  readonly roles?: boolean;
  /** Whether it verifies JWTs itself. Otherwise it introspects them too. */
  readonly verifies?: boolean;
  /** Within so many milliseconds it accepts a key that it did not know. Not tested if 0. */
  readonly learnsWithin?: number;
  /** What it answers to a token that it introspects, if Muster is away. */
  readonly away?: number;
}

interface UnderAttack {
  readonly muster: MusterOfReader;
  readonly guide: ApiGuide;
  readonly limits: Required<ApiLimits>;
}

/**
 * Calls the API of a guide with the tokens that it must accept and those that it must refuse, rotates the keys, and revokes
 * the tokens.
 */
export async function attackApi(
  t: Test,
  muster: MusterOfReader,
  guide: ApiGuide,
  limits: ApiLimits = {},
): Promise<void> {
  const all = {
    refused: [401],
    opaque: true,
    roles: true,
    verifies: true,
    learnsWithin: 0,
    away: 503,
    ...limits,
  };
  const attack = { muster, guide, limits: all };
  await t.test('it serves the caller', (t) => servesTheCaller(t, attack));
  await t.test('it refuses every token that was not made for it', (t) => refusesWrongTokens(t, attack));
  await t.test('it refuses forged tokens, and asks seldom for keys', (t) => refusesForgedTokens(t, attack));
  await t.test('it accepts the tokens of the next key', (t) => followsRotations(t, attack));
  await t.test('a token ends when it is revoked', (t) => endsRevokedTokens(t, attack));
  await t.test('Muster is away', (t) => servesWithoutMuster(t, attack));
}

/** Calls the API, to read orders or with the method DELETE to remove one. */
async function call({ guide }: UnderAttack, token: string | undefined, method: 'GET' | 'DELETE' = 'GET') {
  const answer = await fetch(`${guide.address}/orders${method === 'DELETE' ? '/7' : ''}`, {
    method,
    ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

async function servesTheCaller(t: Test, attack: UnderAttack): Promise<void> {
  const { guide, limits } = attack;
  const { good, claims, opaque, other, withoutRoles } = guide.tokens;
  const { status, text } = await call(attack, good);
  t.equal(status, 200, text);
  t.match(text, String(claims.sub));
  if (limits.opaque) {
    const answer = await call(attack, opaque);
    t.equal(answer.status, 200, 'an opaque token');
    t.match(answer.text, String(claims.sub));
  } else t.ok(limits.refused.includes((await call(attack, opaque)).status), 'an opaque token');
  if (limits.roles) {
    t.equal((await call(attack, good, 'DELETE')).status, 204, 'with the role');
    t.equal((await call(attack, opaque, 'DELETE')).status, 204, 'an opaque token with the role');
    t.equal((await call(attack, withoutRoles, 'DELETE')).status, 403, 'without the scope of the roles');
  }
  for (const method of ['GET', 'DELETE'] as const) {
    const nobody = await call(attack, undefined, method);
    t.equal(nobody.status, 401, `${method} without a token`);
    t.match(nobody.headers.get('www-authenticate'), /^Bearer\b/);
    t.ok(limits.refused.includes((await call(attack, other, method)).status), `${method}, another audience`);
  }
  const inQuery = await fetch(`${guide.address}/orders?access_token=${good}`);
  t.ok(inQuery.status >= 400, 'a token in the address, where logs show it');
  const basic = await fetch(`${guide.address}/orders`, { headers: { authorization: `Basic ${good}` } });
  t.equal(basic.status, 401, 'another scheme');
}

/** Tokens that Muster signed, or could have signed, for another purpose. */
async function wrongTokens({ muster, guide }: UnderAttack): Promise<Record<string, string>> {
  const { claims } = guide.tokens;
  const { kid, alg, privateKey } = await muster.container.signingKeys.active();
  const now = Math.floor(Date.now() / 1000);
  const make = (more: JWTPayload, header: object = {}) =>
    signJwt(privateKey, { alg, kid, typ: 'at+jwt', ...header }, { ...claims, ...more });
  const without = (name: string) => make({ [name]: undefined });
  const { store, sealer } = muster.container.signingKeyRotation;
  const stored = (await store.all()).find((key) => key.alg === 'ES256' && key.state === 'active');
  if (stored === undefined) throw new Error('There is no key of ES256');
  const another = openSigningKey(stored, sealer);
  const es256 = { alg: another.alg, kid: another.kid, typ: 'at+jwt' };
  return {
    'an ID token': make({}, { typ: 'JWT' }),
    'a token without a type': make({}, { typ: undefined }),
    'a logout token': make({}, { typ: 'logout+jwt' }),
    'a security event': make({}, { typ: 'secevent+jwt' }),
    'a type that is a list': make({}, { typ: ['at+jwt'] }),
    'a type that begins the same': make({}, { typ: 'at+jwt2' }),
    'an expired token': make({ iat: now - 7_200, exp: now - 3_600 }),
    'a token without exp': without('exp'),
    'a token of the future': make({ nbf: now + 3_600 }),
    'another issuer': make({ iss: 'https://id.example.net' }),
    'the issuer with a slash': make({ iss: `${muster.baseUrl}/` }),
    'the issuer and more': make({ iss: `${muster.baseUrl}.example.net` }),
    'no issuer': without('iss'),
    'the audience of an application': make({ aud: String(claims['client_id']) }),
    'the audience and more': make({ aud: [`${guide.project}x`] }),
    'the beginning of the audience': make({ aud: guide.project.slice(0, -1) }),
    'an empty audience': make({ aud: [] }),
    'no audience': without('aud'),
    'another algorithm of Muster': signJwt(another.privateKey, es256, claims),
  };
}

async function refusesWrongTokens(t: Test, attack: UnderAttack): Promise<void> {
  const { muster, guide, limits } = attack;
  for (const [name, token] of Object.entries(await wrongTokens(attack))) {
    // Muster itself signs with any of its algorithms, and takes each type that it made.
    const isForMuster = name === 'another algorithm of Muster';
    if (limits.verifies) {
      const { status, text } = await call(attack, token);
      t.ok(limits.refused.includes(status), `${name}: ${status} ${text}`);
    }
    if (limits.roles && !isForMuster) {
      const { status } = await call(attack, token, 'DELETE');
      t.ok(limits.refused.includes(status), `to remove, ${name}: ${status}`);
    }
  }
  const { kid, alg, privateKey } = await muster.container.signingKeys.active();
  const another = `urn:service:iam:org:project:id:${guide.project}0:aud`;
  // Muster makes no token without a scope, so introspection has none to tell of.
  const scopes = ['openid', another, `x-${guide.tokens.claims['scope']}`];
  for (const scope of limits.verifies ? [...scopes, '', undefined] : scopes) {
    const token = signJwt(privateKey, { alg, kid, typ: 'at+jwt' }, { ...guide.tokens.claims, scope });
    t.equal((await call(attack, token)).status, 403, `the scope ${scope}`);
  }
}

/** At so many tokens the program may read the key set: at the start, and for the first unknown keys. */
const mostReads = 4;

async function refusesForgedTokens(t: Test, attack: UnderAttack): Promise<void> {
  const { muster, guide, limits } = attack;
  const { kid, alg, privateKey } = await muster.container.signingKeys.active();
  const reads = () => muster.answered.filter((one) => one.startsWith('GET /oauth/v2/keys ')).length;
  const signer = { kid, alg, privateKey };
  const forged = forgedJwts(signer, () => guide.tokens.claims, { typ: 'at+jwt' });
  // Muster's own signature, with a header that only looks odd. A program may accept these.
  for (const name of ['kid null', 'crit that is empty']) delete forged[name];
  const before = reads();
  const accepted: string[] = [];
  for (const [name, token] of Object.entries(forged)) {
    const { status } = await call(attack, token);
    if (!limits.refused.includes(status)) accepted.push(`${name}: ${status}`);
  }
  t.same(accepted, []);
  t.ok(Object.keys(forged).length > 100);
  t.ok(reads() - before <= mostReads, `${reads() - before} reads of the keys`);
  t.equal((await call(attack, guide.tokens.good)).status, 200, 'the good token still works');
}

async function followsRotations(t: Test, attack: UnderAttack): Promise<void> {
  const { guide, limits } = attack;
  const token = () =>
    guide.shell.run('token --data-urlencode "scope=urn:service:iam:org:project:id:$PROJECT:aud"');
  const asJwt = `admin -X PATCH "$BASE/admin/v1/orgs/$ORG/service-users/$CALLER" -d '{ "accessTokenType": "jwt" }'`;
  await guide.shell.run(asJwt);
  const rotate = `admin -X POST "$BASE/admin/v1/signing-keys/_rotate" -d '{ "force": true }'`;
  await guide.shell.run(rotate);
  t.equal((await call(attack, await token())).status, 200, 'the key was published before it signs');
  t.equal((await call(attack, guide.tokens.good)).status, 200, 'the former key still counts');
  if (!limits.learnsWithin) return;
  await guide.shell.run(rotate);
  const unknown = await token();
  const accepts = async () => (await call(attack, unknown)).status === 200;
  t.ok(await until(accepts, { within: limits.learnsWithin, every: 500 }), 'a key that it did not know');
}

async function endsRevokedTokens(t: Test, attack: UnderAttack): Promise<void> {
  const { guide, limits } = attack;
  const { good, opaque } = guide.tokens;
  for (const token of [good, opaque]) {
    await guide.shell.run(`curl -sS "$BASE/oauth/v2/revoke" -u "$CALLER:$CALLER_SECRET" -d "token=${token}"`);
  }
  const ends = (token: string, method: 'GET' | 'DELETE' = 'GET') =>
    until(async () => limits.refused.includes((await call(attack, token, method)).status), {
      within: 8_000,
      every: 200,
    });
  if (limits.roles) t.ok(await ends(good, 'DELETE'), 'where it is introspected');
  if (limits.opaque) t.ok(await ends(opaque), 'opaque');
  if (limits.verifies) t.equal((await call(attack, good)).status, 200, 'a JWT lasts until it expires');
  else t.ok(await ends(good), 'a JWT that is introspected');
}

/** An outage must not look like a bad token: the client would throw the token away. */
async function servesWithoutMuster(t: Test, attack: UnderAttack): Promise<void> {
  const { muster, guide, limits } = attack;
  await muster.stop();
  const { withoutRoles } = guide.tokens;
  if (limits.verifies) t.equal((await call(attack, withoutRoles)).status, 200, 'a JWT is verified as before');
  const unseen = Buffer.from(`${Date.now()}`).toString('base64url').repeat(10);
  if (limits.roles) t.equal((await call(attack, unseen, 'DELETE')).status, limits.away);
  if (limits.opaque) t.equal((await call(attack, unseen)).status, limits.away);
}
