import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { buildApp } from '#src/app.js';
import type { Config } from '#src/config.js';
import type { Observer } from '#src/observe/observer.js';
import type { Rooms } from '#src/rooms.js';
import { startWorkers } from '#workers/start-workers.js';
import type { Json } from '../../../dev/stage/http-client.js';
import { compareAnswers } from './described-answers.js';
import { openTestContainer, type TestContainer } from './test-container.js';

/** A response as a client sees it. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The JSON of the response. Undefined if the response has no body. */
  readonly body: Json;
}

export interface CallOptions {
  /** The access token of the caller. */
  readonly as?: { readonly token: string };
  /** Sent as JSON. A string is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends a request such as `GET /admin/v1/orgs`. */
export type Call = (request: string, options?: CallOptions) => Promise<Answer>;

export interface TestApp extends TestContainer {
  readonly app: FastifyInstance;
  readonly call: Call;
}

export interface TestAppOptions extends Partial<Config> {
  /** Runs the workers of every job kind in this process. */
  readonly workers?: boolean;
  readonly observer?: Pick<Observer, 'measures' | 'tracing'>;
  /** The certificate of outside issuers, in the PEM format. */
  readonly outgoingCa?: string;
}

/** The application on its own stores, as {@link openTestContainer} opens them. */
export async function buildTestApp(
  t: Pick<Test, 'teardown'>,
  options: TestAppOptions = {},
): Promise<TestApp> {
  const { workers = false, observer, outgoingCa, ...overrides } = options;
  const opened = await openTestContainer(t, overrides, observer, outgoingCa);
  const { app, call } = await serve(t, opened.container);
  if (workers) {
    const started = startWorkers(opened.container);
    t.teardown(() => started.close());
  }
  return { ...opened, app, call };
}

/** Another API process on the same stores. */
export async function buildAnotherApp(
  t: Pick<Test, 'teardown'>,
  { openAnother }: Pick<TestContainer, 'openAnother'>,
): Promise<Call> {
  return (await serve(t, await openAnother())).call;
}

/** The application on a container, and a function that calls it. */
export async function serve(t: Pick<Test, 'teardown'>, container: Rooms) {
  const app = await buildApp(container);
  compareAnswers(app);
  t.teardown(() => app.close());
  const call: Call = async (request, { as, body, headers = {} } = {}) => {
    const [method, url] = request.split(' ') as ['GET', string];
    const answer = await app.inject({
      method,
      url,
      headers: {
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      body: answer.payload === '' ? undefined : JSON.parse(answer.payload),
    };
  };
  return { app, call };
}
