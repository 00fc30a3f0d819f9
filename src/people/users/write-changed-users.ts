import { type OneTimeLinksStore, type RevokeUserTokensDeps, revokeTokensOf } from '#src/accounts/index.js';
import type { Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { UserReplacement } from './user-writes.store.js';
import type { UsersStore } from './users.store.js';

export interface WriteChangedUsersDeps extends RevokeUserTokensDeps {
  readonly users: Pick<UsersStore, 'replace'>;
  readonly oneTimeLinks: Pick<OneTimeLinksStore, 'removeAllOf'>;
  readonly events: Pick<EventsStore, 'append'>;
}

/** A user before and after a change, as `changedUser` makes it. */
export interface ChangedUser extends UserReplacement {
  readonly events: readonly Event[];
}

/**
 * Writes changed users of one organization with their events, in the transaction of the caller. A new password removes the one-time
 * links of the user. Deactivation and new credentials end its sessions and tokens. After the transaction, whatever came of it, the caller
 * must announce the users with `RevocationList.restamp`, and call {@link revokeChangedUsers} if the transaction was long.
 * @param alongside makes further writes in the transaction
 * @returns false if another caller has changed one of the users. The caller then aborts the transaction
 * @throws the duplicate-key error of MongoDB if a value is taken
 */
export async function writeChangedUsers(
  deps: WriteChangedUsersDeps,
  orgId: string,
  changed: readonly ChangedUser[],
  transaction: Transaction,
  alongside?: () => Promise<void>,
): Promise<boolean> {
  if (!(await deps.users.replace(orgId, changed, transaction))) return false;
  const events = changed.flatMap((one) => one.events);
  if (events.length > 0) await deps.events.append(events, transaction);
  // It may spend a one-time link, which the next step would remove.
  await alongside?.();
  for (const { user, password } of changed) {
    if (password !== undefined) await deps.oneTimeLinks.removeAllOf(user.id, transaction);
  }
  // This step is last, because Redis receives the revocation before the commit. If a step above fails, the user must stay signed in.
  await revokeEnded(deps, changed, transaction);
  return true;
}

/**
 * Revokes the tokens of the changed users once more, after the transaction of {@link writeChangedUsers}. That one takes a while for many
 * users. Until its commit, the old passwords open sign-ins that begin after its revocations.
 */
export async function revokeChangedUsers(
  deps: RevokeUserTokensDeps & { readonly mongo: Pick<Mongo, 'transaction'> },
  changed: readonly ChangedUser[],
): Promise<void> {
  if (!changed.some(endsSignIns)) return;
  await deps.mongo.transaction((transaction) => revokeEnded(deps, changed, transaction));
}

async function revokeEnded(
  deps: RevokeUserTokensDeps,
  changed: readonly ChangedUser[],
  transaction: Transaction,
): Promise<void> {
  const ended = changed.filter(endsSignIns).map(({ user }) => user.id);
  await revokeTokensOf(deps, ended, transaction);
}

/** Whether the change ends the sessions and the tokens of the user. */
export function endsSignIns(changed: ChangedUser): boolean {
  return (changed.current.active && !changed.user.active) || changesCredentials(changed);
}

/** Whether the user signs in with something else after the change. */
export function changesCredentials({ password, totp }: ChangedUser): boolean {
  return password !== undefined || totp !== undefined;
}
