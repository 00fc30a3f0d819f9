import type { MembershipsStore } from '#src/access/memberships/index.js';
import type { OneTimeLinksStore } from '#src/accounts/index.js';
import { directoryErrors, isInstanceRole, type Organization, type Target } from '#src/directory/index.js';
import { userEvent } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { codeSubject, forgetAttempts } from './attempt-subjects.js';
import type { LoginAttempts } from './login-attempts.store.js';
import { newOneTimeLink } from './make-one-time-link.js';
import { type WriteAccountDeps, writeAccount } from './write-account.js';

interface RecoverOwnerDeps extends WriteAccountDeps {
  readonly memberships: Pick<MembershipsStore, 'ofUser'>;
  readonly oneTimeLinks: Pick<OneTimeLinksStore, 'put'>;
  readonly loginAttempts: Pick<LoginAttempts, 'forget'>;
  readonly codeAttempts: Pick<LoginAttempts, 'forget'>;
  readonly caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
}

/** An hour: the person waits for the link at a terminal. */
const lifeSeconds = 3600;

/**
 * Gives an owner of the instance a way back: a one-time link for a new password, and no lock after wrong passwords and codes. The same
 * transaction ends every session and every token of the owner, and writes the events. The former password works until the link is used.
 * Whoever calls this has proved to hold the settings of a process.
 * @param request `removeSecondFactor`: the owner then signs in with the password alone
 * @returns the secret of the link, this once
 * @throws AppError `directory.userNotFound`: also for an inactive person and for one who owns the instance no more, `directory.changing`
 */
export async function recoverOwner(
  deps: RecoverOwnerDeps,
  { removeSecondFactor, ...target }: Target & { readonly removeSecondFactor: boolean },
): Promise<{ secret: string; expires: Date }> {
  const { orgId, id, editor } = target;
  let made: ReturnType<typeof newOneTimeLink> | undefined;
  await writeAccount(deps, target, ({ user, totp }) => {
    if (!user.active) throw new AppError(directoryErrors.userNotFound);
    const takesFactor = removeSecondFactor && totp !== undefined;
    return {
      happened: 'user.human.recovered',
      payload: { secondFactorRemoved: takesFactor },
      endsSignIns: true,
      async write(at, transaction) {
        const roles = await deps.memberships.ofUser(id, transaction);
        if (!roles.some(({ role }) => isInstanceRole(role))) throw new AppError(directoryErrors.userNotFound);
        const written = takesFactor
          ? deps.accounts.setTotp(orgId, { ...at, totp: undefined }, transaction)
          : deps.accounts.advance(orgId, at, transaction);
        if (!(await written)) return false;
        const changed = { id, orgId, version: at.expectedVersion + 1, lastModified: at.now };
        made = newOneTimeLink(changed, { editor, lifeSeconds });
        await deps.oneTimeLinks.put(made.link, transaction);
        const removed = userEvent('user.human.mfa.otp.removed', changed, editor);
        await deps.events.append([made.event, ...(takesFactor ? [removed] : [])], transaction);
        return true;
      },
    };
  });
  if (made === undefined) throw new AppError(directoryErrors.changing);
  const { user } = (await deps.accounts.find(orgId, id)) ?? {};
  if (user !== undefined) await forgetAttempts(deps, user, await deps.caches.organizations.get(orgId));
  await deps.codeAttempts.forget(codeSubject(id));
  return { secret: made.secret, expires: made.link.expires };
}
