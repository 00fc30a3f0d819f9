import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Names of fields that are never written, wherever a log line's object carries them. */
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

/**
 * The JSON logger of a process. Fields that hold secrets are removed at the first three levels; requests are
 * logged by method and path alone, since query strings carry codes and filters on personal data.
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
        err: pino.stdSerializers.err,
        req: (request: { method: string; url: string }) => ({
          method: request.method,
          path: request.url.split('?', 1)[0],
        }),
        res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
      },
    },
    // Lines are gathered for a moment; those of a fatal error and of the process's end are written at once.
    stream ?? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 }),
  );
}
