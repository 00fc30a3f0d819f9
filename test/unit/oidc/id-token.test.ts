import { createHash, KeyObject } from 'node:crypto';
import { decodeJwt, generateKeyPair } from 'jose';
import t from 'tap';
import type { AlgorithmChoice } from '#src/keys/known-algorithms.js';
import type { SigningAlgorithm } from '#src/keys/signing-key.js';
import { issueIdToken } from '#src/oidc/issuance/id-token.js';
import { testThreads } from '../../support/keys/test-threads.js';

const now = new Date('2026-01-02T03:04:05.678Z');
const client = { clientId: 'c', clientOrgId: 'o' };
const threads = testThreads();
const issuedAt = Math.floor(now.getTime() / 1000);

async function issue(alg: SigningAlgorithm, content: Partial<Parameters<typeof issueIdToken>[1]> = {}) {
  const pair = await generateKeyPair(alg);
  const privateKey = KeyObject.from(pair.privateKey);
  const deps = {
    signingKeys: { active: async () => ({ kid: 'k', alg, privateKey }) },
    threads,
    originsSealer: { seal: (text: Buffer) => text },
    clock: { now: () => now },
    config: { baseUrl: 'https://muster.example', idTokenSeconds: 60 },
  };
  return decodeJwt(await issueIdToken(deps, { sub: 's', ...client, ...content }));
}

t.test('hashes of what goes with it fit the algorithm of the signature', async (t) => {
  for (const [alg, digest] of [
    ['RS256', 'sha256'],
    ['ES256', 'sha256'],
    ['EdDSA', 'sha512'],
  ] as const) {
    const claims = await issue(alg, { accessToken: 'token', code: 'code' });
    const half = (text: string) => {
      const bytes = createHash(digest).update(text).digest();
      return bytes.subarray(0, bytes.length / 2).toString('base64url');
    };
    t.match(claims, { at_hash: half('token'), c_hash: half('code') }, alg);
  }
});

t.test('the algorithm that the application chose signs', async (t) => {
  const asked: unknown[] = [];
  const { privateKey } = await generateKeyPair('ES256');
  const deps = {
    signingKeys: {
      active: async (choice?: AlgorithmChoice) => {
        asked.push(choice?.wanted);
        return { kid: 'k', alg: 'ES256' as const, privateKey: KeyObject.from(privateKey) };
      },
    },
    threads,
    originsSealer: { seal: (text: Buffer) => text },
    clock: { now: () => now },
    config: { baseUrl: 'https://muster.example', idTokenSeconds: 60 },
  };
  await issueIdToken(deps, { sub: 's', ...client, algorithm: { wanted: 'ES256' } });
  await issueIdToken(deps, { sub: 's', ...client });
  t.same(asked, ['ES256', undefined]);
});

t.test('unstated claims are absent, and claims about the user override no other claim', async (t) => {
  t.same(
    await issue('ES256', { claims: { sub: 'x', aud: 'x', azp: 'x', iss: 'x', exp: 1, given_name: 'A' } }),
    {
      iss: 'https://muster.example',
      sub: 's',
      aud: 'c',
      azp: 'c',
      iat: issuedAt,
      exp: issuedAt + 60,
      given_name: 'A',
    },
  );
});

t.test('amr and acr tell the factors', async (t) => {
  t.match(await issue('ES256', { amr: ['pwd'] }), { amr: ['pwd'], acr: '1' });
  t.match(await issue('ES256', { amr: ['pwd', 'otp', 'mfa'] }), { acr: '2' });
  t.notOk('acr' in (await issue('ES256', { amr: [] })));
  const strong = ['pwd', 'otp', 'mfa'];
  t.match(
    await issue('ES256', { amr: strong, acrs: ['1'] }),
    { acr: '1' },
    'it reaches the demanded one too',
  );
  t.match(await issue('ES256', { amr: strong, acrs: ['2', '1'] }), { acr: '2' });
  t.match(await issue('ES256', { amr: ['pwd'], acrs: ['2'] }), { acr: '1' }, 'never more than there was');
});

t.test('it does not outlive what it was made of', async (t) => {
  t.equal((await issue('ES256', { notAfter: issuedAt + 10 })).exp, issuedAt + 10);
  t.equal((await issue('ES256', { notAfter: issuedAt + 100 })).exp, issuedAt + 60);
});

t.test(
  'no claim names the client but aud and azp, and none the tokens from which it was exchanged',
  async (t) => {
    const origins = [{ jti: 'secret-jti', sub: 's', issuedAt: 1 }];
    const claims = await issue('ES256', { origins, accessToken: 'token', sessionId: 'sid' });
    t.same(Object.keys(claims).sort(), ['at_hash', 'aud', 'azp', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub']);
    t.notOk('jti' in (await issue('ES256')), 'a token of a sign-in has no origins');
  },
);
