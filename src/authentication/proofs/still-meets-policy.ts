import {
  type Acr,
  acrValues,
  demandOn,
  factsAskedBy,
  includesAcr,
  passwordsAreOff,
} from '#src/directory/index.js';
import { personalDemand, type SignInRulesDeps } from './sign-in-rules.js';
import { acrOf } from './strength.js';

/** What a refresh token remembers of its sign-in. */
interface RememberedSignIn {
  readonly userId: string;
  readonly orgId: string;
  readonly amr: readonly string[];
  /** The level that counted for the policy. Absent: that of `amr`. */
  readonly policyAcr?: string;
}

/** Methods that begin a sign-in without a password. */
const otherFirst: readonly string[] = ['hwk', 'swk', 'fed'];

/**
 * Returns whether an earlier sign-in meets the policy of the organization at this moment. The policy comes from the cached organization. Roles
 * and groups are looked up only for a sign-in that is weaker than what somebody of the organization must reach.
 */
export async function stillMeetsPolicy(deps: SignInRulesDeps, signIn: RememberedSignIn): Promise<boolean> {
  const { userId, orgId, amr } = signIn;
  const policy = (await deps.caches.organizations.get(orgId))?.signInPolicy;
  if (policy === undefined) return true;
  const now = deps.clock.now();
  const isByPassword = amr.includes('pwd') && !amr.some((method) => otherFirst.includes(method));
  if (isByPassword && passwordsAreOff(policy, now)) return false;
  const reached = acrValues.find((level) => level === signIn.policyAcr) ?? acrOf(amr, acrValues);
  const meets = (acr: Acr) => includesAcr(reached, acr);
  const ofAll = { roles: true, groups: new Set(factsAskedBy(policy).groups) };
  if (meets(demandOn(policy, ofAll, now).acr)) return true;
  return meets((await personalDemand(deps, policy, { userId, orgId })).acr);
}
