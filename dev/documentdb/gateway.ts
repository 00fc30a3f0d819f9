import net from 'node:net';
import { serveClient } from './client-connection.js';
import { Cursors } from './cursors.js';
import { type Faults, noFaults } from './faults.js';
import { IndexBuilds } from './index-builds.js';
import { ParallelArrays } from './parallel-arrays.js';
import { PgPool } from './pg-pool.js';
import { Transactions } from './transactions.js';

/** PostgreSQL accepts 100 connections. Some are left for its own jobs and for a shell. */
const MAX_PG_CONNECTIONS = 80;

/** A running gateway. */
export interface RunningGateway {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves MongoDB's wire protocol on a loopback port. PostgreSQL listens on `socketPath`.
 * @param options `pgConnections` bounds the connections to PostgreSQL, which accepts 100 from all gateways
 */
export async function startGateway(options: {
  socketPath: string;
  port: number;
  faults?: Faults;
  pgConnections?: number;
}): Promise<RunningGateway> {
  const { socketPath, faults = noFaults(), pgConnections = MAX_PG_CONNECTIONS } = options;
  const pool = new PgPool(socketPath, pgConnections);
  const gateway = {
    pool,
    cursors: new Cursors(),
    transactions: new Transactions(pool, faults),
    indexBuilds: new IndexBuilds(faults),
    parallelArrays: new ParallelArrays(pool),
    faults,
    socketPath,
    port: options.port,
  };
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveClient(gateway, socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: options.port, backlog: 511 }, resolve);
  });
  const address = server.address();
  if (typeof address === 'object' && address !== null) gateway.port = address.port;
  return {
    port: gateway.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) {
        socket.destroy();
      }
      gateway.cursors.close();
      gateway.transactions.close();
      pool.close();
      await closed;
    },
  };
}
