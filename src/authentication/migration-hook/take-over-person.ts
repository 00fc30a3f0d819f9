import { hasRoleOutside } from '#src/access/memberships/index.js';
import {
  type Account,
  type AccountsStore,
  type ImportedCredentials,
  type PasswordCredential,
  passwordFaults,
} from '#src/accounts/index.js';
import { directoryErrors, type Membership, type User, type UserProfileInput } from '#src/directory/index.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { UserCounter } from '#src/people/totals/index.js';
import {
  asInput,
  type BatchNewUser,
  type ChangeUserDeps,
  changeUser,
  newUser,
  requireFreeExternalId,
} from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { loginNameKey } from '../find-account.js';
import type { FoundHook } from './find-hooked-organization.js';
import type { HookedOrganization, MigrationHooks } from './migration-hooks.js';

interface TakeOverDeps extends ChangeUserDeps {
  readonly migrationHooks: MigrationHooks;
  readonly accounts: AccountsStore;
  readonly batchNewUser: BatchNewUser;
  readonly quotas: Pick<Quotas, 'within'>;
  readonly userCounter: UserCounter;
  readonly passwords: PasswordHasher;
  readonly caches: { readonly memberships: Cache<Membership[]> };
}

interface HookSignIn extends FoundHook {
  /** The account that the login name means. It has no password. Undefined if the organization has nobody with the name. */
  readonly account: Account | undefined;
  readonly loginName: string;
  readonly password: string;
  /** Finds the account that the login name means at this moment. */
  findAgain(): Promise<Account | undefined>;
}

/**
 * Asks the hook of the organization whether the password is right. If it is, the person gets it, and is created before if the
 * organization has nobody with the name. Each is one transaction with its event. A password that breaks the policy is
 * accepted, and the sign-in then asks for another one.
 * @returns the account, or undefined if the person may not sign in. The owner of the organization learns why
 * @throws the errors of stores that are away
 */
export async function takeOverPerson(deps: TakeOverDeps, request: HookSignIn): Promise<Account | undefined> {
  const { organization, account, loginName, password } = request;
  if (!(await mayTakeOver(deps, request))) return undefined;
  const answer = await deps.migrationHooks.ask(organization, {
    orgId: organization.id,
    loginName: loginName.trim(),
    password,
    ...(account && { userName: account.user.userName }),
  });
  if (answer.kind === 'failed') await deps.migrationHooks.report(organization, answer.reason);
  if (answer.kind !== 'confirmed') return undefined;
  try {
    const credential = await newCredential(deps, organization, password);
    const user = account
      ? await complete(deps, { organization, account, profile: answer.profile, credential })
      : await create(deps, { organization, profile: answer.profile, credential });
    return { user, password: credential, ...(account?.totp && { totp: account.totp }) };
  } catch (error) {
    if (!(error instanceof AppError) || error.definition.kind === 'unavailable') throw error;
    const meanwhile = await takenOverMeanwhile(deps, request);
    if (meanwhile === undefined) await deps.migrationHooks.report(organization, error.message);
    return meanwhile;
  }
}

/**
 * A hook must not confirm the password of a user with rights outside of its organization. The owner of the organization could
 * otherwise sign in as an owner of the instance. If the application did not name the organization, the hook gets no password of somebody who has the
 * login name elsewhere.
 */
async function mayTakeOver(
  { caches, accounts }: TakeOverDeps,
  { organization: { id }, isNamed, account, loginName }: HookSignIn,
): Promise<boolean> {
  if (account === undefined) {
    const holders = await accounts.findAnywhere(loginNameKey(loginName) ?? '');
    return holders.every(({ user }) => isNamed && user.orgId !== id);
  }
  const { user, password } = account;
  if (user.orgId !== id || !user.active || password !== undefined) return false;
  return !(await hasRoleOutside(caches, user));
}

async function newCredential(
  { passwords, clock }: TakeOverDeps,
  { id: orgId, passwordPolicy }: HookedOrganization,
  password: string,
): Promise<PasswordCredential> {
  const hash = await passwords.hash(password, { purpose: 'sign-in', orgId });
  const isWeak = passwordFaults(password, passwordPolicy).length > 0;
  return { hash, changed: clock.now(), ...(isWeak && { changeRequired: true as const }) };
}

interface Confirmed {
  readonly organization: HookedOrganization;
  readonly profile: UserProfileInput;
  readonly credential: PasswordCredential;
}

async function create(deps: TakeOverDeps, { organization, profile, credential }: Confirmed): Promise<User> {
  const orgId = organization.id;
  const user = await deps.quotas.within(orgId, { users: 1 }, async () => {
    const { user } = await newUser(deps, organization, { profile });
    await requireFreeExternalId(deps.users, user);
    const editor = { userId: user.id, service: 'login' };
    const added = { user, password: credential, importedCredentials: noteOf(credential) };
    await deps.batchNewUser({ organization, added, editor });
    return user;
  });
  await deps.userCounter.changed(orgId);
  return user;
}

/**
 * Notes a password as one of the former service. An import that updates the person then replaces it, until the person chooses another one
 * here.
 */
function noteOf({ changed }: PasswordCredential, { totp }: ImportedCredentials = {}): ImportedCredentials {
  return { password: changed, ...(totp && { totp }) };
}

/**
 * Gives the user the password, and the parts of the profile that it lacks. Nothing that it has changes.
 * @param beforeWrite called after every check that could refuse the person
 */
export function complete(
  deps: ChangeUserDeps,
  { organization, account, profile, credential }: Confirmed & { account: Account },
  beforeWrite: () => void = () => {},
): Promise<User> {
  const { user, importedCredentials } = account;
  return changeUser(deps, {
    organization,
    id: user.id,
    editor: { userId: user.id, service: 'login' },
    change: (current) => {
      const known = asInput(current);
      // An address of an existing user is where its links go. A hook does not choose it.
      const { emails: _, ...brought } = profile;
      const completed = { ...brought, ...known, name: { ...brought.name, ...known.name } };
      return { profile: completed, credential, importedCredentials: noteOf(credential, importedCredentials) };
    },
    precondition: ({ version }) => {
      if (version !== user.version) throw new AppError(directoryErrors.versionDiffers);
      beforeWrite();
    },
  });
}

/** Two sign-ins of one person may ask at once. The second one then finds the person, with the same password. */
async function takenOverMeanwhile(
  { passwords }: TakeOverDeps,
  { organization: { id: orgId }, password, findAgain }: HookSignIn,
): Promise<Account | undefined> {
  const account = await findAgain();
  if (account?.password === undefined || account.user.orgId !== orgId || !account.user.active)
    return undefined;
  const isRight = await passwords.verify(account.password.hash, password, { purpose: 'sign-in', orgId });
  return isRight ? account : undefined;
}
