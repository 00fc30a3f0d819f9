import type { Server, Socket } from 'node:net';

/**
 * Knows the connections of a server from this call on, so that it can end at once. `closeAllConnections` of an https server
 * does not know those in a TLS handshake, and would wait for their clients.
 * @returns ends the server and its connections
 */
export function endable(server: Server): () => Promise<void> {
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return () =>
    new Promise((ended) => {
      server.close(() => ended());
      for (const connection of connections) connection.destroy();
    });
}
