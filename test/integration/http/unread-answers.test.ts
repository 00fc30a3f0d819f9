import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { newId } from '#src/platform/ids.js';
import { makeCaller, makeOrganization } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { openBothEnds } from '../../support/network/raw-connection.js';

/** Far above the pause of a slow reader, so that a busy machine cuts off no reader. */
const limitSeconds = 3;
const { app, container } = await buildTestApp(t, { bodyTimeoutSeconds: limitSeconds });
await app.listen({ host: '127.0.0.1', port: 0 });

const mebibyte = 1024 ** 2;
/**
 * Far more than kernels buffer for a connection. Until these buffers are full, the server cannot see whether the client
 * reads.
 */
const textBytes = 32 * mebibyte;

const head = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
const download = await stageExport();

/** An export that has ended, as the record of its job has it. @returns the request for it */
async function stageExport(): Promise<string> {
  const { id: orgId } = await makeOrganization(container);
  const { token } = await makeCaller(container, orgId, ['IAM_OWNER']);
  const id = newId();
  const expires = new Date(Date.now() + 3_600_000);
  const writer = container.staging.writer(id, expires);
  const piece = Buffer.alloc(mebibyte, 32);
  for (let written = 0; written < textBytes; written += piece.length) await writer.write(piece);
  const staged = { id, length: await writer.finish() };
  await container.mongo.collection<{ _id: string }>('jobs').insertOne({
    _id: id,
    ...{ kind: 'export', orgId: '*', requestedBy: 'test', state: 'completed' },
    ...{ parts: { 0: { counts: {}, withPasswords: false, withOtp: false, staged } } },
    ...{ progress: { processed: 0, total: 0, errors: 0 }, created: new Date(), expires },
  });
  return head(`/admin/v1/jobs/${id}/result`, `Authorization: Bearer ${token}`, 'Connection: close');
}

/** Asks again and again, but has few unanswered requests at a time: otherwise they would end the connection. */
function askForMany(client: Socket): void {
  let unanswered = 0;
  app.server.on('request', (_request, response) => {
    response.once('close', () => {
      unanswered -= 1;
    });
  });
  const timer = setInterval(() => {
    if (unanswered >= 10) return;
    unanswered += 10;
    client.write(head('/openapi.json').repeat(10));
  }, 10);
  client.once('close', () => clearInterval(timer));
}

t.test('a client that does not read is cut off, and the rest is not fetched', async (t) => {
  for (const [name, ask] of Object.entries({
    'a long answer': (client: Socket) => client.write(download),
    'many answers': askForMany,
  })) {
    const { client, served } = await openBothEnds(app);
    const closed = once(served, 'close');
    client.pause();
    ask(client);
    await closed;
    const { bytesWritten } = served;
    t.ok(bytesWritten > mebibyte, `${name}: it was answered`);
    t.ok(bytesWritten < textBytes / 2, `${bytesWritten} bytes were there to be sent`);
    client.destroy();
  }
});

t.test('a client that reads slowly is not cut off', { timeout: 120_000 }, async (t) => {
  const { client } = await openBothEnds(app);
  client.write(download);
  const started = performance.now();
  let bytes = 0;
  for await (const chunk of client) {
    bytes += chunk.length;
    // The chunks are spread evenly over more time than a client may take nothing.
    const dueMs = 1.5 * limitSeconds * 1000 * (bytes / textBytes);
    await pause(Math.max(0, dueMs - (performance.now() - started)));
  }
  t.ok(bytes > textBytes, 'the whole answer came');
});
