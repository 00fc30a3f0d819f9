import t from 'tap';
import { checkAssertion } from '#src/oidc/clients/check-assertion.js';

const issuer = 'https://muster.example';
const seconds = 1_800_000_000;
const clock = { now: () => new Date(seconds * 1000) };
const good = { iss: 'c', sub: 'c', aud: issuer, iat: seconds, exp: seconds + 300, jti: 'j' };
const check = (differences: Record<string, unknown>) => {
  const claims = Object.fromEntries(
    Object.entries({ ...good, ...differences }).filter(([, value]) => value !== undefined),
  );
  return checkAssertion(claims, { clientId: 'c', issuer, clock });
};

t.test('an assertion that keeps the rules holds', async (t) => {
  t.same(check({}), { expires: new Date((seconds + 300) * 1000), jti: 'j' });
  for (const differences of [
    { aud: [issuer] },
    { aud: `${issuer}/oauth/v2/token` },
    { aud: ['https://other.example', issuer] },
    { iat: undefined },
    { exp: seconds + 3600 },
    { nbf: seconds },
    { iat: seconds + 10, nbf: seconds + 10 },
  ]) {
    t.ok(check(differences), JSON.stringify(differences));
  }
  t.notOk('jti' in (check({ jti: undefined }) ?? {}));
});

t.test('an assertion that does not is nothing', async (t) => {
  for (const differences of [
    { iss: 'd' },
    { sub: 'd' },
    { iss: undefined },
    { sub: undefined },
    { iss: ['c'] },
    { aud: undefined },
    { aud: [] },
    { aud: 'https://other.example' },
    { aud: `${issuer}/` },
    { aud: `${issuer}.evil.example` },
    { aud: { 0: issuer } },
    { exp: undefined },
    { exp: seconds - 31 },
    { exp: String(seconds + 300) },
    { exp: Number.POSITIVE_INFINITY },
    { exp: seconds + 3601 },
    { iat: undefined, exp: seconds + 3601 },
    { iat: seconds - 4000, exp: seconds + 300 },
    { iat: seconds + 60 },
    { iat: '0' },
    { nbf: seconds + 60 },
    { jti: 1 },
    { jti: '' },
  ]) {
    t.equal(check(differences), undefined, JSON.stringify(differences));
  }
});
