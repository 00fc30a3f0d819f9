import { policyFor } from '#src/access/memberships/index.js';
import type { Config } from '#src/config.js';
import {
  type Acr,
  allowedFirstFactors,
  allowedSecondFactors,
  type DemandFacts,
  demandOn,
  type FirstFactor,
  factsAskedBy,
  laterFirstFactors,
  type Membership,
  noDemand,
  type Organization,
  type PersonalDemand,
  type SecondFactor,
  type SignInPolicy,
} from '#src/directory/index.js';
import type { GroupMembersStore } from '#src/people/groups/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { relyingPartyOf } from '../relying-party/relying-party.js';
import { hasFirstProof, type OneTimeLinkProof, type Proof, type RememberedBrowserProof } from './proof.js';

/** The rules for the sign-in of one person at one moment. */
export interface SignInRules {
  /** The level that the organization demands of the person. Absent: none. */
  readonly acr?: Acr;
  /** The next day that demands more. */
  readonly later?: PersonalDemand['later'];
  /** What alone may begin a sign-in from a later day on. Absent if nothing changes. */
  readonly laterFirst?: { readonly factors: readonly FirstFactor[]; readonly from: Date };
  /** What may begin and follow. Absent: everything. */
  readonly firstFactors?: readonly FirstFactor[];
  readonly secondFactors?: readonly SecondFactor[];
  /** Whether the organization lets a remembered browser replace a second factor. Absent: yes. */
  readonly remembersBrowsers?: boolean;
  /** A browser counts if its second factor was proved later than this, in milliseconds since 1970. Absent: whenever it was. */
  readonly rememberedSince?: number;
  /** Whether browsers keep passkeys for this instance. Absent: yes. */
  readonly hasPasskeys?: boolean;
  /** Whether a person whose address nobody proved must prove it. */
  readonly verifyEmail?: boolean | undefined;
}

export interface SignInRulesDeps {
  readonly caches: {
    readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
    readonly memberships: Pick<Cache<Membership[]>, 'get'>;
  };
  readonly groupMembers: Pick<GroupMembersStore, 'existing'>;
  readonly config: Pick<Config, 'baseUrl' | 'rpId'>;
  readonly clock: Clock;
}

/** A person of an organization. */
interface PersonOf {
  readonly userId: string;
  readonly orgId: string;
}

/**
 * Returns the rules for a person. The policy comes from the cached organization. Only a policy that names roles asks for the cached roles of the
 * person, and only one that names groups asks MongoDB, once.
 */
export async function signInRules(deps: SignInRulesDeps, person: PersonOf): Promise<SignInRules> {
  const organization = await deps.caches.organizations.get(person.orgId);
  const policy = await policyFor(deps.caches, { id: person.userId, orgId: person.orgId });
  const { acr, later } = await personalDemand(deps, policy, person);
  const now = deps.clock.now();
  const laterFirst = laterFirstFactors(policy, now);
  return {
    acr,
    ...(later && { later }),
    ...(laterFirst && { laterFirst }),
    ...(policy !== undefined && { hasPasskeys: relyingPartyOf(deps.config) !== undefined }),
    ...factorRules(policy, now),
    verifyEmail: organization?.login.verifyEmail,
  };
}

const dayMs = 24 * 3_600_000;

/** The rules that a policy has for everybody: what counts in a sign-in. */
export function factorRules(
  policy: SignInPolicy | undefined,
  now: Date,
): Pick<SignInRules, 'firstFactors' | 'secondFactors' | 'remembersBrowsers' | 'rememberedSince'> {
  const { rememberedBrowserDays: days = 0 } = policy ?? {};
  return {
    firstFactors: allowedFirstFactors(policy, now),
    secondFactors: allowedSecondFactors(policy),
    remembersBrowsers: days > 0,
    rememberedSince: now.getTime() - days * dayMs,
  };
}

/** What a policy demands of a person at this moment. */
export async function personalDemand(
  deps: Omit<SignInRulesDeps, 'config'>,
  policy: SignInPolicy | undefined,
  person: PersonOf,
): Promise<PersonalDemand> {
  if (policy?.demands === undefined) return noDemand;
  return demandOn(policy, await demandFacts(deps, policy, person), deps.clock.now());
}

/** What decides about the demands of a policy on a person. Only facts that the policy asks for are looked up. */
export async function demandFacts(
  { caches, groupMembers }: Pick<SignInRulesDeps, 'caches' | 'groupMembers'>,
  policy: SignInPolicy | undefined,
  { userId, orgId }: PersonOf,
): Promise<DemandFacts> {
  const asked = factsAskedBy(policy);
  const [roles, memberships] = await Promise.all([
    asked.roles && caches.memberships.get(userId).then((held) => held.length > 0),
    groupMembers.existing(
      orgId,
      asked.groups.map((groupId) => ({ groupId, userId })),
    ),
  ]);
  const groups = new Set(asked.groups.filter((groupId) => memberships.has(`${groupId} ${userId}`)));
  return { roles, groups };
}

/**
 * Returns the proofs that count under the rules. What the organization no longer allows proves nothing, also in a session that exists. A
 * passkey that may only follow another proof counts only beside one.
 */
export function countedProofs<P extends Proof>(rules: SignInRules, proofs: readonly P[]): readonly P[] {
  const counted = proofs.filter((proof) => isAllowedProof(rules, proof));
  if (rules.firstFactors?.includes('passkey') ?? true) return counted;
  const others = counted.filter(({ kind }) => kind !== 'passkey');
  return hasFirstProof(others) ? counted : others;
}

/** Returns whether the organization allows such a proof, first or second. */
export function isAllowedProof(
  rules: SignInRules,
  proof: Pick<Proof, 'kind'> &
    Partial<Pick<RememberedBrowserProof, 'by' | 'provedAt'>> &
    Pick<OneTimeLinkProof, 'begunBy'>,
): boolean {
  const { firstFactors, secondFactors, remembersBrowsers = true } = rules;
  const { rememberedSince = Number.NEGATIVE_INFINITY } = rules;
  const { kind, by, provedAt = 0, begunBy } = proof;
  const first = (factor: FirstFactor) => firstFactors?.includes(factor) ?? true;
  const second = (factor: SecondFactor) => secondFactors?.includes(factor) ?? true;
  switch (kind) {
    case 'password':
    case 'mailLink':
    case 'connection':
      return first(kind);
    case 'passkey':
      return first('passkey') || second('passkey');
    case 'code':
    case 'recoveryCode':
      return second('totp');
    case 'mailCode':
      return second('mailCode');
    case 'rememberedBrowser':
      return (
        remembersBrowsers &&
        by !== undefined &&
        provedAt > rememberedSince &&
        isAllowedProof(rules, { kind: by })
      );
    // An administrator has made it for the person. A registration without a password leads to a passkey, and to nothing where passwords sign in.
    case 'oneTimeLink':
      return begunBy === undefined || !first('password');
  }
}
