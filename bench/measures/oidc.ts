import { addApplication } from '#src/clients/applications/add-application.js';
import { addUser } from '#src/people/users/add-user.js';
import { unixSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import { compareCosts, compareRates, type Pace, type Spent } from '../compare.js';
import type { Load } from '../load.js';
import { firstNumbers, profileOf } from '../people.js';
import type { Running } from '../processes.js';
import { startOidcPerson } from '../programs.js';
import { judged, judgedTime, milliseconds, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { ownSide, type SignedIn, settings } from './oidc-own-side.js';
import * as oidc from './oidc-side.js';

/** These numbers are far from the numbers of people in other measures. */
const people = 20;
const formConnections = 48;

/** A refresh without ID token, with opaque tokens, computes no signature. */
const mostMsWithoutSignature = 0.5;

/** The calls that clients make with the tokens of a person, compared with oidc-provider in memory. One process each. */
export async function measureOidc(setting: Setting, api: Running, pace: Pace): Promise<Row[]> {
  const signedIn = await signInPeople(setting);
  let turn = 0;
  const ours = ownSide(setting, () => signedIn[turn++ % signedIn.length] as SignedIn);
  const [{ client }] = signedIn as [SignedIn];
  const program = await startOidcPerson(setting.logFolder, {
    CLIENT_ID: client.id,
    CLIENT_SECRET: client.secret,
    REDIRECT_URI: oidc.redirectUri,
    CHALLENGE: oidc.pkce.challenge,
    SCOPE: oidc.scope,
  });
  const peer: oidc.Side = {
    url: program.url,
    paths: { token: '/token', introspection: '/token/introspection', userinfo: '/me' },
    async makeCodes(count) {
      const codes = (await (await fetch(`${program.url}/bench/codes/${count}`)).json()) as string[];
      return codes.map((code) => ({ code, client }));
    },
  };
  type Case = [measure: string, atLeast: number, load: (side: oidc.Side) => Load | Promise<Load>];
  const cases: Case[] = [
    ['introspection, opaque token of a person', 2, (side) => oidc.introspection(side, client)],
    ['userinfo, profile and email', 2, oidc.userinfo],
    ['refresh with rotation and ID token', 1, (side) => oidc.refresh(side, client)],
    ['authorization code exchange, ID and refresh token', 1, oidc.codeExchange],
  ];
  try {
    const rows: Row[] = [];
    for (const [measure, atLeast, load] of cases) {
      const result = await compareRates(await load(ours), await load(peer), pace);
      const row = {
        measure,
        ours: rate(result.ours),
        peer: `oidc-provider, in memory: ${rate(result.peer)}`,
      };
      rows.push(judged(row, result.ratio, { atLeast }));
    }
    rows.push(...(await compareForms(setting, signedIn, { side: ours, pace })));
    rows.push(await compareSignatures(setting, signedIn, { api, pace }));
    return rows;
  } finally {
    await program.stop();
  }
}

/** Refreshes without a signature beside refreshes with an ID token that RS256 signs. */
async function compareSignatures(
  setting: Setting,
  signedIn: readonly SignedIn[],
  { api, pace }: { api: Running; pace: Pace },
): Promise<Row> {
  const spent: Spent = async () => {
    const before = await api.processorTime();
    return async () => (await api.processorTime()) - before;
  };
  const refreshes = (scope: string) => {
    let turn = 0;
    const who = () => signedIn[turn++ % signedIn.length] as SignedIn;
    return oidc.refresh(ownSide(setting, who, scope), who().client);
  };
  const sides = [refreshes('offline_access'), refreshes(oidc.scope)] as const;
  const { costs } = await compareCosts(...sides, { pace, spent });
  const row = {
    measure: 'refresh without an ID token, processor time of the api for one',
    peer: `with one by RS256: ${milliseconds(costs.peer)}`,
  };
  return judgedTime(row, costs, mostMsWithoutSignature);
}

/** JWT access tokens beside opaque ones. A process remembers the claims of both, so neither is verified at each request. */
async function compareForms(
  { container }: Setting,
  signedIn: readonly SignedIn[],
  { side, pace }: { side: oidc.Side; pace: Pace },
): Promise<Row[]> {
  const issue = (form: 'opaque' | 'jwt') =>
    Promise.all(
      signedIn.map(async ({ user, client, session }) => {
        const issuedAt = unixSeconds(container.clock.now());
        const claims = {
          jti: newId(),
          sub: user.id,
          org: user.orgId,
          clientId: client.id,
          clientOrgId: user.orgId,
          audience: [client.id],
          scope: oidc.scope,
          issuedAt,
          expiresAt: issuedAt + 3_600,
          session: session.id,
        };
        return { client, token: await container.accessTokens.issue(claims, form) };
      }),
    );
  const [jwts, opaque] = [await issue('jwt'), await issue('opaque')];
  const introspected = (of: typeof jwts) =>
    oidc.introspecting(
      side,
      of.map(({ client, token }) => oidc.post(side.paths.introspection, client, { token })),
      formConnections,
    );
  const shown = (of: typeof jwts): Load => ({
    url: side.url,
    connections: formConnections,
    next: of.map(({ token }) => oidc.bearer(side.paths.userinfo, token)),
  });
  const rows: Row[] = [];
  for (const [measure, load] of [
    ['introspection, JWT of a person', introspected],
    ['userinfo, JWT of a person', shown],
  ] as const) {
    const { ours, peer, ratio } = await compareRates(load(jwts), load(opaque), pace);
    const row = { measure, ours: rate(ours), peer: `opaque token: ${rate(peer)}` };
    // Opaque tokens may be 1.2 times as fast.
    rows.push(judged(row, ratio, { atLeast: 0.83 }));
  }
  return rows;
}

/** Some people with a session each, signed in to one application. */
export async function signInPeople({ container, organization }: Setting): Promise<SignedIn[]> {
  const { application, clientSecret = '' } = await addApplication(container, {
    orgId: organization.id,
    settings,
    editor,
  });
  const client = { id: application.id, secret: clientSecret };
  const numbers = Array.from({ length: people }, (_, n) => firstNumbers.oidc + n);
  return Promise.all(
    numbers.map(async (n) => {
      const user = await addUser(container, { organization, draft: { profile: profileOf(n) }, editor });
      const { id: userId, orgId, userName, displayName } = user;
      const person = { userId, orgId, userName, displayName, proofs: [{ kind: 'password' } as const] };
      return { user, client, session: await container.sessions.signIn(newId(), person) };
    }),
  );
}
