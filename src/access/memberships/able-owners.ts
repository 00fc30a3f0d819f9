import type { AccountsStore, ActivePerson, OneTimeLink, OneTimeLinksStore } from '#src/accounts/index.js';
import {
  hasServingLink,
  type IdentityLinksStore,
  type WebauthnCredentialsStore,
} from '#src/accounts/person-lists/index.js';
import type { Editor } from '#src/audit/event.js';
import {
  directoryErrors,
  lastDayOf,
  lastPolicyMoment,
  type Membership,
  type Organization,
  type OwnedFactors,
  passwordsAreOff,
  permittedOnInstance,
  policyOf,
  type Role,
  type SignInPolicy,
} from '#src/directory/index.js';
import type { GroupMembersStore, GroupsStore } from '#src/people/groups/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { hasRoleOutside } from './has-role-outside.js';
import { meetsPolicy } from './meets-policy.js';
import type { MembershipsStore } from './memberships.store.js';
import { policyFor } from './policy-for.js';

/** Where somebody is about to lose the role of an owner: an organization. Without `orgId`, it is the instance. */
type OwnedScope = Pick<Membership, 'orgId'>;

/** Roles that somebody loses, and the editor that takes them away. */
interface Loss {
  readonly roles: readonly Pick<Membership, 'role' | 'orgId'>[];
  readonly editor: Pick<Editor, 'userId'>;
}

/**
 * Keeps the last owner who can sign in: an active person with the factors that the policy of the own organization demands, or with a valid
 * one-time link that leads to them. A link to a connection that is switched on is such a factor, unless the person has a role outside of the own
 * organization. It is none for a policy that is to be written: the provider may be gone when somebody must take the policy back. Owners of the instance reach every organization, so they may take away the last owner of one. A place where no owner could
 * sign in before loses nothing. What holds at this moment also holds for the moment when all days of the policies have come.
 */
export interface AbleOwners {
  /**
   * Checks a loss of roles, or of ways to sign in of people who have them, after it was written, in its transaction. It locks the owners of the place, so that MongoDB aborts one of two such
   * transactions, and that one runs again and sees the other's result.
   * @throws AppError `directory.lastAbleOwner`
   */
  keep(loss: Loss, transaction: Transaction): Promise<void>;
  /** Begins to look up the roles of a user who will not be able to sign in. The returned function is {@link AbleOwners.keep} for them. */
  keepInsteadOf(userId: string, editor: Pick<Editor, 'userId'>): (transaction: Transaction) => Promise<void>;
  /** Returns {@link AbleOwners.keep} for the roles of a user who will not be able to sign in. Undefined if the user is no owner. */
  keepIfOwner(
    userId: string,
    editor: Pick<Editor, 'userId'>,
  ): Promise<((transaction: Transaction) => Promise<void>) | undefined>;
  /**
   * Checks that another owner could sign in without this user and the others, wherever the user is an owner. For a plan, before its
   * transaction.
   * @throws AppError `directory.lastAbleOwner`
   */
  requireOthers(userId: string, without: ReadonlySet<string>, editor: Pick<Editor, 'userId'>): Promise<void>;
  /**
   * Checks a policy of an organization before it is written, in its transaction: an owner must be able to sign in when all of its days have come.
   * If no password does then, the passkey of such an owner must have begun a sign-in before, so that it is known to work.
   * @throws AppError `directory.lastAbleOwner`, `directory.passkeyUntested`
   */
  keepUnder(wanted: WantedPolicy, transaction: Transaction): Promise<void>;
}

/** A policy that an organization is to have. */
interface WantedPolicy {
  readonly orgId: string;
  readonly policy: SignInPolicy;
  readonly editor: Pick<Editor, 'userId'>;
}

interface Deps {
  readonly memberships: Pick<MembershipsStore, 'ownersOf' | 'lockOwners'>;
  readonly accounts: Pick<AccountsStore, 'activeAmong'>;
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'findMany'>;
  readonly identityLinks: Pick<IdentityLinksStore, 'findMany'>;
  readonly oneTimeLinks: Pick<OneTimeLinksStore, 'linksAmong'>;
  readonly groups: Pick<GroupsStore, 'holding' | 'lockHolding'>;
  readonly groupMembers: Pick<GroupMembersStore, 'page'>;
  /** Every role of a user, those of its groups included. */
  readonly caches: {
    readonly memberships: Pick<Cache<Membership[]>, 'get'>;
    readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
  };
  /** The connections of an organization, also those that are switched off. Absent transaction: from memory. */
  readonly connectionsOf: (orgId: string, transaction?: Transaction) => Promise<readonly OwnConnection[]>;
  /** Whether a passkey signs in here. One of another RP ID does not. Without an RP ID: whether this instance makes passkeys. */
  readonly passkeyServes: (passkey: { readonly rpId?: string }) => boolean;
  readonly clock: Clock;
}

/** What the rule must know of a connection. */
interface OwnConnection {
  readonly id: string;
  readonly enabled: boolean;
}

/** The members of a group that are read at once, and the most groups whose roles make owners. */
const pageLength = 1_000;

const isOwner = ({ role }: Pick<Membership, 'role'>) => role === 'IAM_OWNER' || role === 'ORG_OWNER';

const ownerRole = ({ orgId }: OwnedScope): Role => (orgId === undefined ? 'IAM_OWNER' : 'ORG_OWNER');

/** Opens the rule that an owner who can sign in stays. */
export function openAbleOwners(deps: Deps): AbleOwners {
  const { memberships, groups, caches } = deps;

  /** The organizations, and the instance, of the roles that this editor must not leave without an owner. */
  async function scopesOf({ roles, editor }: Loss): Promise<OwnedScope[]> {
    const owned = [...new Set(roles.filter(isOwner).map(({ orgId }) => orgId))];
    if (owned.length === 0) return [];
    const mine = await caches.memberships.get(editor.userId);
    const reachesAll = permittedOnInstance(mine, 'instance.manage');
    return owned
      .filter((orgId) => orgId === undefined || !reachesAll)
      .map((orgId) => ({ ...(orgId && { orgId }) }));
  }

  async function keep(loss: Loss, transaction: Transaction): Promise<void> {
    for (const scope of await scopesOf(loss)) {
      const { orgId } = scope;
      await memberships.lockOwners(orgId, transaction);
      if (orgId !== undefined) await groups.lockHolding(orgId, ownerRole(scope), transaction);
      for (const inTheEnd of [false, true]) {
        if (await hasAble(deps, scope, { transaction, inTheEnd })) continue;
        // The state before the loss, which is not committed.
        if (await hasAble(deps, scope, { inTheEnd })) throw new AppError(directoryErrors.lastAbleOwner);
      }
    }
  }

  return {
    keep,
    keepInsteadOf(userId, editor) {
      const held = caches.memberships.get(userId);
      held.catch(() => undefined);
      return async (transaction) => keep({ roles: await held, editor }, transaction);
    },
    async keepIfOwner(userId, editor) {
      const roles = await caches.memberships.get(userId);
      return roles.some(isOwner) ? (transaction) => keep({ roles, editor }, transaction) : undefined;
    },
    async keepUnder({ orgId, policy, editor }, transaction) {
      const roles = [{ role: 'ORG_OWNER', orgId }, { role: 'IAM_OWNER' }] as const;
      for (const scope of await scopesOf({ roles, editor })) {
        await memberships.lockOwners(scope.orgId, transaction);
        const wanted = { orgId, policy, isTested: passwordsAreOff(policy, lastPolicyMoment) };
        if (await hasAble(deps, scope, { transaction, wanted })) continue;
        if (!(await hasAble(deps, scope))) continue;
        const isUntested = await hasAble(deps, scope, {
          transaction,
          wanted: { ...wanted, isTested: false },
        });
        throw new AppError(isUntested ? directoryErrors.passkeyUntested : directoryErrors.lastAbleOwner);
      }
    },
    async requireOthers(userId, without, editor) {
      const left = new Set([...without, userId]);
      for (const scope of await scopesOf({ roles: await caches.memberships.get(userId), editor })) {
        for (const inTheEnd of [false, true]) {
          if (await hasAble(deps, scope, { without: left, inTheEnd })) continue;
          if (await hasAble(deps, scope, { inTheEnd })) throw new AppError(directoryErrors.lastAbleOwner);
        }
      }
    },
  };
}

/** How the owners are read. */
interface View {
  /** Absent for the committed state. */
  readonly transaction?: Transaction;
  readonly without?: ReadonlySet<string>;
  /** Whether all days of the policies have come. Absent: this moment. */
  readonly inTheEnd?: boolean;
  /**
   * A policy that counts instead of the present one of its organization, with all of its days. `isTested`: only passkeys count that have signed
   * in.
   */
  readonly wanted?: Pick<WantedPolicy, 'orgId' | 'policy'> & { readonly isTested: boolean };
}

/** Whether an owner of the place can sign in. */
async function hasAble(deps: Deps, scope: OwnedScope, view: View = {}): Promise<boolean> {
  const { orgId } = scope;
  const { transaction } = view;
  if (await anyAble(deps, await deps.memberships.ownersOf(orgId, transaction), view)) return true;
  if (orgId === undefined) return false;
  for (const groupId of await deps.groups.holding(orgId, ownerRole(scope), transaction)) {
    let after: string | undefined;
    do {
      const page = await deps.groupMembers.page(orgId, groupId, { after, limit: pageLength }, transaction);
      if (await anyAble(deps, page, view)) return true;
      after = page.length === pageLength ? page.at(-1) : undefined;
    } while (after !== undefined);
  }
  return false;
}

/** Whether one of these people is active, and has what the policy demands, or a valid one-time link that leads to it. */
async function anyAble(deps: Deps, ids: readonly string[], view: View): Promise<boolean> {
  const { transaction, without = new Set() } = view;
  const left = ids.filter((id) => !without.has(id));
  if (left.length === 0) return false;
  const active = await deps.accounts.activeAmong(left, transaction);
  const lacking = new Map<string, Lacking>();
  for (const person of active) {
    const rules = await rulesFor(deps, person, view);
    if (rules.policy === undefined && person.password) return true;
    const owned = await ownedBy(deps, person, { ...rules, transaction });
    if (meetsPolicy(rules.policy ?? {}, owned, rules.at)) return true;
    lacking.set(person.id, { owned, ...rules });
  }
  const links = await deps.oneTimeLinks.linksAmong([...lacking.keys()], deps.clock.now(), transaction);
  return links.some((link) => leadsOn(deps, link, lacking.get(link.userId)));
}

/** The policy that counts for a person. */
interface CountingPolicy {
  readonly policy: SignInPolicy | undefined;
  readonly at: Date | 'allDays';
  readonly isWanted: boolean;
  readonly isTested: boolean;
}

/** An owner who does not have what the policy demands. */
interface Lacking extends CountingPolicy {
  readonly owned: OwnedFactors;
}

/**
 * Whether a one-time link leads to what its person lacks. That of an administrator leads to every factor, and one that the person asked for to a
 * password alone. It must work when all of the days that count have come.
 */
function leadsOn(
  { passkeyServes }: Pick<Deps, 'passkeyServes'>,
  { expires, byAdministrator }: Pick<OneTimeLink, 'expires' | 'byAdministrator'>,
  of: Lacking | undefined,
): boolean {
  if (of === undefined) return false;
  const { policy = {}, at, owned } = of;
  const lastDay = at === 'allDays' ? lastDayOf(policy) : undefined;
  if (lastDay !== undefined && expires <= lastDay) return false;
  const made = byAdministrator
    ? { password: true, totp: true, passkey: passkeyServes({}) }
    : { password: true };
  return meetsPolicy(policy, { ...owned, ...made }, at);
}

async function rulesFor(
  { caches, clock }: Deps,
  { orgId, id }: ActivePerson,
  { wanted, inTheEnd = false }: View,
): Promise<CountingPolicy> {
  if (wanted?.orgId === orgId)
    return { policy: policyOf(wanted.policy, id), at: 'allDays', isWanted: true, isTested: wanted.isTested };
  const policy = await policyFor(caches, { id, orgId });
  return { policy, at: inTheEnd ? 'allDays' : clock.now(), isWanted: false, isTested: false };
}

/** What an owner has to sign in with, as far as it counts for the rule. */
async function ownedBy(
  deps: Deps,
  person: ActivePerson,
  { isWanted, isTested, transaction }: CountingPolicy & { readonly transaction: Transaction | undefined },
): Promise<OwnedFactors> {
  const { orgId, id } = person;
  // One after the other, because a transaction takes one command at a time.
  const [passkeys] = await deps.webauthnCredentials.findMany(orgId, [id], transaction);
  const passkey = Object.values(passkeys?.items ?? {}).some(
    (one) => deps.passkeyServes(one) && (!isTested || one.beganSignIn),
  );
  const connection = !isWanted && (await hasConnection(deps, person, transaction));
  return { ...person, passkey, connection };
}

/** Whether a connection of the organization signs in the person. */
async function hasConnection(
  { identityLinks, connectionsOf, caches }: Deps,
  person: ActivePerson,
  transaction: Transaction | undefined,
): Promise<boolean> {
  const { orgId, id } = person;
  const [links] = await identityLinks.findMany(orgId, [id], transaction);
  if (links === undefined || !hasServingLink(links.items, await connectionsOf(orgId, transaction)))
    return false;
  return !(await hasRoleOutside({ memberships: caches.memberships }, person));
}
