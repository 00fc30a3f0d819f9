import type { BSON } from 'bson';
import type { Call } from './call.js';
import { CommandError } from './errors.js';

/** What tests make a gateway do that a MongoDB server does too, but rarely. They may change it while it runs. */
export interface Faults {
  /** The name of the replica set of which the gateway poses as the only member. Absent: it poses as a mongos. */
  readonly replicaSet?: string;
  /** No member is primary before this time, in milliseconds since 1970. It needs `replicaSet`. */
  noPrimaryUntil: number;
  /** Commands that fail instead of running, each one once. */
  readonly failures: {
    readonly command: string;
    readonly code: number;
    readonly labels?: readonly string[];
  }[];
  /** The time that the build of an index takes, in milliseconds. */
  indexBuildMs: number;
  /** The user has the role readWrite and no other. */
  readWriteOnly: boolean;
}

export const noFaults = (): Faults => ({
  noPrimaryUntil: 0,
  failures: [],
  indexBuildMs: 0,
  readWriteOnly: false,
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
  const planned = faults.failures.findIndex(({ command }) => command === name);
  const [failure] = planned < 0 ? [] : faults.failures.splice(planned, 1);
  if (failure !== undefined)
    throw new CommandError(failure.code, `a test lets ${name} fail`, failure.labels ?? []);
  if (faults.readWriteOnly && beyondReadWrite.has(name))
    throw new CommandError(13, `not authorized on ${call.db} to execute command ${name}`);
  if (call.transaction !== null && notInTransactions.has(name))
    throw new CommandError(263, `${name} in a transaction`);
}

/** What the handshake of the only member of a replica set has besides that of a mongos. */
export function helloOfMember(faults: Faults, port: number): BSON.Document {
  if (faults.replicaSet === undefined) return { msg: 'isdbgrid' };
  const isPrimary = hasPrimary(faults);
  const me = `127.0.0.1:${port}`;
  return {
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
