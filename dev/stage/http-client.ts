import { Agent, type IncomingHttpHeaders, request } from 'node:http';

/** JSON whose members a test reads by name: it says itself what it expects. */
// biome-ignore lint/suspicious/noExplicitAny: answers have every shape
export type Json = any;

/** A response over a real connection, as a client sees it. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON if the body is JSON, otherwise the text. */
  readonly body: Json;
  readonly ms: number;
}

export interface HttpOptions {
  readonly token?: string;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly headers?: Record<string, string>;
}

export interface Client {
  /** Sends a request such as `GET /admin/v1/orgs`. */
  call(request: string, options?: HttpOptions): Promise<HttpAnswer>;
}

/** Longer than any request may take. */
const answerLimitMs = 150_000;

/** Calls one address over kept-alive connections, as a load balancer does. It never retries. */
export function connect(address: string, token: string): Client {
  const agent = new Agent({ keepAlive: true });
  return {
    call: (line, options = {}) => {
      const [method = 'GET', path = '/'] = line.split(' ');
      const { json, form } = options;
      const body =
        form !== undefined
          ? new URLSearchParams(form).toString()
          : json !== undefined
            ? JSON.stringify(json)
            : undefined;
      const headers = {
        authorization: `Bearer ${options.token ?? token}`,
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        ...options.headers,
      };
      if (form !== undefined) Reflect.deleteProperty(headers, 'authorization');
      const started = performance.now();
      return new Promise((done, failed) => {
        const signal = AbortSignal.timeout(answerLimitMs);
        const sent = request(`${address}${path}`, { method, headers, agent, signal }, (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => {
            text += chunk;
          });
          answer.once('error', failed);
          answer.once('end', () =>
            done({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: parse(text),
              ms: performance.now() - started,
            }),
          );
        });
        sent.once('error', (error) =>
          failed(signal.aborted ? new Error(`No answer to ${line} within ${answerLimitMs} ms`) : error),
        );
        sent.end(body);
      });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
