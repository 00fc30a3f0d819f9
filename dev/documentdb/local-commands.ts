import os from 'node:os';
import type { BSON } from 'bson';

const started = Date.now();

/** The handshake. `member` has the version, and what tells a mongos from other servers. */
export function hello(connectionId: number, member: BSON.Document): BSON.Document {
  return {
    ismaster: true,
    isWritablePrimary: true,
    helloOk: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 25_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId,
    minWireVersion: 0,
    readOnly: false,
    ...member,
    ok: 1,
  };
}

/** Commands that the gateway answers by itself, whatever their arguments. */
export const LOCAL: ReadonlyMap<string, () => BSON.Document> = new Map([
  [
    'buildInfo',
    () => ({
      version: '7.0.0',
      versionArray: [7, 0, 0, 0],
      gitVersion: 'documentdb',
      modules: [],
      bits: 64,
      ok: 1,
    }),
  ],
  ['getParameter', () => ({ featureCompatibilityVersion: { version: '7.0' }, ok: 1 })],
  ['connectionStatus', () => ({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 })],
  [
    'serverStatus',
    () => ({
      host: os.hostname(),
      version: '7.0.0',
      process: 'mongos',
      pid: process.pid,
      uptime: (Date.now() - started) / 1000,
      localTime: new Date(),
      mem: { resident: Math.round(process.memoryUsage.rss() / 1_048_576) },
      ok: 1,
    }),
  ],
  ['getCmdLineOpts', () => ({ argv: [], parsed: {}, ok: 1 })],
  ['getLog', () => ({ totalLinesWritten: 0, log: [], ok: 1 })],
  ['startSession', () => ({ timeoutMinutes: 30, ok: 1 })],
  ['refreshSessions', () => ({ ok: 1 })],
  ['whatsmyuri', () => ({ you: '127.0.0.1', ok: 1 })],
]);
