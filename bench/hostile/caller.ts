import { Agent, request } from 'node:http';

/** A request as a client sends it. */
export interface Shot {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  /** At most the first million characters. */
  readonly text: string;
  /** The header `Location`, without the host. */
  readonly location: string | undefined;
  /** The cookies that the response sets, as a request sends them. */
  readonly cookies: string;
  /** Milliseconds from the start of the request to the end of the response. */
  readonly ms: number;
}

export interface Caller {
  /** @throws Error if the connection ends without a complete response */
  send(shot: Shot): Promise<Answer>;
  close(): void;
}

/** No response that the bench looks into is longer. */
const keptText = 1_000_000;

/** Longer than any request may take. */
const answerLimitMs = 150_000;

/**
 * Sends requests over kept-alive connections, as many as are needed at once.
 * @param from the address of this client. On Linux every address of 127.0.0.0/8 is one of this machine.
 */
export function createCaller(url: string, from: string): Caller {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((done, failed) => {
        const started = performance.now();
        let isAnswered = false;
        const sent = request(
          {
            hostname,
            port,
            localAddress: from,
            agent,
            method,
            path,
            headers: {
              ...headers,
              ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
            },
            signal: AbortSignal.timeout(answerLimitMs),
          },
          (response) => {
            isAnswered = true;
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk: string) => {
              if (text.length < keptText) text += chunk;
            });
            response.once('error', failed);
            response.once('end', () =>
              done({
                status: response.statusCode ?? 0,
                text,
                location: response.headers.location?.replace(/^https?:\/\/[^/]+/, ''),
                cookies: (response.headers['set-cookie'] ?? [])
                  .map((line) => line.split(';', 1)[0])
                  .join('; '),
                ms: performance.now() - started,
              }),
            );
          },
        );
        // A server that refuses a body may end the connection before the body is sent.
        sent.on('error', (error) => {
          if (!isAnswered) failed(error);
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
