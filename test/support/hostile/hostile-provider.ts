import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Test } from 'tap';
import type { Certificate } from '../network/certificate.js';
import { discoveryPath, type OutsideIssuer, startOutsideIssuer } from '../oidc/outside-issuer.js';

/** What a provider does otherwise than it should. Absent: it behaves. */
export interface Lies {
  /** Claims of the ID token in place of the right ones. Undefined leaves a claim out. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Members of the discovery document in place of the right ones. */
  discovery?: Record<string, unknown>;
  /** The ID token instead of its own. */
  idToken?: (own: string) => string | Promise<string>;
  /** Answers a request to the token endpoint instead. */
  token?: (request: IncomingMessage, response: ServerResponse) => void;
  /** Parameters of the answer through the browser, in place of the right ones. Undefined leaves one out. */
  answer?: Record<string, string | undefined>;
  userInfo?: Record<string, unknown>;
}

/** A request to the token endpoint. */
interface TokenRequest {
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

/** A provider of OpenID Connect that can lie. It signs in whomever the test says. */
export interface HostileProvider {
  readonly issuer: string;
  readonly own: OutsideIssuer;
  /** Set by a test, for the next requests. */
  lies: Lies;
  readonly tokenRequests: TokenRequest[];
  /**
   * Signs a person in at the authorization endpoint.
   * @param address of the authorization request
   * @returns the address to which the browser goes back
   */
  authorize(address: string, claims: Record<string, unknown>): string;
}

interface IssuedCode {
  readonly request: URLSearchParams;
  readonly claims: Record<string, unknown>;
}

/** Starts a provider on a free port. */
export async function startHostileProvider(
  t: Pick<Test, 'teardown'>,
  certificate: Certificate,
  now: () => Date,
): Promise<HostileProvider> {
  const own = await startOutsideIssuer(t, certificate, now);
  const codes = new Map<string, IssuedCode>();
  const { issuer } = own;
  const provider: HostileProvider = {
    issuer,
    own,
    lies: {},
    tokenRequests: [],
    authorize(address, claims) {
      const request = new URL(address).searchParams;
      const code = randomBytes(16).toString('hex');
      codes.set(code, { request, claims });
      const back = new URL(request.get('redirect_uri') ?? '');
      const answer = { code, state: request.get('state') ?? '', iss: issuer, ...provider.lies.answer };
      for (const [name, value] of Object.entries(answer))
        if (value !== undefined) back.searchParams.set(name, value);
      return back.href;
    },
  };
  own.instead.set(discoveryPath, (_request, response) =>
    send(response, 200, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      authorization_response_iss_parameter_supported: true,
      ...provider.lies.discovery,
    }),
  );
  own.instead.set('/userinfo', (_request, response) => send(response, 200, provider.lies.userInfo ?? {}));
  own.instead.set('/token', (request, response) => {
    if (provider.lies.token) return provider.lies.token(request, response);
    void answerToken(provider, codes, { request, response });
  });
  return provider;
}

async function answerToken(
  provider: HostileProvider,
  codes: Map<string, IssuedCode>,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  provider.tokenRequests.push({ form, authorization: request.headers.authorization });
  const issued = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isRight =
    issued?.request.get('code_challenge') === challenge &&
    issued.request.get('redirect_uri') === form.get('redirect_uri');
  if (issued === undefined || !isRight) return send(response, 400, { error: 'invalid_grant' });
  const accessToken = randomBytes(16).toString('hex');
  const idToken = await provider.own.sign(
    {
      aud: issued.request.get('client_id'),
      nonce: issued.request.get('nonce'),
      at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
      ...issued.claims,
      ...provider.lies.claims,
    },
    provider.lies.header,
  );
  const sent = provider.lies.idToken ? await provider.lies.idToken(idToken) : idToken;
  send(response, 200, { access_token: accessToken, token_type: 'Bearer', id_token: sent });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
