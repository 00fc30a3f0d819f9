import { readFile } from 'node:fs/promises';
import { createServer, request as send } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import type { Certificate } from '../network/certificate.js';

/** The provider `oidc-provider` for Node.js, which others wrote, with its own pages. It takes every name and every password. */
export interface RealProvider {
  readonly issuer: string;
  /** Registers this service as a client. */
  register(client: { id: string; secret: string; redirectUri: string }): void;
  /** Signs somebody in on the pages of the provider. @returns the address to which the browser goes back */
  signIn(address: string, login: string): Promise<string>;
  /** Cancels on the first page of the provider. @returns the address to which the browser goes back */
  cancel(address: string): Promise<string>;
}

const mostSteps = 12;

/** Starts the provider on a free port, by https. */
export async function startRealProvider(
  t: Pick<Test, 'teardown'>,
  { certFile, keyFile, cert: ca }: Certificate,
): Promise<RealProvider> {
  let answer: ReturnType<Provider['callback']> | undefined;
  const server = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    (request, response) => answer?.(request, response),
  );
  t.teardown(endable(server));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function walk(address: string, form: Record<string, string> | 'cancel'): Promise<string> {
    const cookies = new Map<string, string>();
    let at = new URL(address);
    let body: string | undefined;
    for (let step = 0; step < mostSteps; step++) {
      if (at.origin !== issuer) return at.href;
      const seen = await ask(at, { ca, cookies, body });
      body = undefined;
      if (seen.location !== undefined) at = new URL(seen.location, at);
      else if (form === 'cancel') {
        const [, href = ''] = /href="([^"]*\/abort)"/.exec(seen.text) ?? [];
        at = new URL(href, at);
      } else {
        const [, action = ''] = /<form[^>]*action="([^"]*)"/.exec(seen.text) ?? [];
        const [, prompt = ''] = /name="prompt" value="([^"]*)"/.exec(seen.text) ?? [];
        at = new URL(action, at);
        body = new URLSearchParams({ prompt, ...(prompt === 'login' && form) }).toString();
      }
    }
    throw new Error(`More than ${mostSteps} pages of the provider`);
  }

  return {
    issuer,
    register({ id, secret, redirectUri }) {
      answer = new Provider(issuer, {
        clients: [{ client_id: id, client_secret: secret, redirect_uris: [redirectUri] }],
        claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
        conformIdTokenClaims: false,
        pkce: { required: () => true },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: () => ({ sub, name: `Real ${sub}`, email: `${sub}@real.example`, email_verified: true }),
        }),
      }).callback();
    },
    signIn: (address, login) => walk(address, { login, password: 'any' }),
    cancel: (address) => walk(address, 'cancel'),
  };
}

interface Answered {
  readonly location: string | undefined;
  readonly text: string;
}

function ask(
  url: URL,
  { ca, cookies, body }: { ca: string; cookies: Map<string, string>; body: string | undefined },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      accept: 'text/html',
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const asked = send(url, { ca, headers, agent: false, method: body === undefined ? 'GET' : 'POST' });
    asked.once('error', reject).once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      for (const line of response.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      resolve({ location: response.headers.location, text: Buffer.concat(chunks).toString() });
    });
    asked.end(body);
  });
}
