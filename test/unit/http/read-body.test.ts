import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { createBodyPool } from '#src/http/bodies/body-pool.js';
import { readBody } from '#src/http/bodies/read-body.js';
import { httpErrors } from '#src/http/errors.js';

t.test('a body that gets no place is not read', async (t) => {
  const others = createBodyPool(4_000);
  const answered = others.hold('192.0.2.1', () => undefined);
  answered.grow(1_000);
  answered.finish();
  for (const mayBeGzipped of [false, true]) {
    const payload = new PassThrough();
    const request = {
      headers: mayBeGzipped ? { 'content-encoding': 'gzip' } : {},
      ip: '192.0.2.1',
      routeOptions: { bodyLimit: 65_536 },
      raw: { socket: new EventEmitter() },
      server: { bodyPools: { authenticated: others, others } },
    } as unknown as FastifyRequest;
    const read = readBody(request, payload as unknown as IncomingMessage, { mayBeGzipped });
    await t.rejects(read, { message: httpErrors.bodyTooSlow.message });
    for (const event of ['data', 'error', 'close'])
      t.equal(payload.listenerCount(event), 0, `nothing of the body is kept: ${event}`);
    t.equal(others.bytes, 1_000);
  }
});
