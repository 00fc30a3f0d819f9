import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { AppError, defineErrors } from '../errors.js';
import { toHttpsAddress } from './https-address.js';
import { unanswered } from './unanswered.js';

/** Objects of other services, read by https. */
export interface HttpsObjects {
  /** @throws AppError `source.addressInvalid`, `source.hostNotAllowed` */
  check(address: string): void;
  /**
   * The bytes at an address. No error names the address, because its query may hold a signature.
   * @param signal ends the download
   * @throws AppError of {@link check}; while it is read, `source.hostUnknown`, `source.refused` or `source.transferFailed`
   */
  open(address: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

const sourceErrors = defineErrors('source', {
  addressInvalid: { kind: 'invalid', message: 'The address is not an https address without a user name' },
  hostNotAllowed: {
    kind: 'invalid',
    message:
      'The host of the address is not in MUSTER_IMPORT_HOSTS, the list of hosts from which this service reads',
  },
  hostUnknown: { kind: 'invalid', message: 'The host of the address has no address' },
  refused: { kind: 'invalid', message: 'The host of the address does not give the object' },
  transferFailed: { kind: 'unavailable', message: 'The host did not transfer the object; try again shortly' },
});

const maxAddress = 4_096;
/** A connection without a byte for this time has failed. */
const stallMs = 30_000;
/** Statuses after which another attempt may succeed. */
const isTransient = (status: number) => status === 408 || status === 429 || status >= 500;

/**
 * Makes the reader of objects. It speaks https alone, and with the given hosts alone. It follows no redirect. It sends no credentials
 * beside those in the address.
 * @param hosts such as `files.example.com` or `files.example.com:8443`. They may have private addresses
 * @param ca trusted certificates in the PEM format, instead of those of Node.js
 */
export function createHttpsObjects({
  hosts,
  ca,
}: {
  hosts: readonly string[];
  ca?: string | undefined;
}): HttpsObjects {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));

  function check(address: string): URL {
    const url = address.length <= maxAddress ? toHttpsAddress(address) : undefined;
    if (url === undefined) throw new AppError(sourceErrors.addressInvalid);
    if (!allowed.has(url.host)) throw new AppError(sourceErrors.hostNotAllowed);
    return url;
  }

  async function* read(url: URL, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
    let response: IncomingMessage | undefined;
    try {
      response = await responseOf(url, { ...(ca && { ca }), ...(signal && { signal }) });
      requireObject(response);
      yield* response as AsyncIterable<Buffer>;
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof AppError) throw cause;
      const isUnknown = (cause as NodeJS.ErrnoException).code === 'ENOTFOUND';
      throw new AppError(isUnknown ? sourceErrors.hostUnknown : sourceErrors.transferFailed, { cause });
    } finally {
      response?.destroy();
    }
  }

  return {
    check: (address) => void check(address),
    open: (address, signal) => read(check(address), signal),
  };
}

function responseOf(url: URL, given: { ca?: string; signal?: AbortSignal }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Muster' };
    const asked = request(url, {
      headers,
      agent: false,
      maxHeaderSize: 16_384,
      timeout: stallMs,
      ...given,
    });
    asked.once('timeout', () => asked.destroy(new Error('The connection stood still')));
    asked.once('error', reject).once('response', resolve).once('close', unanswered(reject)).end();
  });
}

/** @throws AppError if the response is not the object as it is stored */
function requireObject({ statusCode = 0, headers }: IncomingMessage): void {
  if (isTransient(statusCode))
    throw new AppError(sourceErrors.transferFailed, {
      detail: `The host answers with the status ${statusCode}`,
    });
  if (statusCode !== 200) {
    const detail = `The host answers with the status ${statusCode} instead of 200`;
    throw new AppError(sourceErrors.refused, { detail });
  }
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity')
    throw new AppError(sourceErrors.refused, { detail: 'The host sends the object compressed, unasked' });
}
