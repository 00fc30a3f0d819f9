import { EngineError } from './pg-connection.js';

/** An error to answer to the client, with MongoDB's code. */
export class CommandError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly labels: readonly string[];
  readonly extra: Record<string, unknown>;

  constructor(
    code: number,
    message: string,
    labels: readonly string[] = [],
    extra: Record<string, unknown> = {},
  ) {
    super(message);
    this.extra = extra;
    this.code = code;
    this.codeName = NAMES.get(code) ?? `Location${code}`;
    this.labels = labels;
  }
}

const TRANSIENT = ['TransientTransactionError'];

/** Names of MongoDB's error codes, as far as clients use them. */
const NAMES = new Map([
  [1, 'InternalError'],
  [2, 'BadValue'],
  [8, 'UnknownError'],
  [9, 'FailedToParse'],
  [14, 'TypeMismatch'],
  [13, 'Unauthorized'],
  [20, 'IllegalOperation'],
  [24, 'LockTimeout'],
  [26, 'NamespaceNotFound'],
  [27, 'IndexNotFound'],
  [28, 'PathNotViable'],
  [40, 'ConflictingUpdateOperators'],
  [43, 'CursorNotFound'],
  [48, 'NamespaceExists'],
  [50, 'MaxTimeMSExpired'],
  [52, 'DollarPrefixedFieldName'],
  [59, 'CommandNotFound'],
  [66, 'ImmutableField'],
  [67, 'CannotCreateIndex'],
  [68, 'IndexAlreadyExists'],
  [72, 'InvalidOptions'],
  [73, 'InvalidNamespace'],
  [85, 'IndexOptionsConflict'],
  [86, 'IndexKeySpecsConflict'],
  [112, 'WriteConflict'],
  [115, 'CommandNotSupported'],
  [117, 'ConflictingOperationInProgress'],
  [121, 'DocumentValidationFailure'],
  [146, 'ExceededMemoryLimit'],
  [166, 'CommandNotSupportedOnView'],
  [171, 'CannotIndexParallelArrays'],
  [175, 'QueryPlanKilled'],
  [197, 'InvalidIndexSpecificationOption'],
  [238, 'NotImplemented'],
  [241, 'ConversionFailure'],
  [251, 'NoSuchTransaction'],
  [263, 'OperationNotSupportedInTransaction'],
  [291, 'NoQueryExecutionPlans'],
  [10107, 'NotWritablePrimary'],
  [10334, 'BSONObjectTooLarge'],
  [11000, 'DuplicateKey'],
  [11601, 'Interrupted'],
]);

/** The engine's SQLSTATEs that correspond to a MongoDB code. */
const CODES = new Map([
  ['M0000', 1],
  ['M0001', 2],
  ['M0003', 9],
  ['M0004', 14],
  ['M0005', 15],
  ['M0006', 20],
  ['M00EW', 24],
  ['M0008', 26],
  ['M0009', 27],
  ['M000A', 28],
  ['M000C', 34],
  ['M000D', 40],
  ['M000E', 43],
  ['M000F', 48],
  ['M00EX', 50],
  ['M000G', 52],
  ['M000H', 53],
  ['M000I', 54],
  ['M000J', 56],
  ['M000K', 57],
  ['M000L', 61],
  ['M000M', 66],
  ['M000N', 67],
  ['M000O', 68],
  ['M000P', 72],
  ['M000Q', 73],
  ['M000R', 85],
  ['M000S', 86],
  ['M000T', 111],
  ['M00F1', 112],
  ['M000U', 115],
  ['M00CO', 121],
  ['M000W', 146],
  ['M000Z', 166],
  ['M0011', 181],
  ['M0012', 197],
  ['M0015', 241],
  ['M0016', 263],
  ['M001B', 10334],
  ['M001C', 11000],
  ['M003A', 17419],
  ['M003B', 17420],
  ['M007U', 40324],
  ['M0087', 40414],
  ['M0088', 40415],
  ['0A000', 115],
  ['22P03', 22],
  ['57014', 50],
  ['23505', 11000],
  ['23P01', 11000],
  ['40001', 112],
  ['40P01', 112],
  ['55P03', 112],
]);

/** The engine writes a SQLSTATE as a number: six bits per character, the first character in the lowest bits. */
function sqlStateOf(encoded: number): string {
  return [0, 6, 12, 18, 24].map((shift) => String.fromCharCode(((encoded >>> shift) & 63) + 48)).join('');
}

/** The MongoDB code of a write error. The engine gives it as an encoded SQLSTATE. */
export function writeErrorCode(encoded: number): number {
  return CODES.get(sqlStateOf(encoded)) ?? 8;
}

/** The reply document for a failed command. */
export function errorReply(error: CommandError): Record<string, unknown> {
  return {
    ok: 0,
    errmsg: error.message,
    code: error.code,
    codeName: error.codeName,
    ...error.extra,
    ...(error.labels.length > 0 ? { errorLabels: error.labels } : {}),
  };
}

/** The command error for an error of the engine. */
export function toCommandError(error: EngineError): CommandError {
  const code = CODES.get(error.sqlState) ?? 8;
  return code === 112 ? writeConflict(error.message) : new CommandError(code, error.message);
}

/**
 * The engine's message if another transaction has created the same collection since this transaction's snapshot. It is
 * a conflict in fact, and the next try succeeds.
 */
export function isCreationRace(error: EngineError): boolean {
  return error.sqlState === 'M0000' && error.message.startsWith('Unable to create the specified collection');
}

/** A conflict between transactions. The driver answers it by running the transaction again. */
export function writeConflict(message: string): CommandError {
  return new CommandError(112, message, TRANSIENT);
}

/** The transaction does not exist, or has ended. */
export function noSuchTransaction(): CommandError {
  return new CommandError(251, 'the transaction was aborted or is not known', TRANSIENT);
}

/** Whether the engine refused a duplicate key. */
export function isDuplicateKey(error: unknown): error is EngineError {
  return error instanceof EngineError && (CODES.get(error.sqlState) ?? 0) === 11000;
}
