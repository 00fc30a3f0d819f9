import { MongoOperationTimeoutError, MongoServerError } from 'mongodb';
import { TooManyTransactions, TransactionsInConflict } from './unavailable.js';

/** Codes with which MongoDB ends work that takes too long. */
const lateCodes = new Set([50, 262]);
/** Names of errors of the driver while all its connections are in use. */
const busyNames = new Set(['MongoWaitQueueTimeoutError', 'MongoPoolClearedError']);

/**
 * Says in one or two sentences which store did not do its work, why as far as it is known, and whether another attempt helps.
 * @param error for which `isStoreUnavailable` is true
 */
export function describeOutage(error: unknown): string {
  if (error instanceof TransactionsInConflict)
    return 'Other requests change the same data at the same time; try again shortly';
  if (error instanceof TooManyTransactions)
    return 'Too many changes of the organization wait in this process; send fewer at once, and try again shortly';
  if (isLate(error))
    return 'MongoDB did not do the work within its time. The same request may fail again; ask for less';
  const { name = '', message = '' } = error instanceof Error ? error : {};
  if (busyNames.has(name)) return 'All connections to MongoDB are in use; try again shortly';
  if (error instanceof MongoServerError || name === 'RefusedByServer')
    return 'MongoDB refuses work at the moment; try again shortly';
  if (name.startsWith('Mongo')) return 'MongoDB cannot be reached; try again shortly';
  if (message.startsWith('OOM ')) return 'Redis has no memory left; an operator must give it more';
  return 'Redis cannot be reached; try again shortly';
}

function isLate(error: unknown): boolean {
  if (error instanceof MongoOperationTimeoutError) return true;
  return error instanceof MongoServerError && lateCodes.has(Number(error.code));
}
