import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { toHttpsAddress } from './https-address.js';
import { KeptAgent } from './kept-agent.js';
import { lookUpPublic, requirePublicHost } from './look-up-public.js';
import { OutgoingError } from './outgoing-error.js';
import { unanswered } from './unanswered.js';

/** The bounds of one request to another service. */
export interface FetchBounds {
  /** The longest body, in bytes. */
  readonly maxBytes: number;
  /** The longest time from the look-up of the name to the last byte, in milliseconds. */
  readonly timeoutMs: number;
}

/** What is sent. Without it, the request is a GET. */
interface GuardedRequest {
  readonly method?: 'GET' | 'POST';
  /** Headers beside those of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * Who keeps the connection for later requests of the same share. Absent: the connection ends with the request. GET and POST have connections of
   * their own. A POST is never sent twice, so its connection is kept for a second alone: hardly any host ends one so soon.
   */
  readonly share?: string;
  /** The only status whose body is read. Absent: the body of every status is read. */
  readonly onlyStatus?: number;
}

/** An answer of another service, whatever its status. A redirect is an answer, and nobody follows it. */
interface GuardedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Sends a request to an address that a stranger chose.
 * @throws OutgoingError
 */
export type GuardedFetch = (
  address: string,
  bounds: FetchBounds,
  request?: GuardedRequest,
) => Promise<GuardedResponse>;

/**
 * Makes the function that calls addresses which a stranger chose. It speaks https alone, and connects to public addresses alone. It
 * follows no redirect, and sends no credentials of its own. The caller bounds the bytes that it reads and the time that it waits.
 * @param privateHosts hosts that may have private addresses
 * @param ca trusted certificates in the PEM format, instead of those of Node.js
 */
export function createGuardedFetch({
  privateHosts,
  ca,
}: {
  privateHosts: readonly string[];
  ca?: string | undefined;
}): GuardedFetch {
  const ownHosts = new Set(privateHosts.map((host) => host.toLowerCase()));
  const lookup = lookUpPublic(ownHosts);
  const kept = new KeptAgent({ timeout: 15_000 });
  const posting = new KeptAgent({ timeout: 1_000 });
  return async (address, { maxBytes, timeoutMs }, given = {}) => {
    const { method = 'GET', headers = {}, body, onlyStatus, share } = given;
    const url = requireHttps(address);
    requirePublicHost(url.hostname, ownHosts);
    const signal = AbortSignal.timeout(timeoutMs);
    const options = {
      lookup,
      signal,
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Muster',
        ...headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(share === undefined
        ? { agent: false as const }
        : { agent: method === 'GET' ? kept : posting, share }),
      maxHeaderSize: 16_384,
      ...(ca && { ca }),
    };
    try {
      return await send(url, options, { body, maxBytes, onlyStatus });
    } catch (error) {
      throw toOutgoingError(error, signal);
    }
  };
}

interface Sent {
  readonly body: string | undefined;
  readonly maxBytes: number;
  readonly onlyStatus: number | undefined;
}

/** Sends a request. If the host ended a kept connection at the same moment, the GET is sent once more, by another connection. */
async function send(url: URL, options: RequestOptions, sent: Sent): Promise<GuardedResponse> {
  const { body, ...bounds } = sent;
  let isStale = false;
  try {
    return await new Promise<GuardedResponse>((resolve, reject) => {
      let isAnswered = false;
      const end = unanswered(reject);
      const asked = request(url, options, (response) => {
        isAnswered = true;
        readResponse(response, bounds).then(resolve, reject);
      });
      asked
        .once('close', () => !isAnswered && end())
        .once('error', (error: NodeJS.ErrnoException) => {
          isStale =
            options.method === 'GET' &&
            asked.reusedSocket &&
            (error.code === 'ECONNRESET' || error.code === 'EPIPE');
          reject(error);
        })
        .end(body);
    });
  } catch (error) {
    if (!isStale) throw error;
    return send(url, { ...options, agent: false }, sent);
  }
}

/** @throws OutgoingError `notHttps` for everything that is not the address of a document by https */
function requireHttps(address: string): URL {
  const url = toHttpsAddress(address);
  if (url !== undefined) return url;
  throw new OutgoingError('notHttps', 'The address is not an https address without credentials');
}

async function readResponse(
  response: IncomingMessage,
  { maxBytes, onlyStatus }: { maxBytes: number; onlyStatus: number | undefined },
): Promise<GuardedResponse> {
  try {
    const { statusCode: status = 0, headers } = response;
    if (onlyStatus !== undefined && status !== onlyStatus)
      throw new OutgoingError('wrongStatus', `The answer has the status ${status} instead of ${onlyStatus}`);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new OutgoingError('tooLarge', `The answer has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return { status, headers, body: Buffer.concat(chunks) };
  } finally {
    response.destroy();
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
