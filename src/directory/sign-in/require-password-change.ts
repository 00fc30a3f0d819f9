import type { Editor } from '#src/audit/event.js';
import { AppError } from '#src/platform/errors.js';
import { compareAndSwap } from '../compare-and-swap.js';
import { directoryErrors } from '../errors.js';
import { userEvent } from '../users/user-events.js';
import { writeUser } from '../users/write-user.js';
import type { ChangeTotpDeps } from './change-totp.js';

/**
 * Demands that a user chooses another password at the next login. A user without a password has to set one anyway.
 * @throws AppError `directory.userNotFound`, `directory.changing`
 */
export async function requirePasswordChange(
  deps: ChangeTotpDeps,
  { orgId, id, editor }: { orgId: string; id: string; editor: Editor },
): Promise<void> {
  const { accounts, events, clock } = deps;
  await compareAndSwap(async () => {
    const current = await accounts.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.userNotFound);
    if (current.password === undefined || current.password.changeRequired) return current;
    const now = clock.now();
    const { version: expectedVersion } = current.user;
    const changed = { ...current.user, version: expectedVersion + 1, lastModified: now };
    return writeUser(deps, id, async (transaction) => {
      const target = { id, expectedVersion, now };
      if (!(await accounts.requirePasswordChange(orgId, target, transaction))) return undefined;
      await events.append([userEvent('user.human.password.change.required', changed, editor)], transaction);
      return current;
    });
  });
}
