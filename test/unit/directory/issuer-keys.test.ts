import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { createIssuerKeys } from '#src/clients/credentials/issuer-keys.js';

const { publicKey } = await generateKeyPair('ES256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };

t.test('an organization with many issuers pushes out none of another organization', async (t) => {
  const asked: string[] = [];
  const issuerKeys = createIssuerKeys({
    clock: { now: () => new Date('2026-01-01T00:00:00Z') },
    async fetchJson(address) {
      asked.push(address);
      const { origin, pathname } = new URL(address);
      return pathname === '/keys' ? { keys: [jwk] } : { issuer: origin, jwks_uri: `${origin}/keys` };
    },
  });
  const find = (orgId: string, issuer: string) => issuerKeys.find(orgId, `https://${issuer}.example`, 'one');
  await find('small', 'own');
  await find('large', 'shared');
  await find('small', 'shared');
  for (let number = 0; number < 600; number++) await find('large', `issuer-${number}`);
  const before = asked.length;
  t.equal((await find('small', 'own')).length, 1);
  t.equal((await find('small', 'shared')).length, 1);
  t.equal(asked.length, before, 'nothing is read again');
  await find('large', 'issuer-0');
  t.equal(asked.length, before + 2, 'of its own, the large one reads again');
});
