import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CompactSign, type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import type { Certificate } from '../network/certificate.js';

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

/** An OpenID provider of somebody else: it publishes keys and signs JWTs. */
export interface OutsideIssuer {
  /** Its address, `https://127.0.0.1:{port}`. */
  readonly issuer: string;
  /** The addresses that were asked for, in their order. */
  readonly asked: string[];
  /** What it publishes instead of its own discovery document or keys, by path. */
  readonly instead: Map<string, Respond>;
  /** Signs with a new key from now on. @param publish whether the key is published */
  rotate(options?: { publish?: boolean; alg?: string }): Promise<void>;
  /** Signs a JWT that is valid for ten minutes. A claim of undefined is left out. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Signs a text that need be no claims, or none that a library would sign. */
  signText(text: string): Promise<string>;
  /** Refuses connections from now on. */
  stop(): Promise<void>;
}

export const discoveryPath = '/.well-known/openid-configuration';
export const keysPath = '/keys';

/** Starts an outside issuer on a free port. */
export async function startOutsideIssuer(
  t: Pick<Test, 'teardown'>,
  { certFile, keyFile }: Certificate,
  now: () => Date = () => new Date(),
): Promise<OutsideIssuer> {
  const asked: string[] = [];
  const instead = new Map<string, Respond>();
  let published: JWK[] = [];
  let signer: { key: CryptoKey; alg: string; kid: string };
  const server: Server = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    (request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const own: Record<string, unknown> = {
        [discoveryPath]: { issuer, jwks_uri: `${issuer}${keysPath}` },
        [keysPath]: { keys: published },
      };
      const respond = instead.get(path);
      if (respond) respond(request, response);
      else if (own[path] === undefined) response.writeHead(404).end();
      else response.setHeader('content-type', 'application/json').end(JSON.stringify(own[path]));
    },
  );
  const stop = endable(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.teardown(stop);
  let number = 0;
  const rotate = async ({ publish = true, alg = 'RS256' } = {}) => {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const kid = `key-${++number}`;
    if (publish) published = [...published, { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }];
    signer = { key: privateKey, alg, kid };
  };
  await rotate();
  return {
    issuer,
    asked,
    instead,
    rotate,
    sign(claims, header = {}) {
      const { key, alg, kid } = signer;
      const iat = Math.floor(now().getTime() / 1000);
      return new SignJWT({ iss: issuer, iat, exp: iat + 600, ...claims })
        .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
        .sign(key);
    },
    signText(text) {
      const { key, alg, kid } = signer;
      return new CompactSign(Buffer.from(text)).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key);
    },
    stop,
  };
}
