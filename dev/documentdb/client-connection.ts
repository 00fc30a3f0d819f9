import type { Socket } from 'node:net';
import { readCall } from './call.js';
import { type Client, dispatch, type Gateway } from './dispatch.js';
import { CommandError, errorReply } from './errors.js';
import { Framer } from './framer.js';
import { EngineGone } from './pg-connection.js';
import { encode, parseRequest, type Request, replyHead } from './wire.js';

const MAX_MESSAGE = 48_000_000 + 16_384;
/** Replies below this size are sent in one piece. */
const JOIN_LIMIT = 16 * 1024;

let lastConnectionId = 0;

/** Serves one client. It answers the client's requests one after the other. */
export function serveClient(gateway: Gateway, socket: Socket): void {
  lastConnectionId += 1;
  const client: Client = { id: lastConnectionId };
  const waiting: Buffer[] = [];
  let serving = false;
  socket.setNoDelay(true);
  const framer = new Framer(16, lengthOf, (message) => {
    waiting.push(message);
    if (!serving) {
      serving = true;
      void serve();
    }
  });
  async function serve(): Promise<void> {
    try {
      for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) {
        await answer(gateway, { client, socket }, parseRequest(message));
      }
    } catch {
      // PostgreSQL is gone or the message is invalid. Closing the connection is the only answer that every client
      // understands.
      waiting.length = 0;
      socket.destroy();
    }
    serving = false;
  }
  socket.on('data', (chunk) => {
    try {
      framer.push(chunk);
    } catch {
      socket.destroy();
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => gateway.transactions.clientClosed(client));
}

function lengthOf(bytes: Buffer, offset: number): number {
  const length = bytes.readInt32LE(offset);
  if (length < 21 || length > MAX_MESSAGE) {
    throw new RangeError(`message of ${length} bytes`);
  }
  return length;
}

async function answer(
  gateway: Gateway,
  { client, socket }: { client: Client; socket: Socket },
  request: Request,
): Promise<void> {
  let reply: Buffer;
  try {
    reply = await dispatch(gateway, client, readCall(request));
  } catch (error) {
    if (error instanceof EngineGone) {
      throw error;
    }
    const told = error instanceof CommandError ? error : new CommandError(8, String(error));
    reply = encode(errorReply(told));
  }
  if (request.unacknowledged) {
    return;
  }
  const head = replyHead(request, reply.length);
  if (reply.length < JOIN_LIMIT) {
    socket.write(Buffer.concat([head, reply], head.length + reply.length));
    return;
  }
  socket.cork();
  socket.write(head);
  socket.write(reply);
  socket.uncork();
}
