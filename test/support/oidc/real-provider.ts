import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import type { Certificate } from '../network/certificate.js';
import { createWalker } from './walk-provider.js';

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

  const walker = createWalker({ origin: issuer, ca });
  const promptIn = (text: string) => /name="prompt" value="([^"]*)"/.exec(text)?.[1] ?? '';

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
    signIn: (address, login) =>
      walker.walk(address, ({ text, action }) => {
        const prompt = promptIn(text);
        return { action, fields: { prompt, ...(prompt === 'login' && { login, password: 'any' }) } };
      }),
    cancel: (address) =>
      walker.walk(address, ({ text }) => ({ action: /href="([^"]*\/abort)"/.exec(text)?.[1] ?? '' })),
  };
}
