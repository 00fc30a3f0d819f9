import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { BodyPieces } from '#src/http/responses/body-pieces.js';
import { scimMediaType } from '../protocol/media-type.js';
import type { JsonBody } from '../resources/long-list.js';

/** A client must take a part of a response within this time, in milliseconds. */
const longestPartMs = 60_000;

/**
 * Answers a PATCH without a body (RFC 7644 section 3.5.2). The response has the Content-Type of SCIM all the same: SCIM-SDK takes a
 * response without it for a failure, and SCIM for Keycloak logs a warning.
 */
export function sendPatched(reply: FastifyReply): FastifyReply {
  return reply.code(204).type(scimMediaType).send();
}

/**
 * Sends JSON. A body that is not in memory is read from the store as fast as the client takes it.
 * @returns what the handler returns. A text is returned itself, because Fastify sends that with the fewest waits
 */
export function sendJson(reply: FastifyReply, body: JsonBody): string | FastifyReply {
  reply.type(scimMediaType);
  if (typeof body === 'string') return body;
  return reply.send(Array.isArray(body) ? new BodyPieces(body) : streamOf(body));
}

/** A stream that ends if nobody takes its next part in time. What it holds meanwhile is then free for others. */
function streamOf(pieces: AsyncGenerator<string | Buffer>): Readable {
  const stream = Readable.from(watched(pieces), { objectMode: false });
  const late = () => stream.destroy(new Error('The client does not read its response'));
  async function* watched(from: typeof pieces): typeof pieces {
    let timer: NodeJS.Timeout | undefined;
    try {
      for await (const piece of from) {
        timer = setTimeout(late, longestPartMs);
        yield piece;
        clearTimeout(timer);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  return stream;
}
