import { Readable } from 'node:stream';

/** The part of a reply that streams need, whatever its route says of answers. */
export interface PieceReply {
  header(name: string, value: string): unknown;
  send(payload: never): unknown;
}

/** Answers text that comes in pieces, with as few of them in memory as the connection allows. */
export function sendPieces(
  reply: PieceReply,
  pieces: AsyncIterable<string> | Iterable<string>,
  type = 'application/json',
): never {
  reply.header('content-type', `${type}; charset=utf-8`);
  // A stream is sent as it is: no schema is about it.
  return reply.send(Readable.from(pieces, { objectMode: false }) as never) as never;
}
