import { readFile } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import {
  causeOf,
  isOfMuster,
  NotNow,
  objectOf,
  problemOf,
  Refused,
  Unreachable,
  Unreadable,
} from './answers.js';

/** Calls the administration API and SCIM of an instance. Paths are such as `/admin/v1/jobs`. */
export interface AdminClient {
  readonly baseUrl: string;
  /**
   * Makes the first contact, and checks the address and the token. It tries once, within {@link firstContactMs}.
   * @throws Unreachable, Refused
   */
  connect(): Promise<void>;
  /**
   * Sends the request until the service answers. By default it tries 50 times in about eight minutes, and tells each attempt. Use it
   * after {@link connect}, or for what the service accepted in an earlier run.
   * @throws Unreachable, Refused
   */
  insist(path: string, request?: ApiRequest): Promise<Response>;
  /** Insists until an answer has come whole, and returns its JSON object. @throws Unreachable, Refused, StartError */
  read(path: string, request?: ApiRequest): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A function, because a body can be sent only once. */
  readonly body?: () => string | ReadableStream<Uint8Array>;
  /** Error statuses that the caller accepts. */
  readonly accepted?: readonly number[];
  /** Largest number of attempts. */
  readonly tries?: number;
}

/** What a client tells, such as that it tries again. */
export type Tell = (text: string) => void;

/**
 * The pauses between the attempts grow from half a second to ten seconds. All attempts together take about eight
 * minutes.
 */
const defaultTries = 50;
const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** A person waits for the first contact. With the start of the process it is told within 10 s. */
const firstContactMs = 8_000;
/** Longer than any answer without a body takes to begin. */
const patienceMs = 60_000;

/**
 * @param token a personal access token or access token of a service user
 * @param tell gets a line for each attempt that failed
 */
export function createAdminClient(baseUrl: string, token: string, tell: Tell = () => {}): AdminClient {
  /** Whether Muster has answered. */
  let isKnown = false;

  async function attempt(path: string, request: ApiRequest, late?: AbortSignal): Promise<Response> {
    const { method = 'GET', headers = {}, body, accepted = [] } = request;
    const url = new URL(`${baseUrl}${path}`);
    const content = body?.();
    // An upload takes as long as it takes.
    const isUpload = content !== undefined && typeof content !== 'string';
    const patience = late === undefined && !isUpload ? startPatience() : undefined;
    const signal = late ?? patience?.signal;
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers },
      redirect: 'manual',
      ...(signal && { signal }),
      ...(content !== undefined && { body: content, duplex: 'half' as const }),
    })
      .catch((error: unknown) => {
        // The file cannot be sent. It is no fault of the connection.
        if (error instanceof Error && error.cause instanceof StartError) throw error.cause;
        throw new NotNow(`${baseUrl} cannot be reached: ${causeOf(error)}`);
      })
      .finally(() => patience?.end());
    if (response.ok || accepted.includes(response.status)) {
      isKnown ||= response.ok;
      return response;
    }
    const message = `${method} ${url.pathname}: ${response.status} ${await problemOf(response)}`.trim();
    if ([408, 429, 502, 503, 504].includes(response.status)) throw new NotNow(message, response);
    if (isOfMuster(response)) throw new Refused(message, response);
    if (isKnown) throw new StartError(`A program in front of Muster refused this. ${message}`);
    throw new Unreachable(`${baseUrl} is not the address of Muster. ${message}`);
  }

  async function until<T>(
    path: string,
    request: ApiRequest,
    take: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { tries = defaultTries } = request;
    for (let count = 1; ; count++) {
      try {
        return await take(await attempt(path, request));
      } catch (error) {
        if (!(error instanceof NotNow)) throw error;
        if (count >= tries) throw new Unreachable(error.message);
        const ms = Math.max(error.retryAfterMs, Math.min(longestPauseMs, firstPauseMs * 1.5 ** count));
        tell(`${error.message}. Attempt ${count + 1} of ${tries} follows in ${Math.ceil(ms / 1000)} s.`);
        await pause(ms);
      }
    }
  }

  return {
    baseUrl,
    async connect() {
      const path = '/admin/v1/jobs?limit=1';
      try {
        const late = abortAfter(firstContactMs);
        const answer = await objectOf(await attempt(path, {}, late)).catch((error: unknown) => {
          if (error instanceof Unreadable) return {};
          throw error;
        });
        if ('items' in answer) return;
      } catch (error) {
        throw error instanceof NotNow ? new Unreachable(error.message) : error;
      }
      throw new Unreachable(
        `${baseUrl} is not the address of Muster. GET ${path} answers with something else`,
      );
    },
    insist: (path, request = {}) => until(path, request, async (response) => response),
    read: (path, request = {}) =>
      until(path, request, async (response) => ({
        status: response.status,
        body: await objectOf(response),
      })),
  };
}

/** Aborts a request whose answer does not begin in time. The answer itself may take longer. */
function startPatience(): { readonly signal: AbortSignal; end(): void } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(noAnswer(patienceMs)), patienceMs);
  return { signal: late.signal, end: () => clearTimeout(timer) };
}

/** Aborts a request whose answer is not complete in time. */
function abortAfter(ms: number): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(noAnswer(ms)), ms).unref();
  return late.signal;
}

function noAnswer(ms: number): Error {
  return new Error(`no answer within ${ms / 1000} s`);
}

/** Where the service is and who asks. */
export interface ServiceOptions {
  readonly baseUrl?: string | undefined;
  readonly tokenFile?: string | undefined;
}

/**
 * Opens the client with the address and the token from the options or the environment. A token is never an argument,
 * because every user of the machine can read the arguments of a process.
 * @throws StartError
 */
export async function openAdminClient(options: ServiceOptions, tell?: Tell): Promise<AdminClient> {
  const { MUSTER_BASE_URL, MUSTER_TOKEN } = process.env;
  const baseUrl = (options.baseUrl ?? MUSTER_BASE_URL ?? '').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new StartError('--base-url or MUSTER_BASE_URL must be the address of the service');
  }
  const file = options.tokenFile;
  const token = (file === undefined ? MUSTER_TOKEN : await readToken(file))?.trim();
  if (!token) throw new StartError('--token-file or MUSTER_TOKEN must give a token');
  if (!/^[\x21-\x7e]+$/.test(token)) throw new StartError('The token has a character that no token has');
  return createAdminClient(baseUrl, token, tell);
}

function readToken(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new StartError(`${path} cannot be read: ${error.message}`);
  });
}
