import { isStoreUnavailable } from './unavailable.js';

export { StartError } from './start-error.js';

/**
 * Why a process could not start, for the person who starts it: one sentence if the cause is outside of the
 * process.
 */
export function describeStartFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is taken. Stop what listens there, or set PORT (or MUSTER_METRICS_PORT) to another one.`;
  }
  if (error.name === 'ConfigError' || isExpected(error)) return error.message;
  if (isStoreUnavailable(error)) return `A store cannot be reached: ${error.message}`;
  return error.stack ?? error.message;
}

/** Errors whose message is enough. */
function isExpected(error: Error): boolean {
  return ['NothingServes', 'StartError'].includes(error.constructor.name);
}
