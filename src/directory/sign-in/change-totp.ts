import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { compareAndSwap } from '../compare-and-swap.js';
import { directoryErrors } from '../errors.js';
import { userEvent } from '../users/user-events.js';
import { type WriteUserDeps, writeUser } from '../users/write-user.js';
import type { AccountsStore } from './accounts.store.js';
import type { TotpCredential } from './totp.js';

export interface ChangeTotpDeps extends WriteUserDeps {
  readonly accounts: AccountsStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/**
 * Gives a user a second factor, or with undefined takes it away. What is so already stays as it is.
 * @throws AppError `directory.userNotFound`, `directory.changing`
 */
export async function changeTotp(
  deps: ChangeTotpDeps,
  request: { orgId: string; id: string; totp: TotpCredential | undefined; editor: Editor },
): Promise<void> {
  const { accounts, events, clock } = deps;
  const { orgId, id, totp, editor } = request;
  await compareAndSwap(async () => {
    const current = await accounts.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.userNotFound);
    if (totp === undefined && current.totp === undefined) return current;
    const now = clock.now();
    const { version: expectedVersion } = current.user;
    const changed = { ...current.user, version: expectedVersion + 1, lastModified: now };
    const type = totp === undefined ? 'user.human.mfa.otp.removed' : 'user.human.mfa.otp.added';
    return writeUser(deps, id, async (transaction) => {
      if (!(await accounts.setTotp(orgId, { id, expectedVersion, now, totp }, transaction))) return undefined;
      await events.append([userEvent(type, changed, editor)], transaction);
      return current;
    });
  });
}
