import { randomBytes } from 'node:crypto';
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import t from 'tap';
import { createSealer } from '#src/keys/sealer.js';
import type { StoredSigningKey } from '#src/keys/signing-key.js';
import { createSigningKeys } from '#src/keys/signing-keys.js';
import { systemClock } from '#src/platform/clock.js';
import { createAccessTokens } from '#src/tokens/access-token.js';
import type { AccessTokenClaims } from '#src/tokens/access-token-claims.js';
import { algorithmRecords } from '../../support/keys/algorithm-records.js';
import { testThreads } from '../../support/keys/test-threads.js';

const issuer = 'https://muster.example';
const key = (id: string) => ({ id, key: randomBytes(32) });
const masterKeys = [key('k1')];
const threads = testThreads();

function signingKeys(stored: StoredSigningKey[] = []) {
  const store = {
    all: async () => stored,
    insert: async (added: StoredSigningKey) => stored.push(added) > 0,
    turn: async () => false,
    reseal: async () => undefined,
    removeRetired: async () => false,
    removeExpired: async () => 0,
  };
  return createSigningKeys({
    store,
    sealer: createSealer(masterKeys, 'signing-key'),
    threads,
    algorithms: algorithmRecords(),
    clock: systemClock,
    algorithm: 'RS256',
    tokenSeconds: 60,
    watch: () => async () => undefined,
  });
}

const keys = signingKeys();
const make = (keysOfIssuer = keys, name = issuer) =>
  createAccessTokens({
    sealer: createSealer(masterKeys, 'access-token'),
    signingKeys: keysOfIssuer,
    threads,
    issuer: name,
  });
const tokens = make();

const claims: AccessTokenClaims = {
  jti: 'token-1',
  sub: 'user-1',
  org: 'org-1',
  clientId: 'client-1',
  audience: [issuer, 'project-1'],
  scope: 'openid profile',
  issuedAt: 1_700_000_000,
  expiresAt: 1_700_000_600,
};

for (const form of ['opaque', 'jwt'] as const) {
  t.test(`${form}: an issued token is read`, async (t) => {
    for (const given of [
      claims,
      { ...claims, family: 'family-1', session: 'session-1' },
      { ...claims, audience: [issuer] },
      { ...claims, issuedAt: 1_700_000_000.123 },
      { ...claims, origins: [{ jti: 'token-0', sub: 'user-0', issuedAt: 1_699_999_999.5, family: 'f' }] },
      { ...claims, act: { iss: issuer, sub: 'user-0' }, origins: [] },
      { ...claims, claims: ['email', 'birthdate'] },
      {
        ...claims,
        family: 'family-1',
        origins: [{ jti: 'token-0', sub: 'u', issuedAt: 1 }],
        claims: ['email'],
      },
    ]) {
      const { jti, ...read } =
        (await tokens.read(await tokens.issue({ ...given, clientOrgId: 'o' }, form))) ?? {};
      const { jti: givenJti, ...rest } = given;
      t.same(read, rest);
      if (form === 'opaque') t.equal(jti, givenJti);
      else t.ok(jti?.startsWith(`${givenJti}.`), 'the identifier of a JWT tells more');
    }
  });

  t.test(`${form}: no character can be changed`, async (t) => {
    const token = await tokens.issue({ ...claims, clientOrgId: 'o' }, form);
    for (let index = 0; index < token.length; index++) {
      // The last character of each part may hold bits that mean nothing.
      if ([undefined, '.'].includes(token[index + 1]) || token[index] === '.') continue;
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = `${token.slice(0, index)}${other}${token.slice(index + 1)}`;
      if ((await tokens.read(changed)) !== undefined) t.fail(`character ${index} was changed`);
    }
    t.equal(await tokens.read(token.slice(0, -3)), undefined);
  });
}

t.test('an opaque token tells nothing without the key', async (t) => {
  const token = await tokens.issue({ ...claims, clientOrgId: 'o' }, 'opaque');
  t.match(token, /^[\w-]+$/);
  t.notMatch(Buffer.from(token, 'base64url').toString('latin1'), /user-1|org-1|ada/);
  const stranger = createAccessTokens({
    sealer: createSealer([key('k1')], 'access-token'),
    signingKeys: keys,
    threads,
    issuer,
  });
  t.equal(await stranger.read(token), undefined);
  const otherPurpose = createSealer(masterKeys, 'job-body').seal(Buffer.from('[]')).toString('base64url');
  t.equal(await tokens.read(otherPurpose), undefined);
});

t.test('a JWT is of the form that RFC 9068 asks for', async (t) => {
  const token = await tokens.issue({ ...claims, clientOrgId: 'o' }, 'jwt');
  const { kid } = await keys.active();
  t.same(decodeProtectedHeader(token), { alg: 'RS256', typ: 'at+jwt', kid });
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  t.match(payload, {
    iss: issuer,
    sub: 'user-1',
    aud: claims.audience,
    client_id: 'client-1',
    jti: 'token-1',
  });
});

t.test('a JWT has only registered claims, and claims with a name of this service', async (t) => {
  const registered = ['iss', 'sub', 'aud', 'exp', 'iat', 'jti', 'client_id', 'scope', 'sid', 'act'];
  const full = {
    ...claims,
    issuedAt: 1_700_000_000.123,
    family: 'family-1',
    session: 'session-1',
    act: { iss: issuer, sub: 'user-0' },
    origins: [{ jti: 'token-0', sub: 'user-0', issuedAt: 1 }],
    claims: ['email'],
  };
  const token = await tokens.issue({ ...full, clientOrgId: 'o' }, 'jwt');
  const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  for (const name of Object.keys(payload)) {
    t.ok(registered.includes(name) || name.startsWith('urn:service:iam:'), name);
  }
  t.equal(payload.jti, `token-1.${(1_700_000_000_123).toString(36)}.family-1`);
  t.equal(payload.iat, 1_700_000_000);
});

t.test('a JWT of an earlier version is read until it expires', async (t) => {
  const { kid, privateKey } = await keys.active();
  const sign = (payload: Record<string, unknown>) =>
    new SignJWT({
      ...{ client_id: 'client-1', scope: 'openid', org: 'org-1', username: 'ada', sid: 'session-1' },
      'urn:service:iam:user:resourceowner:id': 'org-1',
      ...payload,
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setSubject('user-1')
      .setAudience(issuer)
      .setIssuedAt(1_700_000_000)
      .setExpirationTime(1_700_000_600)
      .sign(privateKey);
  const origins = [{ jti: 'token-0', sub: 'user-0', issuedAt: 1 }];
  const earlier = { jti: 'token-1', iat_ms: 1_700_000_000_123, family: 'family-1', origins };
  t.same(await tokens.read(await sign(earlier)), {
    ...{ jti: 'token-1', sub: 'user-1', org: 'org-1', clientId: 'client-1', audience: [issuer] },
    ...{ scope: 'openid', issuedAt: 1_700_000_000.123, expiresAt: 1_700_000_600 },
    ...{ family: 'family-1', session: 'session-1', origins },
  });
  for (const jti of ['token-1', 'token-1.', 'token-1.UPPER', 'a.b.c.d', '.abc', 'token-1.abc.']) {
    t.equal(await tokens.read(await sign({ jti })), undefined, `no time in ${jti}`);
  }
});

t.test('a JWT of another issuer is not read', async (t) => {
  t.equal(
    await tokens.read(
      await make(keys, 'https://other.example').issue({ ...claims, clientOrgId: 'o' }, 'jwt'),
    ),
    undefined,
  );
  t.equal(
    await tokens.read(await make(signingKeys()).issue({ ...claims, clientOrgId: 'o' }, 'jwt')),
    undefined,
    'a foreign key',
  );
});

t.test('forged JWTs are not read', async (t) => {
  const { kid, privateKey } = await keys.active();
  const payload = { client_id: 'c', scope: '', org: 'o', username: 'u', iat_ms: 1_700_000_000_000 };
  const signed = (header: { alg: string; typ?: string; kid?: string }, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(payload)
      .setProtectedHeader(header)
      .setIssuer(issuer)
      .setSubject('user-1')
      .setAudience(issuer)
      .setJti('x')
      .setIssuedAt(1_700_000_000)
      .setExpirationTime(1_700_000_600)
      .sign(key);
  t.ok(
    await tokens.read(await signed({ alg: 'RS256', typ: 'at+jwt', kid }, privateKey)),
    'the form is right',
  );

  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const good = await tokens.issue({ ...claims, clientOrgId: 'o' }, 'jwt');
  const [, body = '', signature = ''] = good.split('.');
  const foreign = (await generateKeyPair('RS256')).privateKey;
  const publicBytes = Buffer.from(JSON.stringify(await exportJWK(await keys.publicKey(kid, 'RS256'))));
  const forged = {
    none: `${part({ alg: 'none', typ: 'at+jwt', kid })}.${body}.`,
    'none with the signature': `${part({ alg: 'none', typ: 'at+jwt', kid })}.${body}.${signature}`,
    'the public key as HMAC secret': await signed({ alg: 'HS256', typ: 'at+jwt', kid }, publicBytes),
    'a foreign key under our kid': await signed({ alg: 'RS256', typ: 'at+jwt', kid }, foreign),
    'another algorithm of the key': await signed(
      { alg: 'PS256', typ: 'at+jwt', kid },
      (await generateKeyPair('PS256')).privateKey,
    ),
    'an ID token': await signed({ alg: 'RS256', typ: 'JWT', kid }, privateKey),
    'no type': await signed({ alg: 'RS256', kid }, privateKey),
    'no kid': await signed({ alg: 'RS256', typ: 'at+jwt' }, privateKey),
    'an unknown kid': await signed({ alg: 'RS256', typ: 'at+jwt', kid: '0'.repeat(36) }, privateKey),
    'no jti': await new SignJWT(payload)
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setSubject('s')
      .setAudience(issuer)
      .setIssuedAt(1)
      .setExpirationTime(2)
      .sign(privateKey),
  };
  for (const [name, token] of Object.entries(forged)) t.equal(await tokens.read(token), undefined, name);
});

t.test('nonsense is not read', async (t) => {
  for (const text of ['', '.', '..', 'a.b.c', 'AAAA', 'x'.repeat(10_000), '\u0000', `${'a.'.repeat(4000)}`]) {
    t.equal(await tokens.read(text), undefined, text.slice(0, 20));
  }
});

t.test('jwt: a token that was read is refused as soon as its key is gone', async (t) => {
  const stored: StoredSigningKey[] = [];
  const own = signingKeys(stored);
  const ofOwn = make(own);
  const token = await ofOwn.issue({ ...claims, clientOrgId: 'org-1' }, 'jwt');
  const first = await ofOwn.read(token);
  t.match(first, { sub: claims.sub, issuedAt: claims.issuedAt });
  t.equal(await ofOwn.read(token), first, 'the second time from memory');
  const [payload = '', signature = ''] = token.split('.').slice(1);
  for (const forged of [`${token}A`, token.replace(payload, `${payload}A`), token.replace(signature, '')]) {
    t.equal(await ofOwn.read(forged), undefined);
  }
  const { kid } = decodeProtectedHeader(token);
  stored.splice(0, stored.length, ...stored.filter((one) => one.kid !== kid));
  await own.changed();
  t.equal(await ofOwn.read(token), undefined);
});
