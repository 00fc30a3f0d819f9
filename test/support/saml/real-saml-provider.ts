import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as send } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import type { Certificate } from '../network/certificate.js';
import { makeSamlKey, type SamlKey } from './saml-documents.js';

/** The provider `samlp` for Node.js, which others wrote, behind a page that takes every name. */
export interface RealSamlProvider {
  readonly issuer: string;
  readonly key: SamlKey;
  /** The address of its metadata, which `samlp` writes. */
  readonly metadataUrl: string;
  /** Replaces options of `samlp`. */
  options: Record<string, unknown>;
  /** Signs somebody in on the page of the provider. @returns the fields of the form with which the browser goes back */
  signIn(address: string, login: string): Promise<Record<string, string>>;
}

/** What `samlp` has of Express. It has no types. */
interface Samlp {
  auth(options: Record<string, unknown>): Handler;
  metadata(options: Record<string, unknown>): Handler;
}

type PostTo = (error: null, address: string) => void;

type Handler = (request: object, response: object, next: (error?: Error) => void) => void;

const samlp: Samlp = createRequire(import.meta.url)('samlp');

/** Starts the provider on a free port, by https. */
export async function startRealSamlProvider(
  t: Pick<Test, 'teardown'>,
  { certFile, keyFile, cert: ca }: Certificate,
): Promise<RealSamlProvider> {
  const server = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    (request, response) => void answer(provider, request, response),
  );
  t.teardown(endable(server));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: RealSamlProvider = {
    issuer: `${base}/idp`,
    key: makeSamlKey(),
    metadataUrl: `${base}/metadata`,
    options: {},
    async signIn(address, login) {
      const page = await post(address, { login }, ca);
      const inputs = page.matchAll(/name="(\w+)"[^>]*value="([^"]*)"/g);
      return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, decoded(value)]));
    },
  };
  return provider;
}

async function answer(
  { issuer, key, options, metadataUrl }: RealSamlProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', metadataUrl);
  const own = { issuer, cert: key.certificate, key: key.privateKey };
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const { login = '', ...posted } = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  const asked = { ...Object.fromEntries(url.searchParams), ...posted };
  if (url.pathname === '/sso' && login === '') {
    const hidden = Object.entries(posted).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${value}">`,
    );
    const form = `<form method="post">${hidden.join('')}<input name="login"><button>Sign in there</button></form>`;
    return void response.setHeader('content-type', 'text/html; charset=utf-8').end(form);
  }
  const acsUrl = acsUrlIn(asked);
  const like = Object.assign(request, {
    protocol: 'https',
    ...{ query: asked, body: asked, originalUrl: url.pathname, user: personOf(login) },
    get: (name: string) => request.headers[name.toLowerCase()],
  });
  const express = {
    set: (name: string, value: string) => response.setHeader(name, value),
    send: (body: string | number) => response.end(String(body)),
  };
  const failed = (error?: Error) => void response.writeHead(500).end(String(error));
  const handler =
    url.pathname === '/metadata'
      ? samlp.metadata({
          ...own,
          endpointPath: '/sso',
          redirectEndpointPath: '/sso',
          postEndpointPath: '/sso',
        })
      : samlp.auth({
          ...own,
          getPostURL: (_audience: string, _dom: unknown, _request: unknown, done: PostTo) =>
            done(null, acsUrl),
          ...{ recipient: acsUrl, destination: acsUrl, lifetimeInSeconds: 300 },
          nameIdentifierFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
          ...options,
        });
  handler(like, express, failed);
}

/** Where the response is wanted. A real provider knows it from the metadata of this service. */
function acsUrlIn({ SAMLRequest = '' }: { SAMLRequest?: string }): string {
  const bytes = Buffer.from(SAMLRequest, 'base64');
  const xml = bytes.length === 0 || bytes.toString().startsWith('<') ? bytes : inflateRawSync(bytes);
  return /AssertionConsumerServiceURL="([^"]*)"/.exec(xml.toString())?.[1] ?? '';
}

function personOf(login: string) {
  return {
    id: `id-of-${login}`,
    displayName: `Real ${login}`,
    name: { givenName: 'Real', familyName: login },
    emails: [{ value: `${login}@real.example` }],
  };
}

function post(address: string, form: Record<string, string>, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = send(address, { method: 'POST', headers, ca }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString();
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`The provider answers ${response.statusCode}: ${text}`));
    });
    request.once('error', reject).end(new URLSearchParams(form).toString());
  });
}

function decoded(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_whole, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
