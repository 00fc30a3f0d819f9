import { readFile } from 'node:fs/promises';
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import type { Certificate } from '../network/certificate.js';

/** What the server behind the front answered. */
export interface BackAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A fault for the next request. Each fault happens once. */
export interface FrontFault {
  /** Only requests of this method. */
  readonly method?: string;
  /** Happens before the server is asked. */
  readonly before?: () => Promise<void>;
  /** Answers with this instead of asking the server. */
  readonly instead?: (response: ServerResponse) => void;
  /** Changes what the server answers. */
  readonly change?: (answer: BackAnswer) => BackAnswer;
  /** Closes the connection in place of the server's answer. */
  readonly loseAnswer?: boolean;
  /** Closes the connection after this many bytes of the body. */
  readonly cutAfter?: number;
  /** Stops sending after this many bytes of the body, and keeps the connection open. */
  readonly stallAfter?: number;
  /** With `stallAfter`: the first bytes are sent. */
  readonly stalled?: () => void;
  /** With `stallAfter`: sends the rest when this resolves. */
  readonly until?: Promise<void>;
  /** Sends one byte in so many milliseconds. */
  readonly dripMs?: number;
}

export interface StorageFront {
  /** `https://127.0.0.1:{port}`. */
  readonly url: string;
  readonly host: string;
  /** The requests so far, such as `GET /bucket/path bytes=10-`. */
  readonly requests: string[];
  /** The headers of the requests. */
  readonly headers: IncomingHttpHeaders[];
  /** The number of connections that are open. */
  open(): number;
  fail(...faults: FrontFault[]): void;
  /** The number of faults that have not happened. */
  pending(): number;
  reset(): void;
}

/** Stands before a storage server: speaks https for it, and makes requests fail as a test says. */
export async function startStorageFront(
  t: Pick<Test, 'teardown'>,
  { certFile, keyFile }: Certificate,
  back: string,
): Promise<StorageFront> {
  const faults: FrontFault[] = [];
  const requests: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const open = new Set<Socket>();
  const server = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    (request, response) => {
      answer(request, response).catch(() => response.destroy());
    },
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const range = request.headers.range ?? request.headers['x-ms-range'];
    requests.push(`${request.method} ${request.url}${range === undefined ? '' : ` ${range}`}`);
    headers.push(request.headers);
    const body = await bodyOf(request);
    const at = faults.findIndex(({ method = request.method }) => method === request.method);
    const fault = at < 0 ? {} : (faults.splice(at, 1)[0] as FrontFault);
    await fault.before?.();
    if (fault.instead) return fault.instead(response);
    const answered = await ask(new URL(back).origin, request, body);
    if (fault.loseAnswer) return void response.destroy();
    send(response, fault.change ? fault.change(answered) : answered, fault);
  }

  const end = endable(server);
  server.on('secureConnection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(end);
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `https://${host}`,
    host,
    requests,
    headers,
    open: () => open.size,
    fail: (...more) => void faults.push(...more),
    pending: () => faults.length,
    reset() {
      faults.length = 0;
      requests.length = 0;
      headers.length = 0;
    },
  };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Asks the server with the headers of the client, because its signature counts them. */
async function ask(
  back: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<BackAnswer> {
  const { hostname, port } = new URL(back);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ hostname, port, method, path: url, headers, agent: false }, resolve)
      .once('error', reject)
      .end(body);
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await bodyOf(answer) };
}

function send(response: ServerResponse, { status, headers, body }: BackAnswer, fault: FrontFault): void {
  const { cutAfter, stallAfter, dripMs, stalled, until } = fault;
  const limit = cutAfter ?? stallAfter;
  // The client may have gone while the server behind answered. Its close is over then, and no timer would end with it.
  if (response.destroyed) return;
  response.writeHead(status, headers);
  if (dripMs !== undefined) {
    let at = 0;
    const timer = setInterval(() => response.write(body.subarray(at, ++at)), dripMs);
    response.once('close', () => clearInterval(timer));
  } else if (limit === undefined) response.end(body);
  else {
    response.write(body.subarray(0, limit), () => {
      if (cutAfter !== undefined) setImmediate(() => response.destroy());
      stalled?.();
    });
    void until?.then(() => response.end(body.subarray(limit)));
  }
}
