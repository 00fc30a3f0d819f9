import { createHash } from 'node:crypto';
import type { Reference } from './reference.js';

/** The reason why a registry told no digest, as the rest of a sentence. */
export class RegistryFault extends Error {
  override readonly name = 'RegistryFault';
}

export interface RegistryOptions {
  /** Has the images that name no registry, instead of Docker Hub: an https address, or http on this machine. */
  readonly hub?: string | undefined;
  /** The longest time for one image, in milliseconds. */
  readonly limitMs?: number;
}

const dockerHub = 'https://registry-1.docker.io';
/** A manifest has some kilobytes. The specification of registries lets clients expect at most 4 MiB. */
const maxManifest = 4 * 1024 * 1024;
const maxTokenAnswer = 65_536;
const manifestTypes = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

/**
 * Asks a registry for the digest of a tag (OCI Distribution Specification 1.1), for all platforms of the image. The registry must
 * also give the manifest whose SHA-256 is the digest. No redirect is followed. Nothing but a token for anonymous readers is sent.
 * @throws RegistryFault
 */
export async function digestOf(
  { name, tag = '' }: Reference,
  { hub = dockerHub, limitMs = 20_000 }: RegistryOptions = {},
): Promise<string> {
  const { origin, repository } = placeOf(name, hub);
  const session = { origin, repository, token: undefined, signal: AbortSignal.timeout(limitMs) };
  const head = await ask(session, 'HEAD', tag);
  const digest = head.headers.get('docker-content-digest') ?? '';
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new RegistryFault('sends no digest of SHA-256');
  const manifest = await ask(session, 'GET', digest);
  const body = await readBody(manifest, maxManifest);
  if (`sha256:${createHash('sha256').update(body).digest('hex')}` !== digest)
    throw new RegistryFault('sends a manifest that has another digest');
  return digest;
}

interface Session {
  readonly origin: string;
  readonly repository: string;
  readonly signal: AbortSignal;
  token: string | undefined;
}

/** The registry of an image, and its name there. */
function placeOf(name: string, hub: string): { origin: string; repository: string } {
  const [host = '', ...rest] = name.split('/');
  const hasHost = rest.length > 0 && (/[.:]/.test(host) || host === 'localhost');
  if (hasHost && host !== 'docker.io') return { origin: `https://${host}`, repository: rest.join('/') };
  const path = hasHost ? rest.join('/') : name;
  const { origin } = requireSafe(hub);
  return { origin, repository: path.includes('/') ? path : `library/${path}` };
}

/** Only this machine is asked without TLS. */
function requireSafe(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url === undefined || (url.protocol !== 'https:' && !isLocal))
    throw new RegistryFault(`has no https address: ${address.slice(0, 200)}`);
  return url;
}

async function ask(session: Session, method: 'HEAD' | 'GET', which: string): Promise<Response> {
  const { origin, repository, signal } = session;
  const address = `${origin}/v2/${repository}/manifests/${which}`;
  const send = () =>
    request(address, method, signal, {
      accept: manifestTypes,
      ...(session.token !== undefined && { authorization: `Bearer ${session.token}` }),
    });
  let response = await send();
  if (response.status === 401 && session.token === undefined) {
    session.token = await readToken(session, response.headers.get('www-authenticate') ?? '');
    response = await send();
  }
  if (response.status === 200) return response;
  await response.body?.cancel();
  if (response.status === 404) throw new RegistryFault('does not have it');
  throw new RegistryFault(`answers with the status ${response.status}`);
}

async function request(
  address: string | URL,
  method: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    return await fetch(address, { method, headers, signal, redirect: 'manual' });
  } catch (error) {
    throw toFault(error, signal);
  }
}

/** Gets a token for anonymous readers of the repository. */
async function readToken({ origin, repository, signal }: Session, challenge: string): Promise<string> {
  const given = (name: string) => new RegExp(`^Bearer .*\\b${name}="([^"]*)"`, 'i').exec(challenge)?.[1];
  const realm = requireSafe(given('realm') ?? '');
  if (realm.protocol === 'http:' && origin.startsWith('https:'))
    throw new RegistryFault('names a token service without https');
  const service = given('service');
  if (service !== undefined) realm.searchParams.set('service', service);
  realm.searchParams.set('scope', `repository:${repository}:pull`);
  const response = await request(realm, 'GET', signal, { accept: 'application/json' });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new RegistryFault(`gives no token to anonymous readers: status ${response.status}`);
  }
  const body = await readBody(response, maxTokenAnswer);
  const { token, access_token: other } = parse(body.toString());
  const found = token ?? other;
  if (typeof found === 'string' && /^[\x21-\x7e]{1,16384}$/.test(found)) return found;
  throw new RegistryFault('gives no token to anonymous readers');
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null ? { ...found } : {};
  } catch {
    return {};
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > maxBytes) throw new RegistryFault(`sends more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof RegistryFault ? error : toFault(error, undefined);
  }
  return Buffer.concat(chunks);
}

function toFault(error: unknown, signal: AbortSignal | undefined): RegistryFault {
  if (signal?.aborted || (error as Error).name === 'TimeoutError')
    return new RegistryFault('does not answer in time');
  const { cause } = error as { cause?: { code?: string } };
  return new RegistryFault(`cannot be reached from here${cause?.code ? ` (${cause.code})` : ''}`);
}
