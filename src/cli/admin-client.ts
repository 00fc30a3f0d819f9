import { readFile } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#src/platform/start-failure.js';

/** Calls the administration API of an instance. */
export interface AdminClient {
  readonly baseUrl: string;
  /**
   * Sends the request once.
   * @throws NotNow if the service cannot be reached or cannot answer at present. StartError for every other refusal.
   */
  send(path: string, request?: ApiRequest): Promise<Response>;
  /**
   * Sends the request until the service answers. By default it tries 50 times in about eight minutes. @throws
   * StartError
   */
  insist(path: string, request?: ApiRequest): Promise<Response>;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A function, because a body can be sent only once. */
  readonly body?: () => string | ReadableStream<Uint8Array>;
  /** Error statuses that the caller accepts. */
  readonly accepted?: readonly number[];
  /** Largest number of attempts. */
  readonly tries?: number;
}

/** The service is temporarily unavailable. The caller can try again. */
export class NotNow extends Error {}

/**
 * The pauses between the attempts grow from half a second to ten seconds. All attempts together take about eight
 * minutes.
 */
const defaultTries = 50;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** @param token a personal access token or access token of a service user with the role IAM_OWNER */
export function createAdminClient(baseUrl: string, token: string): AdminClient {
  async function send(path: string, request: ApiRequest = {}) {
    const { method = 'GET', headers = {}, body, accepted = [] } = request;
    const url = new URL(`${baseUrl}/admin/v1${path}`);
    const init = {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...headers },
      redirect: 'error' as const,
      ...(body !== undefined && { body: body(), duplex: 'half' as const }),
    };
    const response = await fetch(url, init).catch((error: unknown) => {
      throw new NotNow(`${baseUrl} cannot be reached: ${causeOf(error)}`);
    });
    if (response.ok || accepted.includes(response.status)) return response;
    const message = `${method} ${url.pathname}: ${response.status} ${await problemOf(response)}`;
    throw [408, 429, 502, 503, 504].includes(response.status) ? new NotNow(message) : new StartError(message);
  }

  return {
    baseUrl,
    send,
    async insist(path, request) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await send(path, request);
        } catch (error) {
          if (!(error instanceof NotNow)) throw error;
          if (attempt >= (request?.tries ?? defaultTries)) throw new StartError(error.message);
          await pause(Math.min(longestPauseMs, firstPauseMs * 1.5 ** attempt));
        }
      }
    },
  };
}

/**
 * Opens the client with the address and the token from the arguments or the environment. A token is never an argument,
 * because every user of the machine can read the arguments of a process.
 * @throws StartError
 */
export async function openAdminClient(values: {
  'base-url'?: string | undefined;
  'token-file'?: string | undefined;
}): Promise<AdminClient> {
  const { MUSTER_BASE_URL, MUSTER_TOKEN } = process.env;
  const baseUrl = (values['base-url'] ?? MUSTER_BASE_URL ?? '').replace(/\/+$/, '');
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new StartError('--base-url or MUSTER_BASE_URL must be the address of the service');
  }
  const file = values['token-file'];
  const token = (file === undefined ? MUSTER_TOKEN : await readToken(file))?.trim();
  if (!token) throw new StartError('--token-file or MUSTER_TOKEN must give a token');
  return createAdminClient(baseUrl, token);
}

function readToken(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: Error) => {
    throw new StartError(`${path} cannot be read: ${error.message}`);
  });
}

/** Returns the problem that the service reports (RFC 9457), or else the text of its answer. */
async function problemOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  try {
    const { title = '', detail = '' } = JSON.parse(text);
    return [...new Set([title, detail])].filter(Boolean).join(': ');
  } catch {
    return text.slice(0, 200);
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
