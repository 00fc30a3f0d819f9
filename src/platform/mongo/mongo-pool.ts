import type { MongoClient } from 'mongodb';

/** The current connections of the pool. */
export interface PoolLoad {
  readonly open: number;
  readonly used: number;
  /** Operations that wait for a connection. */
  readonly waiting: number;
}

/**
 * Counts the events of the driver's pool (Connection Monitoring and Pooling specification).
 * @param taken is called with the time that each operation waited for its connection, in seconds
 * @returns a function that tells the current load
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
