import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../errors.js';
import type { TransferLimits } from './transfer-limits.js';

/** A failure after which the same request may succeed. */
export class TransientFault extends Error {
  /** The error when too many attempts fail like this. */
  readonly outcome: AppError;

  constructor(outcome: AppError) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

/** Reads what a client library throws. The result contains nothing of it that may be a secret. */
export type ToFault = (error: unknown) => AppError | TransientFault;

/** @param failures how many attempts have failed */
export function pauseAfter(failures: number, { pauseMs }: Pick<TransferLimits, 'pauseMs'>): Promise<void> {
  return pause(pauseMs * 2 ** (failures - 1));
}

/**
 * Sends a request until it succeeds, a few times.
 * @param signal ends the attempts
 * @throws AppError of the last attempt, or the reason of the signal
 */
export async function attempt<T>(
  send: () => Promise<T>,
  { limits, toFault, signal }: { limits: TransferLimits; toFault: ToFault; signal?: AbortSignal | undefined },
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    try {
      return await send();
    } catch (error) {
      signal?.throwIfAborted();
      const fault = toFault(error);
      if (fault instanceof AppError) throw fault;
      if (failures >= limits.attempts) throw fault.outcome;
    }
    await pauseAfter(failures, limits);
  }
}
