import { setTimeout as pause } from 'node:timers/promises';
import { type ClientSession, MongoError, type TransactionOptions } from 'mongodb';

/** The parts of a session that a transaction needs. */
type Session = Pick<
  ClientSession,
  'startTransaction' | 'commitTransaction' | 'abortTransaction' | 'inTransaction'
>;

/** Longest that a transaction is tried again before the caller is told to come back, in milliseconds. */
const usualLimitMs = 30_000;
/** Server code of a commit that ran into its time limit; another one would too. */
const maxTimeExpired = 50;

/**
 * Runs `work` in a transaction of the session and commits it; both again while the engine reports that this may help, a
 * little later each time. The driver's own `withTransaction` does the same, but for two minutes whatever it is told, and
 * nobody waits for an answer that long.
 */
export async function runTransaction<S extends Session, T>(
  session: S,
  work: (session: S) => Promise<T>,
  { limitMs = usualLimitMs, ...options }: TransactionOptions & { readonly limitMs?: number } = {},
): Promise<T> {
  const end = performance.now() + limitMs;
  for (let attempt = 1; ; attempt++) {
    session.startTransaction(options);
    try {
      const result = await work(session);
      await commit(session, end);
      return result;
    } catch (error) {
      if (session.inTransaction()) await session.abortTransaction();
      if (!isLabelled(error, 'TransientTransactionError') || performance.now() > end) throw error;
    }
    await pause(Math.random() * Math.min(5 * 1.5 ** attempt, 500));
  }
}

/** A commit whose answer was lost is asked for again: it counts once. */
async function commit(session: Session, end: number): Promise<void> {
  for (;;) {
    try {
      return await session.commitTransaction();
    } catch (error) {
      const isUnknown = isLabelled(error, 'UnknownTransactionCommitResult') && error.code !== maxTimeExpired;
      if (!isUnknown || performance.now() > end) throw error;
    }
  }
}

function isLabelled(error: unknown, label: string): error is MongoError {
  return error instanceof MongoError && error.hasErrorLabel(label);
}
