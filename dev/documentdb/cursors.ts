import { CommandError } from './errors.js';

const LIFETIME_MS = 10 * 60_000;

interface Cursor {
  /** The database and the collection, as `db.collection`. */
  namespace: string;
  continuation: Buffer;
  usedAt: number;
}

/** The data that the engine needs to continue a cursor, by the cursor's 64-bit id. */
export class Cursors {
  readonly #cursors = new Map<bigint, Cursor>();
  readonly #sweep: NodeJS.Timeout;

  constructor() {
    this.#sweep = setInterval(() => this.#forgetOld(), 30_000);
    this.#sweep.unref();
  }

  /** Keeps the continuation after a page. Without a continuation, removes the cursor. */
  keep(id: bigint, namespace: string, continuation: Buffer | null): void {
    if (continuation === null || id === 0n) {
      this.#cursors.delete(id);
    } else {
      // This is a copy, because the bytes are a view of a whole page from the socket.
      this.#cursors.set(id, { namespace, continuation: Buffer.from(continuation), usedAt: Date.now() });
    }
  }

  /** The continuation of an open cursor. */
  find(id: bigint, namespace: string): Buffer {
    const cursor = this.#cursors.get(id);
    if (cursor === undefined || cursor.namespace !== namespace) {
      throw new CommandError(43, `cursor id ${id} not found`);
    }
    if (cursor.continuation.length === 0) {
      this.#cursors.delete(id);
      throw new CommandError(175, 'an index of the collection was dropped');
    }
    return cursor.continuation;
  }

  /** Ends the open reads of a collection whose indexes were dropped. Their next page is an error. */
  killPlans(namespace: string): void {
    for (const cursor of this.#cursors.values()) {
      if (cursor.namespace === namespace) {
        cursor.continuation = Buffer.alloc(0);
      }
    }
  }

  /** Removes a cursor and returns whether it was open. */
  kill(id: bigint): boolean {
    return this.#cursors.delete(id);
  }

  /** Stops the timer that removes old cursors. */
  close(): void {
    clearInterval(this.#sweep);
  }

  #forgetOld(): void {
    const limit = Date.now() - LIFETIME_MS;
    for (const [id, cursor] of this.#cursors) {
      if (cursor.usedAt < limit) {
        this.#cursors.delete(id);
      }
    }
  }
}
