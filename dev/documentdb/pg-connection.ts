import net from 'node:net';
import { Framer } from './framer.js';
import {
  cancelMessage,
  executeMessages,
  type Parameter,
  parseMessage,
  queryMessage,
  readFields,
  readRow,
  type Statement,
  startupMessage,
} from './pg-protocol.js';

export type Row = (Buffer | null)[];

/** An error that PostgreSQL answered. The connection stays usable. */
export class EngineError extends Error {
  readonly sqlState: string;
  readonly detail: string;
  readonly constraint: string;

  constructor(fields: Map<string, string>) {
    super(fields.get('M') ?? 'unknown error of the engine');
    this.sqlState = fields.get('C') ?? 'XX000';
    this.detail = fields.get('D') ?? '';
    this.constraint = fields.get('n') ?? '';
  }
}

/**
 * A lock timeout that fires just as the lock is granted ends the statement a little later, and then says "due to user request". If
 * nobody made such a request, it was the timeout.
 */
function namedByCause(failure: EngineError): EngineError {
  if (failure.sqlState !== QUERY_CANCELED || !failure.message.includes('user request')) return failure;
  return new EngineError(
    new Map([
      ['M', 'canceling statement due to lock timeout'],
      ['C', LOCK_NOT_AVAILABLE],
    ]),
  );
}

const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';

/** The connection to PostgreSQL could not be opened or was lost. */
export class EngineGone extends Error {}

interface Pending {
  rows: Row[];
  failure: EngineError | null;
  /** The statement that this call prepares, until the server has confirmed it. */
  prepared: string | null;
  resolve: (rows: Row[]) => void;
  reject: (reason: Error) => void;
}

/**
 * One connection to PostgreSQL over a unix socket that needs no password. Each call writes its messages at once, and
 * the answers arrive in order. Calls that do not wait for each other therefore share a round trip.
 */
export class PgConnection {
  readonly #socket: net.Socket;
  readonly #path: string;
  readonly #pending: Pending[] = [];
  readonly #prepared = new Set<string>();
  #opened: { resolve: () => void; reject: (reason: Error) => void } | null = null;
  #key: { pid: number; secret: Buffer } | null = null;
  #wasCancelled = false;
  closed = false;
  onClose: () => void = () => {};

  private constructor(path: string) {
    this.#path = path;
    this.#socket = net.connect(path);
    const framer = new Framer(
      5,
      (bytes, offset) => bytes.readInt32BE(offset + 1) + 1,
      (message) => this.#receive(message),
    );
    this.#socket.on('data', (chunk) => framer.push(chunk));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => this.#lost());
  }

  /** Connects to the server socket at `path`. */
  static async open(path: string, user: string, database: string): Promise<PgConnection> {
    const connection = new PgConnection(path);
    await new Promise<void>((resolve, reject) => {
      connection.#opened = { resolve, reject };
      connection.#socket.write(startupMessage(user, database));
    });
    return connection;
  }

  /** Runs a prepared statement. The first use on this connection prepares it. */
  run(statement: Statement, parameters: readonly Parameter[]): Promise<Row[]> {
    const fresh = !this.#prepared.has(statement.name);
    const messages = executeMessages(statement, parameters);
    if (fresh) {
      this.#prepared.add(statement.name);
      messages.unshift(parseMessage(statement));
    }
    return this.#send(messages, fresh ? statement.name : null);
  }

  /** Runs SQL without parameters, such as BEGIN and COMMIT. */
  query(sql: string): Promise<Row[]> {
    return this.#send([queryMessage(sql)], null);
  }

  /** Asks the server to cancel the running statement. */
  cancel(): void {
    this.#wasCancelled = true;
    if (this.#key !== null) {
      const { pid, secret } = this.#key;
      const socket = net.connect(this.#path, () => socket.end(cancelMessage(pid, secret)));
      socket.on('error', () => {});
    }
  }

  /** Closes the connection. The server rolls an open transaction back. */
  close(): void {
    this.#socket.destroy();
    this.#lost();
  }

  #send(messages: Buffer[], prepared: string | null): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      if (this.closed) {
        reject(new EngineGone('the connection to PostgreSQL is closed'));
        return;
      }
      this.#pending.push({ rows: [], failure: null, prepared, resolve, reject });
      this.#socket.cork();
      for (const message of messages) {
        this.#socket.write(message);
      }
      this.#socket.uncork();
    });
  }

  #receive(message: Buffer): void {
    const current = this.#pending[0];
    switch (message[0]) {
      case 0x31:
        if (current !== undefined) {
          current.prepared = null;
        }
        break;
      case 0x44:
        current?.rows.push(readRow(message));
        break;
      case 0x45: {
        const failure = new EngineError(readFields(message));
        if (current === undefined) {
          this.#opened?.reject(new EngineGone(failure.message));
          this.close();
        } else {
          current.failure = this.#wasCancelled ? failure : namedByCause(failure);
        }
        break;
      }
      case 0x4b:
        this.#key = { pid: message.readInt32BE(5), secret: Buffer.from(message.subarray(9)) };
        break;
      case 0x5a:
        this.#ready();
        break;
      default:
    }
  }

  #ready(): void {
    if (this.#opened !== null) {
      this.#opened.resolve();
      this.#opened = null;
      return;
    }
    const done = this.#pending.shift();
    if (done === undefined) {
      return;
    }
    if (done.failure === null) {
      done.resolve(done.rows);
      return;
    }
    if (done.prepared !== null) {
      this.#prepared.delete(done.prepared);
    }
    done.reject(done.failure);
  }

  #lost(): void {
    if (this.closed) {
      return;
    }
    this.closed = true;
    const reason = new EngineGone('the connection to PostgreSQL was lost');
    this.#opened?.reject(reason);
    for (const pending of this.#pending.splice(0)) {
      pending.reject(reason);
    }
    this.onClose();
  }
}
