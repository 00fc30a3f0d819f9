import { hasRoleOutside } from '#src/access/memberships/index.js';
import type { Account } from '#src/accounts/index.js';
import type { UserProfileInput } from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import {
  type ChangeUserDeps,
  newUser,
  requireFreeExternalId,
  requireFreeValues,
} from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { type FindAccountDeps, findAccount } from '../find-account.js';
import type { HookAnswer } from './hook-answer.js';
import type { HookedOrganization, MigrationHooks } from './migration-hooks.js';
import { complete } from './take-over-person.js';

interface TryHookDeps extends ChangeUserDeps, Omit<FindAccountDeps, 'caches'> {
  readonly migrationHooks: Pick<MigrationHooks, 'ask'>;
  readonly quotas: Pick<Quotas, 'left' | 'exceeded'>;
  readonly caches: FindAccountDeps['caches'] & Parameters<typeof hasRoleOutside>[0];
}

/** What a test of a hook tells. `reason` is for the owner of the organization. */
type TriedHook = HookAnswer | { readonly kind: 'failed'; readonly reason: string };

/**
 * Asks the hook of an organization as the sign-in of a person would, by an application that names the organization. It then makes every check
 * that could refuse the person, and writes nothing. It asks although earlier questions failed.
 * @throws the errors of stores that are away
 */
export async function tryMigrationHook(
  deps: TryHookDeps,
  {
    organization,
    loginName,
    password,
  }: { organization: HookedOrganization; loginName: string; password: string },
): Promise<TriedHook> {
  const orgId = organization.id;
  const account = await findAccount(deps, { text: loginName, orgId });
  const reason = account && (await whyNotAsked(deps, account));
  if (reason !== undefined) return { kind: 'failed', reason };
  const userName = account?.user.userName;
  const question = {
    orgId,
    loginName: loginName.trim(),
    password,
    ...(userName !== undefined && { userName }),
  };
  const answer = await deps.migrationHooks.ask(organization, question, { isTest: true });
  if (answer.kind !== 'confirmed') return answer;
  try {
    await rehearse(deps, { organization, account, profile: answer.profile });
    return answer;
  } catch (error) {
    if (!(error instanceof AppError) || error.definition.kind === 'unavailable') throw error;
    return { kind: 'failed', reason: error.message };
  }
}

/** Why the sign-in of a known person asks no hook. */
async function whyNotAsked(
  { caches }: TryHookDeps,
  { user, password }: Account,
): Promise<string | undefined> {
  if (!user.active) return 'The user is deactivated, so a sign-in does not ask the hook';
  if (password !== undefined) return 'The user has a password here, so a sign-in does not ask the hook';
  return (await hasRoleOutside(caches, user))
    ? 'The user has a role outside of the organization, so a sign-in does not ask the hook'
    : undefined;
}

/** Ends a change that every check let pass. */
class Rehearsed extends Error {}

/** @throws AppError as the sign-in would */
async function rehearse(
  deps: TryHookDeps,
  given: { organization: HookedOrganization; account: Account | undefined; profile: UserProfileInput },
): Promise<void> {
  const { organization, account, profile } = given;
  if (account === undefined) {
    if ((await deps.quotas.left(organization.id, 'users')) < 1) {
      throw await deps.quotas.exceeded(organization.id, 'users');
    }
    const { user } = await newUser(deps, organization, { profile });
    await requireFreeValues(deps.users, organization, user);
    await requireFreeExternalId(deps.users, user);
    return;
  }
  // It is never written, so it needs no hash.
  const credential = { hash: '', changed: deps.clock.now() };
  try {
    await complete(deps, { organization, account, profile, credential }, () => {
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error;
  }
}
