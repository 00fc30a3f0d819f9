import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { endable } from '../../../dev/end-server.js';
import type { Certificate } from './certificate.js';

interface HookRequest {
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly method: string | undefined;
}

/** The former service of an organization. */
export interface HookServer {
  /** Its address, `https://127.0.0.1:{port}/confirm`. */
  readonly url: string;
  /** The questions, in their order. */
  readonly asked: HookRequest[];
  /** Answers each question. A test sets it. */
  respond: (request: HookRequest, response: ServerResponse) => void;
}

/** Starts a hook on a free port. */
export async function startHookServer(
  t: Pick<Test, 'teardown'>,
  { certFile, keyFile }: Certificate,
): Promise<HookServer> {
  const asked: HookRequest[] = [];
  const server = createServer(
    { cert: await readFile(certFile), key: await readFile(keyFile) },
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const question = {
        body: Buffer.concat(chunks).toString(),
        headers: request.headers,
        method: request.method,
      };
      asked.push(question);
      hook.respond(question, response);
    },
  );
  t.teardown(endable(server));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hook: HookServer = {
    url: `https://127.0.0.1:${port}/confirm`,
    asked,
    respond: (_request, response) => response.end('{"confirmed":false}'),
  };
  return hook;
}
