import { policyFor } from '#src/access/memberships/index.js';
import {
  type Acr,
  acrValues,
  demandOn,
  factsAskedBy,
  includesAcr,
  passwordsAreOff,
  type SignInPolicy,
} from '#src/directory/index.js';
import { levelForRules } from './next-step.js';
import { hasFirstProof, type Proof } from './proof.js';
import { countedProofs, factorRules, personalDemand, type SignInRulesDeps } from './sign-in-rules.js';
import { acrOf, levelOf } from './strength.js';

/** What a refresh token remembers of its sign-in. */
interface RememberedSignIn {
  readonly userId: string;
  readonly orgId: string;
  readonly amr: readonly string[];
  /** What the person proved. Absent in families of an earlier version, which have {@link policyAcr}, and of exchanged tokens. */
  readonly proofs?: readonly { readonly kind: string }[];
  /** The level that counted for the policy at the sign-in. Absent: that of `amr`. */
  readonly policyAcr?: string;
}

/** Methods that begin a sign-in without a password. */
const otherFirst: readonly string[] = ['hwk', 'swk', 'fed'];

/**
 * Returns who demands more than an earlier sign-in is: the policy of the organization, or the application. Undefined if it still is enough. A proof
 * that the policy no longer allows does not count. The policy comes from the cached organization. Roles and groups are looked up only for a sign-in that is weaker than
 * what somebody of the organization must reach.
 * @param least the level that the application demands
 */
export async function signInRefusedBy(
  deps: SignInRulesDeps,
  signIn: RememberedSignIn,
  least: Acr | undefined,
): Promise<'organization' | 'application' | undefined> {
  const { userId, orgId } = signIn;
  const policy = await policyFor(deps.caches, { id: userId, orgId });
  // Without a policy, mail signs in nobody. Only the proofs tell of mail.
  if (policy === undefined && least === undefined && signIn.proofs === undefined) return undefined;
  const now = deps.clock.now();
  const reached = reachedUnder(policy, signIn, now);
  if (reached === undefined) return 'organization';
  if (least !== undefined && !includesAcr(reached.forApplications, least)) return 'application';
  const meets = (acr: Acr) => includesAcr(reached.forRules, acr);
  const ofAll = { roles: true, groups: new Set(factsAskedBy(policy).groups) };
  if (meets(demandOn(policy, ofAll, now).acr)) return undefined;
  const { acr } = await personalDemand(deps, policy, { userId, orgId });
  return meets(acr) ? undefined : 'organization';
}

/** The levels of a sign-in under a policy. Undefined if nothing that may begin a sign-in is left of it. */
function reachedUnder(
  policy: SignInPolicy | undefined,
  { amr, proofs, policyAcr }: RememberedSignIn,
  now: Date,
): { readonly forRules: Acr; readonly forApplications: Acr } | undefined {
  if (proofs !== undefined) {
    // Only this room writes them, and it counts no kind that it does not know.
    const counted = countedProofs(factorRules(policy, now), proofs as readonly Proof[]);
    if (!hasFirstProof(counted)) return undefined;
    return { forRules: levelForRules(counted), forApplications: levelOf(counted) };
  }
  const isByPassword = amr.includes('pwd') && !amr.some((method) => otherFirst.includes(method));
  if (isByPassword && passwordsAreOff(policy, now)) return undefined;
  const ofMethods = acrOf(amr, acrValues);
  return {
    forRules: acrValues.find((level) => level === policyAcr) ?? ofMethods,
    forApplications: ofMethods,
  };
}
