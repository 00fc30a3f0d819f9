import { EngineGone, PgConnection, type Row } from './pg-connection.js';
import type { Parameter, Statement } from './pg-protocol.js';

interface Waiter {
  resolve: (connection: PgConnection) => void;
  reject: (reason: Error) => void;
}

/**
 * Connections to PostgreSQL. The pool lends the connection that was returned last, so that few connections stay warm
 * under low load. If all connections are lent, callers wait in order.
 */
export class PgPool {
  readonly #socketPath: string;
  readonly #limit: number;
  readonly #idle: PgConnection[] = [];
  readonly #waiting: Waiter[] = [];
  #count = 0;
  #broken = false;
  #isClosed = false;

  constructor(socketPath: string, limit: number) {
    this.#socketPath = socketPath;
    this.#limit = limit;
  }

  /** Lends a connection until `release`. */
  acquire(): Promise<PgConnection> {
    if (this.#isClosed) return Promise.reject(new EngineGone('the gateway has closed'));
    const idle = this.#idle.pop();
    if (idle !== undefined) {
      return Promise.resolve(idle);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#count < this.#limit) {
        this.#grow();
      }
    });
  }

  /** Takes back a connection that is in no transaction. */
  release(connection: PgConnection): void {
    if (connection.closed) {
      return;
    }
    if (this.#isClosed) {
      connection.close();
      return;
    }
    const waiter = this.#waiting.shift();
    if (waiter === undefined) {
      this.#idle.push(connection);
    } else {
      waiter.resolve(connection);
    }
  }

  /** Runs one statement in its own transaction. */
  async run(statement: Statement, parameters: readonly Parameter[]): Promise<Row[]> {
    const connection = this.#idle.pop() ?? (await this.acquire());
    try {
      return await connection.run(statement, parameters);
    } finally {
      this.release(connection);
    }
  }

  /**
   * Throws while PostgreSQL is lost and cannot be reached. Handshakes await this. Drivers then treat the server as down
   * and wait for it, as with MongoDB, instead of failing one operation after another.
   */
  async mend(): Promise<void> {
    if (this.#broken) {
      this.release(await this.acquire());
    }
  }

  /** Closes the idle connections. A lent one is closed when it comes back, because it would keep the process alive. */
  close(): void {
    this.#isClosed = true;
    for (const connection of [...this.#idle]) {
      connection.close();
    }
    for (const { reject } of this.#waiting.splice(0)) {
      reject(new EngineGone('the gateway has closed'));
    }
  }

  #grow(): void {
    this.#count += 1;
    PgConnection.open(this.#socketPath, 'postgres', 'postgres').then(
      (connection) => {
        this.#broken = false;
        connection.onClose = () => {
          this.#count -= 1;
          this.#broken = true;
          const index = this.#idle.indexOf(connection);
          if (index >= 0) {
            this.#idle.splice(index, 1);
          }
          this.#relieve();
        };
        this.release(connection);
      },
      (reason: unknown) => {
        this.#count -= 1;
        this.#broken = true;
        this.#waiting.shift()?.reject(reason instanceof Error ? reason : new EngineGone(String(reason)));
        this.#relieve();
      },
    );
  }

  /** Opens another connection for the waiting callers, because they may wait for one that is gone. */
  #relieve(): void {
    if (this.#waiting.length > 0 && this.#count < this.#limit) {
      this.#grow();
    }
  }
}
