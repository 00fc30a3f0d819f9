import { readFile } from 'node:fs/promises';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as pause } from 'node:timers/promises';
import { StartError } from '#src/platform/start-failure.js';

/** Calls the administration API of an instance. */
export interface AdminClient {
  readonly baseUrl: string;
  /**
   * Sends once.
   * @throws NotNow when the service or the way to it is away; StartError for every other refusal
   */
  send(path: string, request?: ApiRequest): Promise<Response>;
  /** Sends until the service is there, at most so often that somebody waits some minutes. @throws StartError */
  insist(path: string, request?: ApiRequest): Promise<Response>;
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A function, since a body that was sent cannot be sent again. */
  readonly body?: () => string | ReadableStream<Uint8Array>;
  /** Statuses beside those of success that are no errors. */
  readonly accepted?: readonly number[];
  /** How often it is sent at most. */
  readonly tries?: number;
}

/** The service is away for now; asking again makes sense. */
export class NotNow extends Error {}

/** How often it is asked again, with pauses that grow from half a second to ten: about eight minutes. */
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
 * The client of the address and the token that the arguments or the environment name. A token is never an argument:
 * everybody on the machine could read it there.
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

/** What the service says is wrong (RFC 9457), or what it says at all. */
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
