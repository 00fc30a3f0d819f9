import type { Account, AccountsStore } from '#src/accounts/index.js';
import type { WebauthnCredentialsStore } from '#src/accounts/person-lists/index.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Config } from '#src/config.js';
import { type Membership, refusedValue, type SignInPolicy } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { servesPasskey } from '../relying-party/relying-party.js';

export interface BreakGlassDeps {
  readonly accounts: Pick<AccountsStore, 'find'>;
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findMany'>;
  readonly events: Pick<EventsStore, 'search'>;
  /** Every role of a user, those of its groups included. */
  readonly caches: { readonly memberships: Pick<Cache<Membership[]>, 'get'> };
  readonly config: Pick<Config, 'baseUrl' | 'rpId'>;
}

/**
 * Checks that each break-glass owner of a policy is an active owner of the organization, and has tried the way in: a passkey that began a sign-in, or
 * the present password and authenticator app. Whoever has not tried it may find out too late that it does not work.
 *
 * The owners are read before the policy is written. Whoever stops being an owner in between cannot break the glass. Another rule keeps one owner
 * who can sign in.
 * @throws AppError `directory.valueInvalid` at the owner
 */
export async function requireBreakGlassOwners(
  deps: BreakGlassDeps,
  orgId: string,
  { breakGlassOwners = [] }: SignInPolicy,
): Promise<void> {
  for (const [index, userId] of breakGlassOwners.entries()) {
    const path = `breakGlassOwners[${index}]`;
    const [account, roles] = await Promise.all([
      deps.accounts.find(orgId, userId),
      deps.caches.memberships.get(userId),
    ]);
    const isOwner = roles.some((held) => held.role === 'ORG_OWNER' && held.orgId === orgId);
    if (!account?.user.active || !isOwner)
      throw refusedValue(path, 'ownerUnknown', `${path} is no active owner of the organization`);
    if (!(await hasBegunByPasskey(deps, account)) && !(await hasUsedCode(deps, account)))
      throw refusedValue(
        path,
        'ownerUntested',
        `${path} has signed in neither with a passkey nor with the present password and authenticator app`,
      );
  }
}

/** Whether a passkey of this RP ID began a sign-in. One that was a second factor alone may be unable to. */
async function hasBegunByPasskey(
  { webauthnCredentials, config }: Pick<BreakGlassDeps, 'webauthnCredentials' | 'config'>,
  { user: { orgId, id } }: Account,
): Promise<boolean> {
  const [list] = await webauthnCredentials.findMany(orgId, [id]);
  return Object.values(list?.items ?? {}).some((one) => one.beganSignIn && servesPasskey({ config }, one));
}

/** Whether a code was right after the password and the app were set the last time, and after a right password. */
async function hasUsedCode(
  { events }: Pick<BreakGlassDeps, 'events'>,
  { user: { orgId, id }, password, totp }: Account,
): Promise<boolean> {
  if (password === undefined || totp === undefined) return false;
  const since = new Date(Math.max(password.changed.getTime(), totp.enrolled.getTime()));
  const happened = await Promise.all(
    (['user.human.password.check.succeeded', 'user.human.mfa.otp.check.succeeded'] as const).map((type) =>
      events.search({
        ...{ aggregateId: id, resourceOwner: orgId, since, limit: 1, ascending: false },
        eventTypes: [type],
      }),
    ),
  );
  return happened.every(([found]) => found !== undefined);
}
