/**
 * A provider of OpenID Connect and of SAML in a process of its own, so that its signatures cost the measured process nothing. It speaks https to the product.
 * At a port of its own it takes authorization requests from the load generator, in place of the page where a person signs in.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { SignJWT } from 'jose';
import { samlAnswer, samlMetadata } from './saml-answer.js';

const { PORT = '0', TLS_PORT = '0', CERT_FILE = '', KEY_FILE = '' } = process.env;
const issuer = `https://127.0.0.1:${TLS_PORT}`;
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }];
const codes = new Map<string, { clientId: string; nonce: string; subject: string }>();

const documents: Readonly<Record<string, object>> = {
  '/.well-known/openid-configuration': {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
  },
  '/keys': { keys },
};

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const code = new URLSearchParams(Buffer.concat(chunks).toString()).get('code') ?? '';
  const issued = codes.get(code);
  codes.delete(code);
  if (issued === undefined) return void response.writeHead(400).end('{"error":"invalid_grant"}');
  const accessToken = randomBytes(16).toString('hex');
  const now = Math.floor(Date.now() / 1000);
  const idToken = await new SignJWT({
    ...{
      iss: issuer,
      aud: issued.clientId,
      sub: issued.subject,
      nonce: issued.nonce,
      iat: now,
      exp: now + 600,
    },
    at_hash: createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url'),
    ...{
      auth_time: now,
      name: `Person ${issued.subject}`,
      given_name: 'Person',
      family_name: issued.subject,
    },
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'JWT' })
    .sign(privateKey);
  send(response, { access_token: accessToken, token_type: 'Bearer', id_token: idToken });
}

createTlsServer({ cert: readFileSync(CERT_FILE), key: readFileSync(KEY_FILE) }, (request, response) => {
  if (request.url === '/token') return void token(request, response);
  const document = documents[request.url ?? ''];
  if (document === undefined) response.writeHead(404).end();
  else send(response, document);
}).listen(Number(TLS_PORT), '127.0.0.1');

/** The answer by SAML that the load generator asks for. */
function samlFor(asked: URLSearchParams): object {
  const [address, subject] = [asked.get('address') ?? '', asked.get('subject') ?? ''];
  const bytes = Number(asked.get('bytes') ?? 0);
  return samlAnswer(`${issuer}/saml`, { address, subject, bytes, isForged: asked.has('forged') });
}

createServer((request, response) => {
  const url = new URL(request.url ?? '/', issuer);
  if (url.pathname === '/saml/metadata') return void response.end(samlMetadata(`${issuer}/saml`));
  if (url.pathname === '/saml') return void response.end(JSON.stringify(samlFor(url.searchParams)));
  if (url.pathname !== '/sign-in') return void response.end('ready');
  const asked = new URL(url.searchParams.get('address') ?? issuer).searchParams;
  const code = randomBytes(16).toString('hex');
  codes.set(code, {
    clientId: asked.get('client_id') ?? '',
    nonce: asked.get('nonce') ?? '',
    subject: url.searchParams.get('subject') ?? '',
  });
  const back = new URL(asked.get('redirect_uri') ?? issuer);
  back.searchParams.set('code', code);
  back.searchParams.set('state', asked.get('state') ?? '');
  response.end(back.href);
}).listen(Number(PORT), '127.0.0.1');
