import { MongoClient } from 'mongodb';
import type { Test } from 'tap';
import { type Faults, noFaults } from '../../../dev/documentdb/faults.js';
import { startGateway } from '../../../dev/documentdb/gateway.js';
import { notRun } from '../../../dev/not-run.js';

/** A gateway of one test file in front of the database that all tests use. */
export interface OwnGateway {
  readonly url: string;
  /** What the gateway does besides. The test changes it. */
  readonly faults: Faults;
}

/**
 * Starts a gateway that a test may let misbehave.
 * @returns undefined if the tests run on another MongoDB, which the report of the run then says
 */
export async function openOwnGateway(
  t: Test,
  { sharedUrl, replicaSet }: { sharedUrl: string; replicaSet?: string },
): Promise<OwnGateway | undefined> {
  const shared = await new MongoClient(sharedUrl).connect();
  const socket = await shared
    .db('admin')
    .command({ gatewaySocket: 1 })
    .catch(() => undefined)
    .finally(() => shared.close());
  if (socket === undefined) {
    notRun(t, 'MongoDB is not the local engine');
    return undefined;
  }
  const faults: Faults = { ...noFaults(), ...(replicaSet !== undefined && { replicaSet }) };
  const gateway = await startGateway({ socketPath: socket['path'], port: 0, faults, pgConnections: 5 });
  t.teardown(() => gateway.close());
  const query = replicaSet === undefined ? '' : `?replicaSet=${replicaSet}`;
  return { url: `mongodb://127.0.0.1:${gateway.port}/${query}`, faults };
}
