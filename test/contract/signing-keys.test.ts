import t from 'tap';
import { openTestContainer } from '../support/test-container.js';

const { container, openAnother } = await openTestContainer(t);

t.test('processes that start together share one key', async (t) => {
  const all = [container, await openAnother(), await openAnother()];
  const kids = (await Promise.all(all.map(({ signingKeys }) => signingKeys.active()))).map(({ kid }) => kid);
  t.equal(new Set(kids).size, 1);
  for (const { signingKeys } of all) {
    const jwks = await signingKeys.publicJwks();
    t.equal(jwks.length, 1);
    t.match(jwks[0], { kid: kids[0], alg: 'RS256', use: 'sig', kty: 'RSA', n: String, e: String });
    t.notOk('d' in (jwks[0] ?? {}), 'only the public part');
  }
});

t.test('one process reads what another issued', async (t) => {
  const another = await openAnother();
  const claims = {
    jti: 'x',
    sub: 'u',
    org: 'o',
    clientId: 'c',
    username: 'n',
    audience: ['https://muster.example'],
    scope: '',
    issuedAt: 1,
    expiresAt: 2,
  };
  for (const form of ['opaque', 'jwt'] as const) {
    t.same(await another.accessTokens.read(await container.accessTokens.issue(claims, form)), claims);
  }
});

t.test('the private key is sealed at rest', async (t) => {
  const stored = await container.mongo.collection('signingKeys').findOne({});
  const sealed = Buffer.from(stored?.['sealedPrivateJwk'].buffer);
  t.ok(sealed.length > 1_000);
  t.notMatch(sealed.toString('latin1'), /"d":/);
  t.notOk('d' in (stored?.['publicJwk'] ?? {}));
});
