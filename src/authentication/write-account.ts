import {
  type Account,
  type AccountsStore,
  type AccountVersion,
  type RevokeUserTokensDeps,
  revokeUserTokens,
} from '#src/accounts/index.js';
import type { EventType } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { compareAndSwap, directoryErrors, type Target } from '#src/directory/index.js';
import { userEvent, writeUser } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';

export interface WriteAccountDeps extends RevokeUserTokensDeps {
  readonly mongo: Mongo;
  readonly accounts: AccountsStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** A change of the credentials of a user. */
interface AccountStep {
  readonly happened: EventType;
  readonly payload?: Record<string, unknown>;
  /** Whether the change ends every session and every token of the user. */
  readonly endsSignIns?: boolean;
  /** Writes the change if the version of the user is the expected one. Returns whether it wrote the change. */
  write(at: AccountVersion, transaction: Transaction): Promise<boolean>;
}

/** A user who is not stored yet. */
export interface NewAccount {
  readonly account: Account;
  /** Adds the user, in one transaction with other writes. */
  add(alongside: (transaction: Transaction) => Promise<void>): Promise<void>;
}

/**
 * Writes one step of the credentials of a user and its event, as one compare-and-swap on the version of the user.
 * @param step returns undefined if there is nothing to change. If another caller changes the user meanwhile, it runs
 * again.
 * @param newAccount a user who is added together with the step, in one transaction. It has no sign-ins to end
 * @throws AppError `directory.userNotFound`, `directory.changing`, and the errors of {@link NewAccount.add}
 */
export async function writeAccount(
  deps: WriteAccountDeps,
  { newAccount, ...target }: Target & { readonly newAccount?: NewAccount | undefined },
  step: (current: Account) => AccountStep | undefined,
): Promise<void> {
  const { orgId, id, editor } = target;
  if (newAccount !== undefined) return addWithStep(deps, { ...newAccount, editor }, step);
  await compareAndSwap(['user', id, editor.userId], async () => {
    const current = await deps.accounts.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.userNotFound);
    const made = step(current);
    if (made === undefined) return current;
    const now = deps.clock.now();
    const { version: expectedVersion } = current.user;
    const changed = { ...current.user, version: expectedVersion + 1, lastModified: now };
    return writeUser(deps, { id, orgId }, async (transaction) => {
      if (!(await made.write({ id, expectedVersion, now }, transaction))) return undefined;
      await deps.events.append([userEvent(made.happened, changed, editor, made.payload)], transaction);
      // This step is last: see the same step in `changeUser`.
      if (made.endsSignIns) await revokeUserTokens(deps, id, transaction);
      return current;
    });
  });
}

async function addWithStep(
  { clock, events }: Pick<WriteAccountDeps, 'clock' | 'events'>,
  { account, add, editor }: NewAccount & Pick<Target, 'editor'>,
  step: (current: Account) => AccountStep | undefined,
): Promise<void> {
  const { user } = account;
  await add(async (transaction) => {
    const made = step(account);
    const now = clock.now();
    const at = { id: user.id, expectedVersion: user.version, now };
    if (made === undefined || !(await made.write(at, transaction)))
      throw new AppError(directoryErrors.changing);
    const changed = { ...user, version: user.version + 1, lastModified: now };
    await events.append([userEvent(made.happened, changed, editor, made.payload)], transaction);
  });
}
