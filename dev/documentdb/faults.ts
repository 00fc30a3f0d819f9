import type { BSON } from 'bson';
import type { Call } from './call.js';
import { CommandError } from './errors.js';

/** What tests make a gateway do that a MongoDB server does too, but rarely. They may change it while it runs. */
export interface Faults {
  /** The name of the replica set of which the gateway poses as the only member. Absent: it poses as a mongos. */
  readonly replicaSet?: string;
  /** The gateway poses as a server without a replica set, which has no transactions. */
  standalone: boolean;
  /** The version of the protocol that the handshake tells: 21 is MongoDB 7.0, 17 is 6.0, 13 is 5.0. */
  maxWireVersion: number;
  /** No member is primary before this time, in milliseconds since 1970. It needs `replicaSet`. */
  noPrimaryUntil: number;
  /** Commands that fail instead of running, each one once. Without `collection`, on any. */
  readonly failures: {
    readonly command: string;
    readonly collection?: string;
    readonly code: number;
    readonly labels?: readonly string[];
  }[];
  /** The time that the build of an index takes, in milliseconds. */
  indexBuildMs: number;
  /** A transaction ends this long after its start, in milliseconds (`transactionLifetimeLimitSeconds` of a server). */
  transactionLifetimeMs: number;
  /** The only role of the user. */
  role: 'root' | 'readWrite' | 'read' | 'none';
}

export const noFaults = (): Faults => ({
  standalone: false,
  maxWireVersion: 21,
  noPrimaryUntil: 0,
  failures: [],
  indexBuildMs: 0,
  transactionLifetimeMs: 60_000,
  role: 'root',
});

/** Commands that a member answers whether or not it is primary. */
const anyMember = new Set([
  'ping',
  'endSessions',
  'killSessions',
  'buildInfo',
  'buildinfo',
  'connectionStatus',
]);
/** Commands that the role read permits. */
const ofRead = new Set([
  ...['find', 'getMore', 'killCursors', 'aggregate', 'count', 'distinct'],
  ...['listCollections', 'listIndexes', 'collStats', 'dbStats'],
]);
/** Commands that the role readWrite does not permit. */
const beyondReadWrite = new Set(['collMod', 'dropDatabase', 'listDatabases', 'getParameter', 'serverStatus']);
/** Commands on collections and indexes. A transaction has none. */
const notInTransactions = new Set([
  'create',
  'createIndexes',
  'dropIndexes',
  'listIndexes',
  'listCollections',
]);

export const hasPrimary = ({ noPrimaryUntil }: Faults): boolean => Date.now() >= noPrimaryUntil;

/** @throws CommandError if a server would refuse the command now */
export function refuseAsServer(faults: Faults, call: Call): void {
  const { name } = call;
  if (!hasPrimary(faults) && !anyMember.has(name)) {
    const label = call.transaction === null ? 'RetryableWriteError' : 'TransientTransactionError';
    throw new CommandError(10107, 'not primary', [label]);
  }
  const planned = faults.failures.findIndex(
    ({ command, collection = call.target }) => command === name && collection === call.target,
  );
  const [failure] = planned < 0 ? [] : faults.failures.splice(planned, 1);
  if (failure !== undefined)
    throw new CommandError(failure.code, `a test lets ${name} fail`, failure.labels ?? []);
  if (!isPermitted(faults.role, name))
    throw new CommandError(13, `not authorized on ${call.db} to execute command ${name}`);
  if (faults.standalone && call.transaction !== null)
    throw new CommandError(20, 'Transaction numbers are only allowed on a replica set member or mongos');
  if (call.transaction !== null && notInTransactions.has(name))
    throw new CommandError(263, `${name} in a transaction`);
}

function isPermitted(role: Faults['role'], command: string): boolean {
  if (role === 'root' || anyMember.has(command)) return true;
  if (role === 'readWrite') return !beyondReadWrite.has(command);
  return role === 'read' && ofRead.has(command);
}

/** The part of the handshake that tells the version, and a mongos from a member of a replica set and a single server. */
export function helloOfMember(faults: Faults, port: number): BSON.Document {
  const { maxWireVersion } = faults;
  if (faults.standalone) return { maxWireVersion };
  if (faults.replicaSet === undefined) return { maxWireVersion, msg: 'isdbgrid' };
  const isPrimary = hasPrimary(faults);
  const me = `127.0.0.1:${port}`;
  return {
    maxWireVersion,
    setName: faults.replicaSet,
    setVersion: 1,
    hosts: [me],
    me,
    ismaster: isPrimary,
    isWritablePrimary: isPrimary,
    secondary: !isPrimary,
    ...(isPrimary && { primary: me }),
  };
}
