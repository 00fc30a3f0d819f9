import type { MongoClient } from 'mongodb';

/** Connections of the pool now. */
export interface PoolLoad {
  readonly open: number;
  readonly used: number;
  /** Operations that wait for a connection. */
  readonly waiting: number;
}

/**
 * Counts what the driver tells of its pool (Connection Monitoring and Pooling specification).
 * @param taken is told how long each operation waited for its connection, in seconds
 * @returns the pool's load now
 */
export function watchPool(client: MongoClient, taken?: (seconds: number) => void): () => PoolLoad {
  let open = 0;
  let used = 0;
  let waiting = 0;
  client.on('connectionCreated', () => {
    open += 1;
  });
  client.on('connectionClosed', () => {
    open -= 1;
  });
  client.on('connectionCheckOutStarted', () => {
    waiting += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waiting -= 1;
  });
  client.on('connectionCheckedOut', ({ durationMS }) => {
    waiting -= 1;
    used += 1;
    taken?.(durationMS / 1000);
  });
  client.on('connectionCheckedIn', () => {
    used -= 1;
  });
  return () => ({ open, used, waiting });
}
