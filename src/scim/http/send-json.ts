import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { scimMediaType } from '../protocol/media-type.js';
import type { JsonBody } from '../resources/group-json.js';

/** Sends JSON. A body in parts is read from the store as fast as the client takes it. */
export function sendJson(reply: FastifyReply, body: JsonBody): FastifyReply {
  return reply.type(scimMediaType).send(typeof body === 'string' ? body : Readable.from(body));
}
