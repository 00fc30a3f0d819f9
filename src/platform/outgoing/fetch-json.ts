import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { toHttpsAddress } from './https-address.js';
import { lookUpPublic, requirePublicHost } from './look-up-public.js';
import { OutgoingError } from './outgoing-error.js';

/** The bounds of one request to another service. */
interface FetchBounds {
  /** The longest body, in bytes. */
  readonly maxBytes: number;
  /** The longest time from the look-up of the name to the last byte, in milliseconds. */
  readonly timeoutMs: number;
}

/** A JSON text to send, and headers beside those of every request. */
export interface OutgoingMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads a JSON document of another service by GET, or by POST if there is a message.
 * @throws OutgoingError
 */
export type FetchJson = (address: string, bounds: FetchBounds, message?: OutgoingMessage) => Promise<unknown>;

/**
 * Makes the function that reads documents whose address a stranger chose. It speaks https alone, connects to public addresses
 * alone, follows no redirect, sends no credentials, and reads no more bytes and waits no longer than it was told.
 * @param privateHosts hosts that may have private addresses
 * @param ca trusted certificates in the PEM format, instead of those of Node.js
 */
export function createFetchJson({
  privateHosts,
  ca,
}: {
  privateHosts: readonly string[];
  ca?: string | undefined;
}): FetchJson {
  const ownHosts = new Set(privateHosts.map((host) => host.toLowerCase()));
  const lookup = lookUpPublic(ownHosts);
  return async (address, { maxBytes, timeoutMs }, message) => {
    const url = requireHttps(address);
    requirePublicHost(url.hostname, ownHosts);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const body = await new Promise<Buffer>((resolve, reject) => {
        const headers = {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'Muster',
          ...(message && { ...message.headers, 'content-length': String(Buffer.byteLength(message.body)) }),
        };
        const options = {
          lookup,
          signal,
          headers,
          method: message ? 'POST' : 'GET',
          agent: false as const,
          maxHeaderSize: 16_384,
          ...(ca && { ca }),
        };
        request(url, options, (response) => readBody(response, maxBytes).then(resolve, reject))
          .once('error', reject)
          .end(message?.body);
      });
      return parse(body);
    } catch (error) {
      throw toOutgoingError(error, signal);
    }
  };
}

/** @throws OutgoingError `notHttps` for everything that is not the address of a document by https */
function requireHttps(address: string): URL {
  const url = toHttpsAddress(address);
  if (url !== undefined) return url;
  throw new OutgoingError('notHttps', 'The address is not an https address without credentials');
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const { statusCode } = response;
    if (statusCode !== 200)
      throw new OutgoingError('wrongStatus', `The answer has the status ${statusCode} instead of 200`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new OutgoingError('tooLarge', `The answer has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    response.destroy();
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new OutgoingError('notJson', 'The answer is not JSON');
  }
}

function toOutgoingError(error: unknown, signal: AbortSignal): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (signal.aborted) return new OutgoingError('tooSlow', 'The answer took too long');
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/.test(code))
    return new OutgoingError('untrusted', 'The host has no certificate that is trusted here');
  return new OutgoingError('unreachable', 'The host cannot be reached');
}
