import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../errors.js';
import type { TransferLimits } from './transfer-limits.js';

/**
 * A storage, or the way to it, failed in each of several attempts. It may be back in some minutes. A job with a deadline therefore
 * tries again until then.
 */
export class StorageAway extends AppError {}

/** A failure after which the same request may succeed. */
export class TransientFault extends Error {
  /** The error when too many attempts fail like this. */
  readonly outcome: AppError;

  constructor(outcome: AppError) {
    super(outcome.message);
    const { definition, message: detail } = outcome;
    this.outcome = definition.kind === 'unavailable' ? new StorageAway(definition, { detail }) : outcome;
  }
}

/** Reads what a client library throws. The result contains nothing of it that may be a secret. */
export type ToFault = (error: unknown) => AppError | TransientFault;

/**
 * @param failures how many attempts have failed
 * @param signal ends the pause early, without an error
 */
export async function pauseAfter(
  failures: number,
  { pauseMs }: Pick<TransferLimits, 'pauseMs'>,
  signal?: AbortSignal,
): Promise<void> {
  await pause(pauseMs * 2 ** (failures - 1), undefined, { ...(signal && { signal }) }).catch(() => undefined);
}

/**
 * Sends a request until it succeeds, a few times.
 * @param signal ends the attempts
 * @throws AppError of the last attempt, or the reason of the signal
 */
export async function withRetries<T>(
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
    await pauseAfter(failures, limits, signal);
  }
}
