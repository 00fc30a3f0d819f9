import { CommandError, noSuchTransaction, toCommandError } from './errors.js';
import type { Faults } from './faults.js';
import { EngineError, type PgConnection } from './pg-connection.js';
import type { PgPool } from './pg-pool.js';

/**
 * Snapshot isolation, as in MongoDB. If another transaction holds a lock, the gateway answers with a write conflict almost at
 * once, as a server does, and the driver retries.
 */
const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = '2ms'";
const REMEMBERED_COMMITS = 10_000;

/** An open transaction: the PostgreSQL connection that it holds, and the client connection that used it last. */
export interface Transaction {
  session: string;
  number: bigint;
  connection: PgConnection;
  client: object;
  startedAt: number;
  busy: number;
}

/** The open transactions by session. */
export class Transactions {
  readonly #pool: PgPool;
  readonly #faults: Pick<Faults, 'transactionLifetimeMs'>;
  readonly #open = new Map<string, Transaction>();
  /** The sessions that wait for a connection to begin a transaction. */
  readonly #starting = new Set<string>();
  readonly #committed = new Map<string, bigint>();
  readonly #sweep: NodeJS.Timeout;

  constructor(pool: PgPool, faults: Pick<Faults, 'transactionLifetimeMs'>) {
    this.#pool = pool;
    this.#faults = faults;
    this.#sweep = setInterval(() => this.#rollBackOld(), 1_000);
    this.#sweep.unref();
  }

  /** Starts a transaction. BEGIN is sent when this returns, and its answer is not awaited. */
  async start(session: string, number: bigint, client: object): Promise<Transaction> {
    const earlier = this.#open.get(session);
    if (earlier?.number === number || this.#starting.has(session)) {
      throw new CommandError(117, 'the transaction has begun already');
    }
    if (earlier !== undefined) {
      await this.rollBack(earlier);
    }
    const connection = await this.#acquireFor(session);
    connection.query(BEGIN).catch(() => {});
    const transaction = { session, number, connection, client, startedAt: Date.now(), busy: 0 };
    this.#open.set(session, transaction);
    return transaction;
  }

  /** Meanwhile no other command can start a transaction of the session. */
  async #acquireFor(session: string): Promise<PgConnection> {
    this.#starting.add(session);
    try {
      return await this.#pool.acquire();
    } finally {
      this.#starting.delete(session);
    }
  }

  /** The open transaction that a statement belongs to. */
  find(session: string, number: bigint, client: object): Transaction {
    const transaction = this.#open.get(session);
    if (transaction === undefined || transaction.number !== number) {
      throw noSuchTransaction();
    }
    transaction.client = client;
    return transaction;
  }

  /** Commits. A repeated commit of a committed transaction succeeds again. */
  async commit(session: string, number: bigint): Promise<void> {
    const transaction = this.#open.get(session);
    if (transaction === undefined || transaction.number !== number) {
      if (this.#committed.get(session) === number) {
        return;
      }
      throw noSuchTransaction();
    }
    this.#open.delete(session);
    try {
      await transaction.connection.query('COMMIT');
    } catch (error) {
      throw error instanceof EngineError ? toCommandError(error) : error;
    } finally {
      this.#pool.release(transaction.connection);
    }
    this.#committed.delete(session);
    this.#committed.set(session, number);
    for (const oldest of this.#committed.keys()) {
      if (this.#committed.size <= REMEMBERED_COMMITS) {
        break;
      }
      this.#committed.delete(oldest);
    }
  }

  /** Rolls back when the client asks for it. A transaction that is already gone is not an error. */
  async abort(session: string, number: bigint): Promise<void> {
    if (this.#committed.get(session) === number) {
      throw new CommandError(256, 'the transaction was committed');
    }
    const transaction = this.#open.get(session);
    if (transaction !== undefined && transaction.number === number) {
      await this.rollBack(transaction);
    }
  }

  /** Rolls a transaction back and removes it. */
  async rollBack(transaction: Transaction): Promise<void> {
    if (this.#open.get(transaction.session) !== transaction) {
      return;
    }
    this.#open.delete(transaction.session);
    const { connection } = transaction;
    if (transaction.busy > 0) {
      await endBusy(connection);
      return;
    }
    try {
      await connection.query('ROLLBACK');
      this.#pool.release(connection);
    } catch {
      connection.close();
    }
  }

  /** The sessions that have an open transaction. */
  sessions(): string[] {
    return [...this.#open.keys()];
  }

  /** Rolls back the transactions of sessions that a client ended. */
  async endSessions(sessions: Iterable<string>): Promise<void> {
    for (const session of sessions) {
      const transaction = this.#open.get(session);
      if (transaction !== undefined) {
        await this.rollBack(transaction);
      }
    }
  }

  /** Rolls back the transactions that a closed client connection used last. */
  clientClosed(client: object): void {
    for (const transaction of [...this.#open.values()]) {
      if (transaction.client === client) {
        void this.rollBack(transaction);
      }
    }
  }

  /** Stops the timer that rolls back old transactions. */
  close(): void {
    clearInterval(this.#sweep);
  }

  #rollBackOld(): void {
    const limit = Date.now() - this.#faults.transactionLifetimeMs;
    for (const transaction of [...this.#open.values()]) {
      if (transaction.startedAt < limit) {
        void this.rollBack(transaction);
      }
    }
  }
}

const CANCEL_EVERY_MS = 100;

/**
 * Rolls back while a statement runs or waits for a lock. PostgreSQL ignores a request to cancel that arrives before the statement
 * does, so the request is repeated. A late one must not meet a statement of somebody else, so the connection is closed.
 */
async function endBusy(connection: PgConnection): Promise<void> {
  connection.cancel();
  const again = setInterval(() => connection.cancel(), CANCEL_EVERY_MS);
  try {
    await connection.query('ROLLBACK');
  } catch {
    // The end of the connection rolls back too.
  } finally {
    clearInterval(again);
    connection.close();
  }
}
