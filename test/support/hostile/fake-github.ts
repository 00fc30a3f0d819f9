import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Test } from 'tap';
import type { Certificate } from '../network/certificate.js';
import { startOutsideIssuer } from '../oidc/outside-issuer.js';

/** An account at GitHub, as its API says it. */
export interface GithubAccount {
  readonly user: unknown;
  readonly emails: unknown;
}

/**
 * A GitHub Enterprise Server, as the documents of GitHub say it: "Authorizing OAuth apps", "Get the authenticated user" and "List email addresses
 * for the authenticated user". It signs in whomever the test says.
 */
export interface FakeGithub {
  readonly issuer: string;
  /** Requests to its API, in their order. */
  readonly asked: string[];
  /** Answers in place of its own, by path. */
  readonly instead: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  /** Signs a person in. @returns the address to which the browser goes back */
  authorize(address: string, account: GithubAccount): string;
}

export const github = {
  token: '/login/oauth/access_token',
  user: '/api/v3/user',
  emails: '/api/v3/user/emails',
} as const;

/** What the API says of its rate limits, as far as somebody here reads it. */
export const githubLimits = { resources: { core: { limit: 60, remaining: 59 } } } as const;

const secretOfClient = 'a-secret-of-ours';

export async function startFakeGithub(
  t: Pick<Test, 'teardown'>,
  certificate: Certificate,
): Promise<FakeGithub> {
  const { issuer, asked, instead } = await startOutsideIssuer(t, certificate);
  const codes = new Map<string, { request: URLSearchParams; account: GithubAccount }>();
  const tokens = new Map<string, GithubAccount>();
  const own: FakeGithub['instead'] = new Map();
  const serve = (path: string, answer: (request: IncomingMessage, response: ServerResponse) => void) =>
    instead.set(path, (request, response) => (own.get(path) ?? answer)(request, response));
  serve(github.token, (request, response) => {
    void redeem(codes, request).then((account) => {
      if (typeof account === 'string') return sendGithub(response, 200, { error: account });
      const token = `gho_${randomBytes(18).toString('base64url')}`;
      tokens.set(token, account);
      sendGithub(response, 200, { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' });
    });
  });
  const serveApi = (path: string, of: (account: GithubAccount) => unknown) =>
    serve(path, ({ headers }, response) => {
      const account = tokens.get(headers.authorization?.replace('Bearer ', '') ?? '');
      if (headers['user-agent'] === undefined) sendGithub(response, 403, { message: 'Forbidden' });
      else if (account === undefined) sendGithub(response, 401, { message: 'Bad credentials' });
      else sendGithub(response, 200, of(account));
    });
  serveApi(github.user, ({ user }) => user);
  serveApi(github.emails, ({ emails }) => emails);
  serve('/api/v3/rate_limit', (_request, response) => sendGithub(response, 200, githubLimits));
  return {
    ...{ issuer, asked, instead: own },
    authorize(address, account) {
      const url = new URL(address);
      if (`${url.origin}${url.pathname}` !== `${issuer}/login/oauth/authorize`)
        throw new Error(`Not GitHub: ${address}`);
      const code = randomBytes(10).toString('hex');
      codes.set(code, { request: url.searchParams, account });
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', code);
      back.searchParams.set('iss', `${issuer}/login/oauth`);
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      return back.href;
    },
  };
}

/** GitHub answers errors of its token endpoint with the status 200. @returns the account, or the error */
async function redeem(
  codes: Map<string, { request: URLSearchParams; account: GithubAccount }>,
  request: IncomingMessage,
): Promise<GithubAccount | string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  if (form.get('client_id') !== 'muster' || form.get('client_secret') !== secretOfClient)
    return 'incorrect_client_credentials';
  const issued = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight = issued?.request.get('code_challenge') === challenge;
  if (issued === undefined || !isRight) return 'bad_verification_code';
  if (issued.request.get('redirect_uri') !== form.get('redirect_uri')) return 'redirect_uri_mismatch';
  return issued.account;
}

/** Answers as GitHub does. */
export function sendGithub(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
