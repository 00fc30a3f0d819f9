import { CommandError, noSuchTransaction, toCommandError } from './errors.js';
import { EngineError, type PgConnection } from './pg-connection.js';
import type { PgPool } from './pg-pool.js';

/**
 * Snapshot isolation, as in MongoDB. If another transaction holds a lock, the gateway answers with a write conflict almost at
 * once, as a server does, and the driver retries.
 */
const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ; SET LOCAL lock_timeout = '2ms'";
/** A server ends a transaction this long after its start (`transactionLifetimeLimitSeconds`). */
const LIFETIME_MS = 60_000;
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
  readonly #open = new Map<string, Transaction>();
  readonly #committed = new Map<string, bigint>();
  readonly #sweep: NodeJS.Timeout;

  constructor(pool: PgPool) {
    this.#pool = pool;
    this.#sweep = setInterval(() => this.#rollBackOld(), 1_000);
    this.#sweep.unref();
  }

  /** Starts a transaction. BEGIN is sent when this returns, and its answer is not awaited. */
  async start(session: string, number: bigint, client: object): Promise<Transaction> {
    const earlier = this.#open.get(session);
    if (earlier?.number === number) {
      throw new CommandError(117, 'the transaction has begun already');
    }
    if (earlier !== undefined) {
      await this.rollBack(earlier);
    }
    const connection = await this.#pool.acquire();
    connection.query(BEGIN).catch(() => {});
    const transaction = { session, number, connection, client, startedAt: Date.now(), busy: 0 };
    this.#open.set(session, transaction);
    return transaction;
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
    if (transaction.busy > 0) {
      // A statement is running, and may wait for a lock. The server cancels it, so that the rollback can run.
      transaction.connection.cancel();
    }
    try {
      await transaction.connection.query('ROLLBACK');
      this.#pool.release(transaction.connection);
    } catch {
      transaction.connection.close();
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
    const limit = Date.now() - LIFETIME_MS;
    for (const transaction of [...this.#open.values()]) {
      if (transaction.startedAt < limit) {
        void this.rollBack(transaction);
      }
    }
  }
}
