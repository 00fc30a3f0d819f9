import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { ListClient } from '../list/list-permits.js';

/** What is called when a connection ends. Several responses may wait for one connection. */
const callsOf = new WeakMap<Socket, Set<() => void>>();

/** The client of a response. It is gone when it has the response, or when its connection has ended. */
export function listClient({ raw, request }: FastifyReply): ListClient {
  const { socket } = request.raw;
  const isGone = () => raw.destroyed || raw.writableFinished || socket.destroyed;
  return {
    isGone,
    onceGone(call) {
      if (isGone()) {
        call();
        return () => undefined;
      }
      const calls = callsAtEnd(socket);
      const takeBack = () => {
        raw.off('close', gone);
        calls.delete(gone);
      };
      const gone = () => {
        takeBack();
        call();
      };
      raw.once('close', gone);
      // A response that waits behind others of its connection is not told that the connection has ended.
      calls.add(gone);
      return takeBack;
    },
  };
}

function callsAtEnd(socket: Socket): Set<() => void> {
  const known = callsOf.get(socket);
  if (known !== undefined) return known;
  const calls = new Set<() => void>();
  callsOf.set(socket, calls);
  socket.once('close', () => {
    for (const call of [...calls]) call();
  });
  return calls;
}
