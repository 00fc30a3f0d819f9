import type { Server, Socket } from 'node:net';

/**
 * Knows the connections of a server from this call on, so that the server can end at once. `closeAllConnections` does not know
 * connections in a TLS handshake. After it, an https server still waits for their clients.
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
