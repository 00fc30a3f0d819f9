import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Problem } from '#src/http/base/problem.js';
import type { RefusedValue } from '#src/http/refusals/refusal-in-words.js';
import { type ApiRefusal, readErrors } from '../refusals/refusal.js';

/** An error of the API: its status, and what the problem document or the SCIM error says. Its message is for the log. */
export class ApiProblem extends Error implements ApiRefusal {
  readonly status: number;
  /** The stable identifier of the error, such as `directory.userNotFound`. */
  readonly id: string;
  /** Each value that is refused. Empty if the error is about no value. */
  readonly errors: readonly RefusedValue[];
  /** The header `WWW-Authenticate`. */
  readonly challenge: string;

  constructor(problem: {
    status: number;
    id: string;
    detail?: string;
    errors?: readonly RefusedValue[];
    challenge?: string;
  }) {
    super(problem.detail);
    this.name = 'ApiProblem';
    this.status = problem.status;
    this.id = problem.id;
    this.errors = problem.errors ?? [];
    this.challenge = problem.challenge ?? '';
  }

  /** Whether the step needs a person who signed in lately (RFC 9470). */
  get needsFreshSignIn(): boolean {
    return this.challenge.includes('insufficient_user_authentication');
  }
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Calls the API of this service as the person who is signed in. */
export interface ConsoleApi {
  /** @throws ApiProblem for every status but 2xx */
  get<T>(path: string, query?: Query): Promise<T>;
  /**
   * Sends JSON, or a stream of JSON.
   * @returns the body, or undefined if there is none
   * @throws ApiProblem for every status but 2xx
   */
  send<T = undefined>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object | Readable,
    headers?: Readonly<Record<string, string>>,
  ): Promise<T>;
  /**
   * Sends JSON, or a stream of JSON, for work that workers do.
   * @returns the identifier of the job
   * @throws ApiProblem
   */
  submit(method: 'POST' | 'DELETE', path: string, body?: object | Readable): Promise<string>;
  /**
   * Sends JSON for work that the API does at once, or lets workers do if it is much.
   * @returns the answer, or the identifier of the job
   * @throws ApiProblem
   */
  attempt<T>(path: string, body: object): Promise<{ answer: T } | { jobId: string }>;
  /**
   * Sends JSON for work that goes on while the API responds, such as mail that is paced. It resolves when the response begins. Nobody reads
   * the rest of it.
   * @throws ApiProblem
   */
  begin(path: string, body: object): Promise<void>;
  /** The response of a GET as a stream, for downloads. @throws ApiProblem */
  open(path: string): Promise<{ headers: Readonly<Record<string, unknown>>; body: Readable }>;
}

/** @param request of the browser: the API counts and logs its address */
export function createConsoleApi(request: FastifyRequest, accessToken: string): ConsoleApi {
  const common = {
    authorization: `Bearer ${accessToken}`,
    accept: 'application/json, application/scim+json',
    'x-request-id': request.id,
    ...(request.headers['user-agent'] !== undefined && { 'user-agent': request.headers['user-agent'] }),
  };

  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: object | Readable,
    headers: Readonly<Record<string, string>> = {},
  ) {
    const isScim = url.startsWith('/scim/');
    const type = isScim ? 'application/scim+json' : 'application/json';
    const answer = await request.server.inject({
      method,
      url,
      remoteAddress: request.ip,
      headers: {
        ...common,
        ...(isScim && { prefer: 'all-errors' }),
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
      ...(body !== undefined && { payload: isStream(body) ? body : JSON.stringify(body) }),
    });
    if (answer.statusCode >= 300) throw problemOf(answer.statusCode, answer.headers, answer.payload);
    return answer;
  }

  async function read(...given: Parameters<typeof call>): Promise<unknown> {
    const { payload } = await call(...given);
    return payload === '' ? undefined : JSON.parse(payload);
  }

  return {
    get: <T>(path: string, query: Query = {}) => read('GET', withQuery(path, query)) as Promise<T>,
    send: <T>(...given: Parameters<typeof call>) => read(...given) as Promise<T>,
    async submit(method, path, body) {
      const { headers } = await call(method, path, body, { prefer: 'respond-async' });
      return jobIn(headers.location);
    },
    async attempt<T>(path: string, body: object) {
      const { statusCode, headers, payload } = await call('POST', path, body);
      return statusCode === 202 ? { jobId: jobIn(headers.location) } : { answer: JSON.parse(payload) as T };
    },
    async begin(path, body) {
      const answer = await request.server.inject({
        method: 'POST',
        url: path,
        remoteAddress: request.ip,
        headers: { ...common, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
        payloadAsStream: true,
      });
      const stream = answer.stream();
      if (answer.statusCode >= 300) throw problemOf(answer.statusCode, answer.headers, await textOf(stream));
      stream.on('error', () => undefined).resume();
    },
    async open(path) {
      const answer = await request.server.inject({
        method: 'GET',
        url: path,
        remoteAddress: request.ip,
        headers: common,
        payloadAsStream: true,
      });
      const body = answer.stream();
      if (answer.statusCode < 300) return { headers: answer.headers, body };
      throw problemOf(answer.statusCode, answer.headers, await textOf(body));
    },
  };
}

/** The identifier of the job at an address. */
function jobIn(address: unknown): string {
  const jobId = /\/jobs\/([^/?#]+)$/.exec(String(address))?.[1];
  if (jobId === undefined) throw new Error('The API named no job');
  return decodeURIComponent(jobId);
}

/** A path with a query. Absent and empty values are left out. */
export function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

/** The path of an address, without its query. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** The part of a SCIM error that this service adds. */
const scimErrorDetail = 'urn:ietf:params:scim:api:service:messages:2.0:ErrorDetail';

type ScimError = { readonly [scimErrorDetail]?: { readonly errors?: unknown } };

function isStream(body: object): body is Readable {
  return 'pipe' in body;
}

async function textOf(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString();
}

function problemOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): ApiProblem {
  let body: Partial<Problem> & ScimError = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Without JSON the status and the identifier say what is wrong.
  }
  return new ApiProblem({
    status,
    id: String(headers['x-error-id'] ?? body.id ?? ''),
    detail: body.detail ?? '',
    errors: readErrors(body.errors ?? body[scimErrorDetail]?.errors),
    challenge: String(headers['www-authenticate'] ?? ''),
  });
}
