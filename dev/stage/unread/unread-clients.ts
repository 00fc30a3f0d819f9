import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { killIfLeft } from '../../leftovers.js';
import { findProgram } from '../../programs.js';
import { repository } from '../../repository.js';

/** Clients that send requests and read nothing of the responses, or little. */
export interface UnreadOptions {
  /** The port of a server at 127.0.0.1. */
  readonly port: number;
  /** Connections that are open at once. At most 4,096. */
  readonly connections: number;
  /** The bytes of one request, such as `GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n`. */
  readonly request: string;
  /** So many requests are sent at once on each connection. One if absent. */
  readonly pipelined?: number;
  /** TCP_MAXSEG in bytes, as over a real network: 1400. If absent, the kernel chooses (65 kB on a loopback connection). */
  readonly mss?: number;
  /** SO_RCVBUF in bytes. The kernel doubles it, and takes at least 2,304. If absent, the kernel takes up to 6 MB. */
  readonly receiveBuffer?: number;
  /** What each connection reads. Nothing if absent. */
  readonly readBytesPerSecond?: number;
  /** The address of the clients, in 127.0.0.0/8. 127.0.0.1 if absent. */
  readonly from?: string;
  /** The rate at which connections are opened. If absent, all are opened at once, and again at most so many in a second. */
  readonly connectionsPerSecond?: number;
  /** Whether a connection that the server ends is opened again. */
  readonly reopen?: boolean;
  /** The clients end after this time. 60 s if absent, and at most 300 s. */
  readonly seconds?: number;
}

/** What happened since the clients started. */
export interface UnreadCounts {
  /** Connections that were opened. */
  readonly opened: number;
  /** Connections that are open. The client does not see an end that waits behind bytes that it does not read. */
  readonly open: number;
  /** Connections that the server did not accept. */
  readonly refused: number;
  /** Connections that the server ended. */
  readonly ended: number;
  /** Those of them that it ended with a reset. */
  readonly reset: number;
  /** Requests that the clients sent whole. */
  readonly requests: number;
  readonly bytesRead: number;
  /** The connections whose first response has begun, by its status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface UnreadClients {
  /** At most 0.2 s old. */
  counts(): UnreadCounts;
  /** Resets every connection. @returns the last counts */
  close(): Promise<UnreadCounts>;
}

const none: UnreadCounts = {
  opened: 0,
  open: 0,
  refused: 0,
  ended: 0,
  reset: 0,
  requests: 0,
  bytesRead: 0,
  statuses: {},
};

/** Starts the clients in a process of their own. @throws Error if python3 is not installed, or if the process fails */
export async function startUnreadClients(options: UnreadOptions): Promise<UnreadClients> {
  const program = await findProgram('python3');
  if (program === undefined) throw new Error('python3 is not installed');
  const given = {
    pipelined: 1,
    mss: 0,
    receiveBuffer: 0,
    readBytesPerSecond: 0,
    from: '127.0.0.1',
    connectionsPerSecond: options.reopen ? options.connections : 0,
    reopen: false,
    seconds: 60,
    ...options,
  };
  const child = spawn(program, ['-I', join(repository, 'dev/stage/unread/clients.py')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  killIfLeft(child);
  const exited = new Promise<number | null>((done) => child.once('exit', done));
  let last = none;
  const lines = createInterface(child.stdout);
  const read = new Promise((done) => lines.once('close', done));
  const first = new Promise((done) => lines.once('line', done));
  lines.on('line', (line) => {
    last = JSON.parse(line) as UnreadCounts;
  });
  // The process may have ended by itself.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(given)}\n`);
  await Promise.race([first, exited]);
  if (child.exitCode) throw new Error(`The unread clients ended with code ${child.exitCode}`);
  return {
    counts: () => last,
    async close() {
      child.stdin.end();
      const [code] = await Promise.all([exited, read]);
      if (code !== 0) throw new Error(`The unread clients ended with code ${code}`);
      return last;
    },
  };
}
