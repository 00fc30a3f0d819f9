import net from 'node:net';

const host = '127.0.0.1';

/**
 * A free port of this machine. The ports at the given distances are free too. The port is below the range of outgoing
 * connections, so that it stays free until a server listens there.
 */
export async function freePort(...distances: number[]): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 12_000);
    const free = await Promise.all([0, ...distances].map((distance) => isFree(port + distance)));
    if (!free.includes(false)) return port;
  }
}

/** Whether a server may listen at the port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = net.createServer();
    server.once('error', () => done(false));
    server.listen({ host, port }, () => server.close(() => done(true)));
  });
}

/** Whether a server listens at the port. */
export function listensAt(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = net.connect({ host, port });
    socket.once('error', () => done(false));
    socket.once('connect', () => {
      socket.destroy();
      done(true);
    });
  });
}
