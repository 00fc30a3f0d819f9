import { Readable } from 'node:stream';

/** The part of a reply that streams need. It does not depend on the response schema of the route. */
export interface PieceReply {
  header(name: string, value: string): unknown;
  send(payload: never): unknown;
}

/** Sends text that comes in pieces. Few pieces are in memory, because the stream waits for the connection. */
export function sendPieces(
  reply: PieceReply,
  pieces: AsyncIterable<string> | Iterable<string>,
  type = 'application/json',
): never {
  reply.header('content-type', `${type}; charset=utf-8`);
  // Fastify applies no response schema to a stream.
  return reply.send(Readable.from(gathered(pieces), { objectMode: false }) as never) as never;
}

/** Characters that are sent together. A million small chunks would cost both sides more than their content. */
const worthSending = 32_768;

async function* gathered(pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    text += piece;
    if (text.length < worthSending) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
