import t from 'tap';
import { type AssertionEndpoint, checkAssertion } from '#src/oidc/clients/check-assertion.js';

const issuer = 'https://muster.example';
const seconds = 1_800_000_000;
const clock = { now: () => new Date(seconds * 1000) };
const good = { iss: 'c', sub: 'c', aud: issuer, iat: seconds, exp: seconds + 300, jti: 'j' };
const token = `${issuer}/oauth/v2/token`;
const introspection = `${issuer}/oauth/v2/introspect`;
const revocation = `${issuer}/oauth/v2/revoke`;

const check = (
  differences: Record<string, unknown>,
  { endpoint = 'token', single = true }: { endpoint?: AssertionEndpoint; single?: boolean } = {},
) => {
  const claims = Object.fromEntries(
    Object.entries({ ...good, ...differences }).filter(([, value]) => value !== undefined),
  );
  return checkAssertion(claims, { clientId: 'c', audience: { issuer, endpoint, single }, clock });
};

t.test('an assertion that keeps the rules holds', async (t) => {
  t.same(check({}), { expires: new Date((seconds + 300) * 1000), jti: 'j' });
  for (const differences of [
    { aud: token },
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
    { aud: [issuer] },
    { aud: [issuer, token] },
    { aud: introspection },
    { aud: revocation },
    { aud: `${token}/` },
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

t.test('the audience is the issuer or the called endpoint, as one string', async (t) => {
  const endpoints = { token, introspection, revocation };
  for (const endpoint of Object.keys(endpoints) as AssertionEndpoint[]) {
    for (const single of [true, false]) {
      for (const [name, aud] of Object.entries({ ...endpoints, issuer })) {
        const isAccepted = name === endpoint || name === 'issuer';
        t.equal(check({ aud }, { endpoint, single }) !== undefined, isAccepted, `${name} at ${endpoint}`);
      }
    }
  }
});

t.test('a client of an earlier version may name this service in a list', async (t) => {
  const lists: [unknown[], boolean][] = [
    [[issuer], true],
    [[introspection], true],
    [[issuer, token], true],
    [[token, introspection], true],
    [[issuer, issuer], true],
    [[token], false],
    [[], false],
    [['https://other.example', issuer], false],
    [[issuer, `${issuer}.evil.example`], false],
    [[issuer, 1], false],
    [[[issuer]], false],
  ];
  for (const [aud, isAccepted] of lists) {
    const about = JSON.stringify(aud);
    t.equal(check({ aud }, { endpoint: 'introspection', single: false }) !== undefined, isAccepted, about);
    t.equal(check({ aud }, { endpoint: 'introspection' }), undefined, `${about}, of a new client`);
  }
});
