import type { Load, Shot } from '../load.js';

export const redirectUri = 'https://app.example/callback';
export const scope = 'openid profile email offline_access';
/** The example of RFC 7636 appendix B. */
export const pkce = {
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
};

export interface ClientCredentials {
  readonly id: string;
  readonly secret: string;
}

/** A code and the client that it was issued to. */
interface IssuedCode {
  readonly code: string;
  readonly client: ClientCredentials;
}

/** One of the two providers: its endpoints, and the source of codes for a signed-in person. */
export interface Side {
  readonly url: string;
  readonly paths: { readonly token: string; readonly introspection: string; readonly userinfo: string };
  makeCodes(count: number): Promise<IssuedCode[]>;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

/**
 * The number of connections. With only 16, the side that writes to a store waits for it. Then refresh and code exchange
 * of this project reach about 0.86 and 0.75 of the peer, which keeps everything in memory.
 */
const connections = 48;
/** More than any provider redeems on the cores of one machine. */
const codesPerSecond = 4_000;
/** More chains than connections, because the end of a round loses chains whose response is under way. */
const chains = 3 * connections;

export function codeExchange(side: Side): Load {
  const codes: IssuedCode[] = [];
  return {
    url: side.url,
    connections,
    async prepare(seconds) {
      const missing = codesPerSecond * seconds - codes.length;
      if (missing > 0) codes.push(...(await side.makeCodes(missing)));
    },
    // If all codes are used up, the response is an error, which ends the run.
    next: () => exchangeOf(side, codes.pop() ?? { code: 'none', client: { id: 'none', secret: 'none' } }),
  };
}

/** Each request uses the refresh token of the response before it. */
export function refresh(side: Side, client: ClientCredentials): Load {
  const ready: string[] = [];
  return {
    url: side.url,
    connections,
    async prepare() {
      const begun = await signIn(side, chains - ready.length);
      ready.push(...begun.map(({ refresh_token }) => refresh_token));
    },
    next() {
      const token = ready.shift();
      if (token === undefined) throw new Error('All chains are busy: raise chains');
      return post(side.paths.token, client, { grant_type: 'refresh_token', refresh_token: token });
    },
    answered(body) {
      const { refresh_token } = JSON.parse(body) as Partial<Tokens>;
      if (refresh_token !== undefined) ready.push(refresh_token);
    },
  };
}

export async function introspection(side: Side, client: ClientCredentials): Promise<Load> {
  const next = (await accessTokens(side)).map((token) => post(side.paths.introspection, client, { token }));
  return introspecting(side, next, connections);
}

/** Checks each token before a round, because an inactive token also gets 200, and quickly. */
export function introspecting({ url }: Pick<Side, 'url'>, next: readonly Shot[], connections: number): Load {
  const requireActive = async ({ path, ...request }: Shot) => {
    const body = await (await fetch(url + path, request as RequestInit)).text();
    if (!body.includes('"active":true')) throw new Error(`The token should be active: ${body}`);
  };
  const prepare = async () => {
    await Promise.all(next.map(requireActive));
  };
  return { url, connections, next, prepare };
}

export async function userinfo(side: Side): Promise<Load> {
  const next = (await accessTokens(side)).map((token) => bearer(side.paths.userinfo, token));
  return { url: side.url, connections, next };
}

export function bearer(path: string, token: string): Shot {
  return { method: 'GET', path, headers: { authorization: `Bearer ${token}` } };
}

/** The authorization request of a browser whose cookie holds a session. */
export function authorize(clientId: string, cookie: string): Shot {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state: 'a-state',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
  });
  return { method: 'GET', path: `/oauth/v2/authorize?${query}`, headers: { cookie } };
}

/** @throws Error if the response does not redirect to the application with a code */
export function requireCode(_body: string, { location }: Record<string, unknown>): void {
  if (!String(location).startsWith(`${redirectUri}?code=`)) throw new Error(`No code: ${location}`);
}

/** A form with client_secret_basic. */
export function post(path: string, { id, secret }: ClientCredentials, form: Record<string, string>): Shot {
  return {
    method: 'POST',
    path,
    headers: {
      authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  };
}

function exchangeOf({ paths }: Pick<Side, 'paths'>, { code, client }: IssuedCode): Shot {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  return post(paths.token, client, { ...form, code_verifier: pkce.verifier });
}

async function accessTokens(side: Side): Promise<string[]> {
  return (await signIn(side, 20)).map(({ access_token }) => access_token);
}

async function signIn(side: Side, times: number): Promise<Tokens[]> {
  const codes = await side.makeCodes(times);
  return Promise.all(
    codes.map(async (issued) => {
      const { path, ...request } = exchangeOf(side, issued);
      const answer = await fetch(side.url + path, request as RequestInit);
      const tokens = (await answer.json()) as Tokens;
      if (!tokens.refresh_token) throw new Error(`${side.url}: ${JSON.stringify(tokens)}`);
      return tokens;
    }),
  );
}
