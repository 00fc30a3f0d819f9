import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { httpErrors } from '#src/http/base/errors.js';
import { readBody } from '#src/http/bodies/read-body.js';
import { createBytePool } from '#src/http/limits/byte-pool.js';

t.test('a body that gets no place is not read', async (t) => {
  const others = createBytePool(4_000);
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

t.test('a body that came with its headers is counted, and read without listeners', async (t) => {
  const others = createBytePool(8_000);
  const arrived = (text: string) => {
    const raw = Object.assign(new PassThrough(), { complete: true, socket: new EventEmitter() });
    raw.end(text);
    const request = {
      headers: { 'content-length': String(Buffer.byteLength(text)) },
      ip: '192.0.2.1',
      routeOptions: { bodyLimit: 65_536 },
      raw,
      server: { bodyPools: { authenticated: others, others } },
    } as unknown as FastifyRequest;
    return { raw, request };
  };
  const { raw, request } = arrived('grant_type=ü');
  const listeners = raw.listenerCount('close');
  const ended = new Promise((resolve) => raw.once('end', resolve));
  const read = readBody(request, raw as unknown as IncomingMessage);
  t.equal(raw.listenerCount('data'), 0);
  t.equal(raw.listenerCount('close'), listeners);
  t.equal(others.bytes, 1_024 + 13, 'one byte for each byte of UTF-8, until the response');
  t.equal(await read, 'grant_type=ü');
  await ended;
  const refused = arrived('a');
  await t.rejects(readBody(refused.request, refused.raw as unknown as IncomingMessage), {
    message: httpErrors.bodyTooSlow.message,
  });
  t.equal(others.bytes, 1_024 + 13, 'a body without a place does not count');
  t.equal(refused.raw.readableLength, 1, 'nor is it read');
});
