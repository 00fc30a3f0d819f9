import { policyFor } from '#src/access/memberships/index.js';
import type { Account, OneTimeLink } from '#src/accounts/index.js';
import { type CheckOrigin, forgetAttempts, setPassword, takeOneTimeLink } from '#src/authentication/index.js';
import { relyingPartyOf } from '#src/authentication/passkeys/index.js';
import {
  allowedFirstFactors,
  directoryErrors,
  type Organization,
  passwordsAreOff,
  type SignInPolicy,
} from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { organizationStands, requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import type { LoginNeeds } from '../needs/needs.js';

/** A one-time link of an account. */
export interface PasswordLink {
  readonly link: OneTimeLink;
  readonly account: Account;
  readonly organization: Organization;
  /** What it leads to: a new password, a passkey where no password signs in and an administrator made the link, or nothing. */
  readonly leadsTo: 'password' | 'passkey' | 'nothing';
}

/**
 * Finds the link with this token. Undefined for one that was used, has expired, or is of a person or an organization that may not
 * sign in.
 */
export async function findPasswordLink(
  deps: Pick<LoginNeeds, 'accounts' | 'caches' | 'clock' | 'config' | 'oneTimeLinks'>,
  token: string,
): Promise<PasswordLink | undefined> {
  const link = await deps.oneTimeLinks.find(hashSecret(token));
  if (link === undefined || link.expires <= deps.clock.now()) return undefined;
  if (!(await organizationStands(deps, link.orgId))) return undefined;
  const account = await deps.accounts.find(link.orgId, link.userId);
  if (!account?.user.active) return undefined;
  const organization = await requireOrganization(deps.caches.organizations.get, account.user.orgId);
  return {
    link,
    account,
    organization,
    leadsTo: placeOf(deps, await policyFor(deps.caches, account.user), link),
  };
}

function placeOf(
  { clock, config }: Pick<LoginNeeds, 'clock' | 'config'>,
  policy: SignInPolicy | undefined,
  { byAdministrator }: OneTimeLink,
): PasswordLink['leadsTo'] {
  const now = clock.now();
  if (!passwordsAreOff(policy, now)) return 'password';
  // Somebody who reads the mail could have asked for another link.
  const isPossible = byAdministrator === true && relyingPartyOf(config) !== undefined;
  return isPossible && allowedFirstFactors(policy, now).includes('passkey') ? 'passkey' : 'nothing';
}

/** Uses a link that leads to a passkey. Returns false if another request has used it. */
export async function usePasskeyLink(
  deps: Parameters<typeof takeOneTimeLink>[0],
  { link, organization }: PasswordLink,
  from: CheckOrigin,
): Promise<boolean> {
  try {
    await takeOneTimeLink(deps, { organization, link, from });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.definition === directoryErrors.linkInvalid) return false;
    throw error;
  }
}

/**
 * Sets the password by a link. Everyone who knew the old password is signed out, and earlier failures no longer count.
 * @returns false if another request has used the link
 * @throws the errors of {@link setPassword}
 */
export async function usePasswordLink(
  deps: Parameters<typeof setPassword>[0] & Pick<LoginNeeds, 'loginAttempts' | 'sessions'>,
  { link, account, organization }: PasswordLink,
  password: string,
): Promise<boolean> {
  const { user } = account;
  const editor = { userId: user.id, service: 'login' };
  try {
    await setPassword(deps, { organization, id: user.id, password, editor, link });
  } catch (error) {
    if (error instanceof AppError && error.definition === directoryErrors.linkInvalid) return false;
    throw error;
  }
  await forgetAttempts(deps, user, organization);
  await deps.sessions.endAllOf(user.id);
  return true;
}
