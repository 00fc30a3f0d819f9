import { createHmac } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import t from 'tap';
import {
  algorithmsOf,
  assertionAlgorithms,
  type ClientKey,
  type GivenKey,
  newClientKey,
  withKey,
  withoutKey,
} from '#src/clients/credentials/client-key.js';
import { verifyClientJwt } from '#src/oidc/clients/verify-client-jwt.js';
import { testThreads } from '../../support/keys/test-threads.js';
import { errorIdOf } from '../../support/thrown.js';

const now = new Date('2026-01-01T00:00:00Z');
const maker = { threads: testThreads(), holder: 'acme' };
const make = (given: GivenKey) => newClientKey(maker, given, now);
const errorOf = (given: GivenKey) => errorIdOf(() => make(given));

async function pair(alg: string, options: Record<string, unknown> = {}) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true, ...options });
  return { privateKey, publicJwk: await exportJWK(publicKey), privateJwk: await exportJWK(privateKey) };
}

t.test('a public key is kept in its plain form', async (t) => {
  for (const alg of ['RS256', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']) {
    const { publicJwk } = await pair(alg);
    const { key, privateJwk } = await make({
      jwk: { ...publicJwk, use: 'sig', x5c: ['ignored'], keyOps: ['verify'] },
    });
    t.same(key, { kid: await calculateJwkThumbprint(publicJwk), jwk: publicJwk, created: now });
    t.equal(privateJwk, undefined);
    t.ok(algorithmsOf(key.jwk).includes(alg));
  }
  const { publicJwk } = await pair('ES256');
  const named = await make({ jwk: { ...publicJwk, kid: 'mine', alg: 'ES256' } });
  t.match(named.key, { kid: 'mine', jwk: { alg: 'ES256' } });
});

t.test('a pair that is made here gives its private part away once', async (t) => {
  for (const algorithm of [undefined, 'RS256', 'ES256', 'EdDSA'] as const) {
    const made = await make(algorithm === undefined ? {} : { algorithm });
    t.match(made.privateJwk, { kid: made.key.kid, alg: algorithm ?? 'RS256', d: String });
    t.notOk('d' in made.key.jwk);
    const jwt = await new SignJWT({ sub: 'x' })
      .setProtectedHeader({ alg: algorithm ?? 'RS256', kid: made.key.kid })
      .sign(await importJWK(made.privateJwk ?? {}));
    t.match(await verifyClientJwt([made.key], jwt, now), { sub: 'x' });
  }
});

t.test('a value that is no public signature key is refused', async (t) => {
  const { publicJwk, privateJwk } = await pair('RS256');
  const weak = { kty: 'RSA', n: Buffer.alloc(128, 0xc1).toString('base64url'), e: 'AQAB' };
  const bad: Record<string, unknown>[] = [
    {},
    { kty: 'oct', k: 'c2VjcmV0' },
    privateJwk,
    { ...publicJwk, d: 'x' },
    { ...publicJwk, use: 'enc' },
    { ...publicJwk, alg: 'HS256' },
    { ...publicJwk, alg: 'none' },
    { ...publicJwk, alg: 'ES256' },
    { ...publicJwk, alg: 1 },
    { ...publicJwk, e: 'AQ' },
    { ...publicJwk, kid: '' },
    { ...publicJwk, kid: 'a\nb' },
    { ...publicJwk, kid: 'x'.repeat(201) },
    { ...publicJwk, kid: { $ne: 1 } },
    { ...publicJwk, n: { $gt: '' } },
    weak,
    { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' },
    { kty: 'EC', crv: 'secp256k1', x: 'AAAA', y: 'AAAA' },
    { kty: 'OKP', crv: 'X25519', x: Buffer.alloc(32, 9).toString('base64url') },
  ];
  for (const jwk of bad) t.equal(await errorOf({ jwk }), 'directory.valueInvalid', JSON.stringify(jwk));
  t.equal(await errorOf({ jwk: { ...publicJwk }, algorithm: 'RS256' }), 'directory.valueInvalid');
  t.equal(await errorOf({ expires: now }), 'directory.valueInvalid');
});

t.test('a client has few keys, each under its own name', async (t) => {
  const { key } = await make({ algorithm: 'EdDSA' });
  const named = (kid: string): ClientKey => ({ ...key, kid });
  const ten = Array.from({ length: 10 }, (_, n) => named(`k${n}`));
  t.equal(await errorIdOf(() => withKey([key], key)), 'directory.keyExists');
  t.equal(await errorIdOf(() => withKey(ten, key)), 'directory.keyLimit');
  t.same(withoutKey(withKey([named('a')], key), 'a'), [key]);
  t.equal(await errorIdOf(() => withoutKey([key], 'a')), 'directory.keyNotFound');
});

t.test('only the named key with its own algorithm verifies', async (t) => {
  const rsa = await pair('RS256');
  const other = await pair('RS256');
  const ec = await pair('ES256');
  const key = (kid: string, jwk: object, expires?: Date): ClientKey => ({
    kid,
    jwk,
    created: now,
    ...(expires && { expires }),
  });
  const keys = [key('rsa', rsa.publicJwk), key('ec', ec.publicJwk)];
  const sign = (header: { alg: string; kid?: string }, by = rsa.privateKey) =>
    new SignJWT({ sub: 'x' }).setProtectedHeader(header).sign(by);

  t.ok(await verifyClientJwt(keys, await sign({ alg: 'RS256', kid: 'rsa' }), now));
  t.ok(await verifyClientJwt(keys, await sign({ alg: 'RS256' }), now), 'without a kid the one that fits');
  t.ok(await verifyClientJwt(keys, await sign({ alg: 'ES256', kid: 'ec' }, ec.privateKey), now));

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hmac = (secret: string) => {
    const input = `${part({ alg: 'HS256', kid: 'rsa' })}.${part({ sub: 'x' })}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const good = await sign({ alg: 'RS256', kid: 'rsa' });
  const [header, , signature] = good.split('.');
  const attacks: Record<string, string> = {
    'another key': await sign({ alg: 'RS256', kid: 'rsa' }, other.privateKey),
    'the name of another key': await sign({ alg: 'RS256', kid: 'ec' }),
    'an unknown name': await sign({ alg: 'RS256', kid: 'nobody' }),
    'alg none': `${part({ alg: 'none', kid: 'rsa' })}.${part({ sub: 'x' })}.`,
    'alg none in capitals': `${part({ alg: 'NONE' })}.${part({ sub: 'x' })}.`,
    'HMAC with the public key': hmac(JSON.stringify(rsa.publicJwk)),
    'HMAC with the modulus': hmac(String(rsa.publicJwk.n)),
    'HMAC with nothing': hmac(''),
    'a key in the header': `${part({ alg: 'RS256', jwk: other.publicJwk })}.${part({ sub: 'x' })}.${signature}`,
    'changed claims': `${header}.${part({ sub: 'y' })}.${signature}`,
    'no signature': `${header}.${part({ sub: 'x' })}.`,
    'a kid that is no string': `${part({ alg: 'RS256', kid: ['rsa'] })}.${part({ sub: 'x' })}.${signature}`,
    'not a token': 'a.b.c',
    nothing: '',
    'much too long': `${header}.${'x'.repeat(20_000)}.${signature}`,
  };
  for (const [name, jwt] of Object.entries(attacks)) {
    t.equal(await verifyClientJwt(keys, jwt, now), undefined, name);
  }
  t.equal(await verifyClientJwt([], good, now), undefined);
  const limited = [key('rsa', { ...rsa.publicJwk, alg: 'PS256' })];
  t.equal(await verifyClientJwt(limited, good, now), undefined, 'a key that is for another algorithm');
  const later = new Date(now.getTime() + 1000);
  t.ok(await verifyClientJwt([key('rsa', rsa.publicJwk, later)], good, now));
  t.equal(await verifyClientJwt([key('rsa', rsa.publicJwk, later)], good, later), undefined, 'expired key');
});

t.test('every algorithm that is offered is asymmetric', async (t) => {
  for (const alg of assertionAlgorithms) t.match(alg, /^(RS|PS|ES)\d{3}$|^EdDSA$|^Ed25519$/);
});
