import { EngineGone, PgConnection, type Row } from './pg-connection.js';
import type { Parameter, Statement } from './pg-protocol.js';

interface Waiter {
  resolve: (connection: PgConnection) => void;
  reject: (reason: Error) => void;
}

/**
 * Connections to PostgreSQL. The one given back last is lent first, so that few of them stay warm when little
 * runs; who finds all of them lent waits in turn.
 */
export class PgPool {
  readonly #socketPath: string;
  readonly #limit: number;
  readonly #idle: PgConnection[] = [];
  readonly #waiting: Waiter[] = [];
  #count = 0;
  #broken = false;

  constructor(socketPath: string, limit: number) {
    this.#socketPath = socketPath;
    this.#limit = limit;
  }

  /** Lends a connection until `release`. */
  acquire(): Promise<PgConnection> {
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
    const waiter = this.#waiting.shift();
    if (waiter === undefined) {
      this.#idle.push(connection);
    } else {
      waiter.resolve(connection);
    }
  }

  /** Runs one statement in a transaction of its own. */
  async run(statement: Statement, parameters: readonly Parameter[]): Promise<Row[]> {
    const connection = this.#idle.pop() ?? (await this.acquire());
    try {
      return await connection.run(statement, parameters);
    } finally {
      this.release(connection);
    }
  }

  /**
   * Throws while PostgreSQL cannot be reached after it was lost. Handshakes wait for this, so that drivers take
   * the server for down and wait for it, as they do with MongoDB, instead of failing one operation after another.
   */
  async mend(): Promise<void> {
    if (this.#broken) {
      this.release(await this.acquire());
    }
  }

  /** Closes the idle connections. */
  close(): void {
    for (const connection of [...this.#idle]) {
      connection.close();
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

  /** Who waits must not wait for a connection that is gone. */
  #relieve(): void {
    if (this.#waiting.length > 0 && this.#count < this.#limit) {
      this.#grow();
    }
  }
}
