import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
} from 'mongodb';

/** Names of the errors of ioredis while its server cannot be reached. */
const redisErrorNames = new Set(['MaxRetriesPerRequestError', 'AbortError', 'ClusterAllFailedError']);
const redisMessages = [
  "Stream isn't writeable",
  'Connection is closed',
  'Command timed out',
  'Cluster isn',
  'Cluster is disconnect',
  'Too many Cluster redirections',
  'None of startup nodes is available',
  'Node is disconnected',
  'Socket timeout',
  // Commands gathered for one node of a Cluster fail when slots move before they are sent or answered.
  'All keys in the pipeline should belong to the same slots allocation group',
  'MOVED ',
  'ASK ',
  'All sentinels are unreachable',
  'LOADING ',
  'READONLY ',
  'CLUSTERDOWN ',
  'MASTERDOWN ',
  'TRYAGAIN ',
  'OOM ',
  'MISCONF ',
  'NOREPLICAS ',
];
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/**
 * Server codes that mean "not now": shutdown, primary stepped down, not primary, a lost write conflict or
 * transaction, a plan or cursor that was killed, hosts that cannot reach each other, a right that is missing, and exceeded
 * time.
 */
const mongoCodes = new Set([
  ...[6, 7, 13, 18, 43, 50, 89, 91, 112, 133, 134, 175, 189, 202, 237, 251, 262, 290, 365],
  ...[9001, 10107, 11600, 11601, 11602, 13388, 13435, 13436],
]);
/** Server codes that are about the document or the command that was sent: another attempt ends in the same way. */
const documentCodes = new Set([2, 9, 14, 15, 52, 10334, 11000, 17280]);
/** Labels of errors after which the same work may succeed. */
const mongoLabels = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'RetryableError',
  'SystemOverloadedError',
];

/** A transaction met a conflict in each of its attempts. */
export class TransactionsInConflict extends Error {
  override readonly name = 'TransactionsInConflict';

  constructor() {
    super('Other requests change the same data');
  }
}

/** Too many transactions of one holder, such as an organization, wait in this process. */
export class TooManyTransactions extends Error {
  override readonly name = 'TooManyTransactions';

  constructor() {
    super('Too many transactions of one holder wait');
  }
}

/** MongoDB refused work, and not because of a document. The work is to be done later. */
export class RefusedByServer extends Error {
  override readonly name = 'RefusedByServer';

  constructor(cause: unknown) {
    super('MongoDB refused the work', { cause });
  }
}

/** Server codes for a command, and for a transaction, that took longer than it may. */
const timeCodes = new Set([50, 262, 290]);

/** Whether MongoDB ended something because it took too long. Less work at once may succeed. */
export function exceededTime(error: unknown): boolean {
  return error instanceof MongoServerError && timeCodes.has(Number(error.code));
}

/** Whether MongoDB refused something, and not because of a document or the command that was sent. */
export function isServersFault(error: unknown): boolean {
  return error instanceof MongoServerError && !documentCodes.has(Number(error.code));
}

/**
 * Whether an error means that MongoDB or Redis is away for now. It is answered with 503, and a retry makes
 * sense.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (
    error instanceof TransactionsInConflict ||
    error instanceof TooManyTransactions ||
    error instanceof RefusedByServer ||
    error instanceof MongoNetworkError ||
    error instanceof MongoServerSelectionError ||
    error instanceof MongoTopologyClosedError ||
    error instanceof MongoNotConnectedError ||
    error instanceof MongoOperationTimeoutError
  ) {
    return true;
  }
  if (error instanceof MongoBulkWriteError && error.errorResponse instanceof Error) {
    // The driver wraps the error that interrupted several inserts, and may drop its labels.
    return isStoreUnavailable(error.errorResponse);
  }
  if (error instanceof MongoServerError) {
    if (mongoLabels.some((label) => error.hasErrorLabel(label))) return true;
    return typeof error.code === 'number' && mongoCodes.has(error.code);
  }
  if (error.name === 'MongoWaitQueueTimeoutError' || error.name === 'MongoPoolClearedError') return true;
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && socketCodes.has(code)) return true;
  return (
    redisErrorNames.has(error.name) || redisMessages.some((message) => error.message.startsWith(message))
  );
}
