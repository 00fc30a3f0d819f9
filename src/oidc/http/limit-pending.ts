import type { PendingLimits } from '#src/authorization/pending-limits.store.js';
import type { Config } from '#src/config.js';
import { httpErrors } from '#src/http/errors.js';
import { AppError } from '#src/platform/errors.js';

export interface LimitPendingDeps {
  readonly config: Pick<Config, 'waitingLoginsPerAddress'>;
  readonly pendingLimits: Pick<PendingLimits, 'add'>;
}

/**
 * Limits what Redis stores for requests without any proof. The entry counts until it is removed, or until
 * `seconds` have passed.
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
