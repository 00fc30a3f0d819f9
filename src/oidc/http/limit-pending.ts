import type { PendingLimits } from '#src/authorization/pending-limits.store.js';
import type { Config } from '#src/config.js';
import { httpErrors } from '#src/http/errors.js';
import { AppError } from '#src/platform/errors.js';

export interface LimitPendingDeps {
  readonly config: Pick<Config, 'waitingLoginsPerAddress'>;
  readonly pendingLimits: Pick<PendingLimits, 'add'>;
}

/**
 * Limits what Redis keeps for requests that prove nothing. The entry counts until it is removed or `seconds` are over.
 * @throws AppError `http.rateLimited` when the holder has too many entries
 */
export async function limitPending(
  { config, pendingLimits }: LimitPendingDeps,
  { holder, id, seconds }: { holder: string; id: string; seconds: number },
): Promise<void> {
  const { added, retryAfterSeconds } = await pendingLimits.add(holder, id, {
    limit: config.waitingLoginsPerAddress,
    seconds,
  });
  if (!added) throw new AppError(httpErrors.rateLimited, { retryAfterSeconds });
}
