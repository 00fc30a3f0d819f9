import { isDeepStrictEqual } from 'node:util';
import type { AbleOwners } from '#src/access/memberships/index.js';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, refusedValue, requireVersion, type SignInPolicy } from '#src/directory/index.js';
import {
  type ChangeOrganizationDeps,
  changeOrganization,
  requireOrganization,
  requireSignInPolicy,
} from '#src/organizations/index.js';
import type { GroupsStore } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type BreakGlassDeps, requireBreakGlassOwners } from './require-break-glass-owners.js';

export interface PutSignInPolicyDeps
  extends ChangeOrganizationDeps,
    Omit<BreakGlassDeps, 'caches' | 'events'> {
  readonly groups: Pick<GroupsStore, 'lock' | 'namesOf'>;
  readonly ableOwners: Pick<AbleOwners, 'keepUnder'>;
  readonly caches: ChangeOrganizationDeps['caches'] & BreakGlassDeps['caches'];
  readonly events: ChangeOrganizationDeps['events'] & BreakGlassDeps['events'];
  /** Absent without a mail server. */
  readonly mailLink?: unknown;
}

interface PutSignInPolicy {
  readonly orgId: string;
  readonly policy: SignInPolicy;
  readonly editor: Editor;
  /** The version of the organization that the caller has read. */
  readonly version?: number | undefined;
}

/**
 * Replaces the sign-in policy of an organization. An empty policy leaves everything to the instance. If nothing differs, nothing is written.
 * @throws AppError `directory.lastAbleOwner` if no owner could sign in when all days of the policy have come, `directory.passkeyUntested`,
 * `directory.mailMissing` for a factor by mail without a mail server, and the errors of {@link changeOrganization}
 */
export async function putSignInPolicy(
  deps: PutSignInPolicyDeps,
  { orgId, policy: given, editor, version }: PutSignInPolicy,
): Promise<{ policy: SignInPolicy; version: number }> {
  const policy = requireSignInPolicy(given);
  await requirePossiblePolicy(deps, orgId, policy);
  await requireBreakGlassOwners(deps, orgId, policy);
  const stored = await requireOrganization(deps.organizations.find, orgId);
  requireVersion(stored, version);
  if (isDeepStrictEqual(stored.signInPolicy ?? {}, policy)) return { policy, version: stored.version };
  const changed = await changeOrganization(deps, {
    orgId,
    editor,
    change: (current) => {
      requireVersion(current, version);
      return { signInPolicy: policy };
    },
    async alongside(transaction) {
      await lockNamedGroups(deps, { orgId, policy }, transaction);
      await deps.ableOwners.keepUnder({ orgId, policy, editor }, transaction);
    },
  });
  return { policy: changed.signInPolicy ?? {}, version: changed.version };
}

/**
 * Checks what only the stores know: the groups that a policy names, and whether there is a mail server.
 * @throws AppError `directory.valueInvalid`, `directory.mailMissing`
 */
export async function requirePossiblePolicy(
  {
    groups,
    mailLink,
  }: Pick<PutSignInPolicyDeps, 'mailLink'> & { readonly groups: Pick<GroupsStore, 'namesOf'> },
  orgId: string,
  policy: SignInPolicy,
): Promise<void> {
  const { firstFactors = [], secondFactors = [] } = policy;
  const usesMail = firstFactors.includes('mailLink') || secondFactors.includes('mailCode');
  if (usesMail && mailLink === undefined) throw new AppError(directoryErrors.mailMissing);
  const named = namedGroups(policy);
  if (named.length === 0) return;
  const known = await groups.namesOf(orgId, [...new Set(named.map(({ id }) => id))]);
  const unknown = named.find(({ id }) => !known.has(id));
  if (unknown !== undefined) throw unknownGroup(unknown);
}

/**
 * Locks the groups that a policy names, so that none of them is removed at the same time.
 * @throws AppError `directory.valueInvalid` if one is gone
 */
async function lockNamedGroups(
  { groups }: Pick<PutSignInPolicyDeps, 'groups'>,
  { orgId, policy }: { readonly orgId: string; readonly policy: SignInPolicy },
  transaction: Transaction,
): Promise<void> {
  const byId = new Map(namedGroups(policy).map((named) => [named.id, named]));
  for (const named of byId.values())
    if (!(await groups.lock(orgId, named.id, transaction))) throw unknownGroup(named);
}

interface NamedGroup {
  readonly id: string;
  /** Where the policy names it. */
  readonly path: string;
}

function namedGroups({ demands = [] }: SignInPolicy): NamedGroup[] {
  return demands.flatMap(({ groups = [] }, demand) =>
    groups.map((id, index) => ({ id, path: `demands[${demand}].groups[${index}]` })),
  );
}

function unknownGroup({ path }: NamedGroup): AppError {
  return refusedValue(path, 'groupUnknown', `${path} is no group of the organization`);
}
