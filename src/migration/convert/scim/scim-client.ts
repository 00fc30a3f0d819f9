import { setTimeout as pause } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';

/** Reads resources of a SCIM server (RFC 7644). It changes nothing there. */
export interface ScimClient {
  /**
   * Returns the JSON object at an address of the server, or undefined if there is nothing.
   * @throws StartError when the server refuses, or answers with something else; the reason of the signal when it aborts
   */
  get(url: string): Promise<JsonObject | undefined>;
}

interface ScimServer {
  /** Such as `https://scim.example.com/v2`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly signal?: AbortSignal | undefined;
}

/** A group of 200,000 members fits. */
const mostBytes = 64 * 1024 * 1024;
/** For one answer as a whole. */
const patienceMs = 120_000;
const mostRedirects = 3;
const mostTries = 10;
const longestPauseSeconds = 300;
const missing = [404, 501];

/**
 * The token goes to the origin of the base URL alone. Requests are repeated only after 429 and 503, when the server says.
 * @throws StartError when the address is neither https nor of this machine, or the token cannot be one
 */
export function createScimClient({ baseUrl, token, signal }: ScimServer): ScimClient {
  const { origin } = requireAddress(baseUrl);
  if (!/^[\x21-\x7e]+$/.test(token)) throw new StartError('The token has a character that no token has');

  async function send(url: URL): Promise<Response> {
    const late = AbortSignal.timeout(patienceMs);
    const signals = signal === undefined ? [late] : [late, signal];
    const headers = { authorization: `Bearer ${token}`, accept: 'application/scim+json, application/json' };
    return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.any(signals) }).catch(unreachable);
  }

  function unreachable(error: unknown): never {
    if (signal?.aborted) throw signal.reason;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new StartError(`${baseUrl} cannot be reached: ${cause instanceof Error ? cause.message : cause}`);
  }

  /** Follows redirects within the origin, and waits when the server is busy. */
  async function answerOf(address: string): Promise<Response> {
    let url = new URL(address);
    let redirects = 0;
    for (let tries = 1; ; ) {
      if (url.origin !== origin)
        throw new StartError(`${address} leads to ${url.origin}, which gets no token`);
      const response = await send(url);
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        const target = response.headers.get('location') ?? '';
        if (++redirects > mostRedirects || !URL.canParse(target, url.href)) {
          throw new StartError(`${address} redirects too often, or nowhere`);
        }
        url = new URL(target, url);
      } else if ([429, 503].includes(response.status) && tries++ < mostTries) {
        await response.body?.cancel();
        await pause(pauseOf(response, tries), undefined, { signal }).catch(unreachable);
      } else return response;
    }
  }

  return {
    async get(address) {
      const response = await answerOf(address);
      if (!response.ok) {
        await response.body?.cancel();
        if (missing.includes(response.status)) return undefined;
        throw new StartError(`GET ${address} answers ${response.status}${adviceOf(response.status)}`);
      }
      return objectOf(await textOf(response, address).catch(unreachableUnlessTold), address);
    },
  };

  function unreachableUnlessTold(error: unknown): never {
    if (error instanceof StartError) throw error;
    return unreachable(error);
  }
}

function requireAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isOwn = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url?.hostname ?? '');
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOwn))) {
    throw new StartError(
      '--url must be the https address of a SCIM server, such as https://scim.example.com/v2',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new StartError('--url must have no user, no query and no fragment');
  }
  return url;
}

/** Returns how long to wait, in milliseconds (RFC 9110 section 10.2.3). @throws StartError when that is too long */
function pauseOf(response: Response, tries: number): number {
  const given = response.headers.get('retry-after')?.trim() ?? '';
  const isNumber = /^\d{1,9}$/.test(given);
  const until = isNumber ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  const seconds = Number.isNaN(until) ? 2 ** (tries - 2) : Math.max(0, until);
  if (seconds <= longestPauseSeconds) return seconds * 1000;
  throw new StartError(
    `${response.url} wants no request for ${Math.ceil(seconds)} s. Run the command again then`,
  );
}

async function textOf({ body }: Response, address: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new StartError(`GET ${address} answers with more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    throw new StartError(`GET ${address} answers with text that is not UTF-8`);
  }
}

function objectOf(text: string, address: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of JSON.parse quotes the answer.
  }
  if (isJsonObject(value)) return value;
  throw new StartError(`GET ${address} answers with something else than a JSON object`);
}

function adviceOf(status: number): string {
  if (status === 401) return ': the server does not know the token';
  return status === 403 ? ': the token may not read this' : '';
}
