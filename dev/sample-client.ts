import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import * as client from 'openid-client';
import { failurePage, type SignedIn, signedInPage, startPage } from './sample-client/pages.js';
import { type FirstStart, registerSampleClient } from './sample-client/register.js';

const dataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');
const port = Number(process.env['SAMPLE_PORT'] ?? 8090);
const address = `http://127.0.0.1:${port}`;
const redirectUri = `${address}/callback`;
const cookieName = 'sample-client';
/** The number of browsers that the client remembers. It forgets the oldest first. */
const maxVisitors = 1_000;

/** The data that the client keeps for a browser. */
interface Visitor {
  pending?: { readonly state: string; readonly nonce: string; readonly verifier: string };
  signedIn?: SignedIn;
}

/**
 * `make sample`: a web page where people sign in by the authorization code flow with PKCE. It uses a library, as any
 * application would. It registers itself at the instance of `make run`.
 */
async function main(): Promise<void> {
  const first = await readFirstStart();
  const uris = { redirectUri, postLogoutRedirectUri: `${address}/` };
  const clientId = await registerSampleClient(first, uris);
  // Plain http is allowed for this machine only. For any other host the library requires https.
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(first.baseUrl).hostname);
  const config = await client.discovery(new URL(first.baseUrl), clientId, undefined, client.None(), {
    execute: isLocal ? [client.allowInsecureRequests] : [],
  });
  const visitors = new Map<string, Visitor>();
  const server = createServer((request, response) => {
    answer(config, visitorOf(visitors, request, response), { request, response }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      send(response, 400, failurePage(reason));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  console.log(`sample client ${address}`);
}

async function answer(
  config: client.Configuration,
  visitor: Visitor,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const url = new URL(request.url ?? '/', address);
  switch (request.method === 'GET' ? url.pathname : '') {
    case '/': {
      const page = visitor.signedIn
        ? signedInPage(visitor.signedIn)
        : startPage(config.serverMetadata().issuer);
      return send(response, 200, page);
    }
    case '/login':
      return redirect(response, await beginLogin(config, visitor));
    case '/callback':
      await finishLogin(config, visitor, url);
      return redirect(response, new URL('/', address));
    case '/logout':
      return redirect(response, logout(config, visitor));
    default:
      return send(response, 404, failurePage('There is no such page.'));
  }
}

async function beginLogin(config: client.Configuration, visitor: Visitor): Promise<URL> {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  visitor.pending = { state, nonce, verifier };
  return client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  });
}

async function finishLogin(config: client.Configuration, visitor: Visitor, url: URL): Promise<void> {
  const { pending } = visitor;
  if (pending === undefined) throw new Error('This browser did not begin to sign in here.');
  delete visitor.pending;
  const tokens = await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: pending.verifier,
    expectedState: pending.state,
    expectedNonce: pending.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw new Error('There is no ID token.');
  const userinfo = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  visitor.signedIn = { idToken: tokens.id_token, claims, userinfo };
}

function logout(config: client.Configuration, visitor: Visitor): URL {
  const { signedIn } = visitor;
  delete visitor.signedIn;
  return client.buildEndSessionUrl(config, {
    post_logout_redirect_uri: `${address}/`,
    ...(signedIn && { id_token_hint: signedIn.idToken }),
  });
}

function visitorOf(
  visitors: Map<string, Visitor>,
  request: IncomingMessage,
  response: ServerResponse,
): Visitor {
  const known = new RegExp(`(?:^|; )${cookieName}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1] ?? '';
  const visitor = visitors.get(known);
  if (visitor !== undefined) return visitor;
  const made: Visitor = {};
  const id = randomBytes(32).toString('base64url');
  visitors.set(id, made);
  const [oldest] = visitors.keys();
  if (visitors.size > maxVisitors && oldest !== undefined) visitors.delete(oldest);
  response.setHeader('set-cookie', `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Lax`);
  return made;
}

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
  response.end(page);
}

function redirect(response: ServerResponse, to: URL): void {
  response.writeHead(303, { location: to.href, 'cache-control': 'no-store' });
  response.end();
}

async function readFirstStart(): Promise<FirstStart> {
  const path = resolve(dataDir, 'first-start.json');
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} is missing: start the service with make run first.`);
  });
  return JSON.parse(text) as FirstStart;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
