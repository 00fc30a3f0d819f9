import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Fields that are removed from every log line. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'client_secret',
  'client_assertion',
  'assertion',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'code_verifier',
  'secret',
  'hash',
];

/** The logged parts of an error. */
interface ErrorDescription {
  readonly type: string;
  readonly message: string;
  readonly stack?: string;
  readonly code?: string | number;
  readonly cause?: ErrorDescription;
}

/**
 * Describes an error only by its name, message, stack and code. Drivers attach more to their errors: ioredis
 * the arguments of the command, MongoDB the documents of a failed write.
 */
function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(error.stack !== undefined && { stack: error.stack }),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(error.cause instanceof Error && depth < 3 && { cause: describeError(error.cause, depth + 1) }),
  };
}

/**
 * The JSON logger of a process. It removes fields with secrets at the first three levels. It logs requests
 * only by method and path, because queries contain codes and filters on personal data.
 */
export function createLogger(
  options: { level: string; processName: string },
  stream?: DestinationStream,
): Logger {
  const paths = secretFields.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return pino(
    {
      level: options.level,
      base: { process: options.processName, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths, remove: true },
      serializers: {
        err: describeError,
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?', 1)[0],
        }),
        res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
      },
    },
    // Lines are buffered for up to 250 ms. Those of a fatal error and of the end of the process are written
    // at once.
    stream ?? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 }),
  );
}
