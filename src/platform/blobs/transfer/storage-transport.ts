import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { AppError } from '../../errors.js';
import { lookUpPublic } from '../../outgoing/look-up-public.js';
import { OutgoingError } from '../../outgoing/outgoing-error.js';
import { unanswered } from '../../outgoing/unanswered.js';
import { blobErrors } from './blob-errors.js';
import { TransientFault } from './storage-faults.js';
import type { StorageHosts } from './storage-hosts.js';

/** A request that a client library has signed. */
interface StorageRequest {
  readonly method: string;
  /** Such as `files.example.com:8443`. */
  readonly host: string;
  /** The path and the query, which are sent as they are. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface StorageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of an object, or the whole of a short response. */
  readonly body: IncomingMessage | Buffer;
}

/**
 * Sends a request.
 * @throws AppError `bucket.hostNotAllowed`, `bucket.hostUnknown`, `bucket.hostUntrusted`, `bucket.redirected`
 * @throws TransientFault if the connection fails
 * @throws the reason of the signal
 */
export type StorageTransport = (request: StorageRequest) => Promise<StorageResponse>;

/** The fewest bytes of a request that may be sent in `stallMs`. */
const leastBytes = 65_536;

/** A response that is no object: a description of an upload, or an error. */
const maxShortBody = 1024 * 1024;

/**
 * Makes the connections of the client libraries, because the endpoint may come from a request. It speaks https with allowed hosts
 * alone, follows no redirect, uses no proxy of the environment, and waits and reads within bounds.
 * @param stallMs the longest time, in milliseconds: without a byte; until the connection stands; and from the end of the request to
 * the end of the headers of the response
 * @param ca trusted certificates in the PEM format, instead of those of Node.js
 * @param lookup finds the addresses of hosts
 */
export function createStorageTransport({
  hosts,
  stallMs,
  ca,
  lookup = lookUpPublic(hosts.privateNames),
}: {
  hosts: StorageHosts;
  stallMs: number;
  ca?: string | undefined;
  lookup?: LookupFunction;
}): StorageTransport {
  function send({ method, host, path, headers, body, signal }: StorageRequest): Promise<IncomingMessage> {
    const { hostname, port } = new URL(`https://${host}`);
    return new Promise((resolve, reject) => {
      const sent = httpsRequest({
        method,
        headers,
        hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
        port: port || 443,
        path,
        lookup,
        agent: false,
        maxHeaderSize: 16_384,
        timeout: stallMs,
        ...(ca && { ca }),
        ...(signal && { signal }),
      });
      // The timeout of the socket begins again with each byte, so each phase has a bound of its own.
      const giveUp = () => sent.destroy(new TransientFault(new AppError(blobErrors.tooSlow)));
      let timer: NodeJS.Timeout | undefined = setTimeout(giveUp, stallMs);
      const boundNextBy = (limitMs: number) => {
        if (timer === undefined) return;
        clearTimeout(timer);
        timer = setTimeout(giveUp, limitMs);
      };
      // A response may come before the whole request was sent.
      const end = () => {
        clearTimeout(timer);
        timer = undefined;
        sent.off('timeout', giveUp).setTimeout(0);
      };
      const sendingMs = stallMs * (1 + Buffer.byteLength(body ?? '') / leastBytes);
      sent
        .once('timeout', giveUp)
        .once('socket', (socket) => socket.once('secureConnect', () => boundNextBy(sendingMs)))
        .once('finish', () => boundNextBy(stallMs))
        .once('close', end)
        .once('close', unanswered(reject))
        .on('error', reject)
        .once('response', (response) => {
          end();
          resolve(response);
        });
      sent.end(body);
    });
  }

  return async (request) => {
    hosts.require(request.host);
    let response: IncomingMessage | undefined;
    try {
      response = await send(request);
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400 && status !== 304) throw new AppError(blobErrors.redirected);
      const isObject = request.method === 'GET' && (status === 200 || status === 206);
      return {
        status,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: isObject ? response : await readShort(response, stallMs),
      };
    } catch (error) {
      response?.destroy();
      request.signal?.throwIfAborted();
      throw toConnectionFault(error);
    }
  };
}

/** @throws TransientFault if it is not there in time */
async function readShort(response: IncomingMessage, limitMs: number): Promise<Buffer> {
  const timer = setTimeout(
    () => response.destroy(new TransientFault(new AppError(blobErrors.tooSlow))),
    limitMs,
  );
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxShortBody) {
        throw new AppError(blobErrors.refused, { detail: 'The storage sends more than a short response' });
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads the error of a connection. A certificate does not become trusted by another attempt, and no host appears by it. */
export function toConnectionFault(error: unknown): AppError | TransientFault {
  if (error instanceof AppError || error instanceof TransientFault) return error;
  if (error instanceof OutgoingError && error.problem === 'privateAddress') {
    return new AppError(blobErrors.hostNotAllowed, {
      detail: 'The host of the storage has a private address',
    });
  }
  const code = String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
  const problem = error instanceof OutgoingError ? error.problem : undefined;
  if (problem === 'unknownHost' || code === 'ENOTFOUND') return new AppError(blobErrors.hostUnknown);
  if (problem === 'unresolvedHost' || code === 'EAI_AGAIN')
    return new TransientFault(new AppError(blobErrors.hostUnresolved));
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) return new AppError(blobErrors.hostUntrusted);
  return new TransientFault(
    new AppError(blobErrors.transferFailed, { detail: 'The connection to the storage broke' }),
  );
}
