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
  return reply.send(Readable.from(gathered(pieces), { objectMode: false }) as never) as never;
}

/** Characters that are sent together: a million small chunks would cost both sides more than what is in them. */
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
