import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import {
  directoryErrors,
  inLine,
  isInstanceRole,
  type Membership,
  orConflict,
  permittedOnInstance,
  type Role,
  refusedValue,
} from '#src/directory/index.js';
import { type OrganizationsStore, requireOrganization } from '#src/organizations/index.js';
import { type RequireUserDeps, requireUser, type UsersStore } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type EndConnectedDeps, endConnectedSignIns } from './end-connected-sign-ins.js';
import { membershipEvent } from './membership-event.js';
import type { MembershipsStore } from './memberships.store.js';

interface AddMembershipDeps extends EndConnectedDeps {
  readonly mongo: Mongo;
  readonly organizations: OrganizationsStore;
  readonly users: UsersStore;
  readonly serviceUsers: RequireUserDeps['serviceUsers'] & {
    findById(id: string): Promise<{ readonly orgId: string } | undefined>;
  };
  readonly memberships: MembershipsStore;
  readonly events: EventsStore;
  readonly caches: { readonly memberships: Cache<Membership[]> };
}

interface NewMembership {
  readonly userId: string;
  readonly role: Role;
  /** The organization of the role. Absent for a role of the instance. */
  readonly orgId?: string;
  /**
   * The roles of the caller. Only a caller that manages the instance gives a user of another organization a role in this one. Absent:
   * the service itself gives the role.
   */
  readonly givenBy?: readonly Membership[];
  readonly editor: Editor;
}

/**
 * Gives a role to a user or a service user. A connection signs in nobody with a role outside of its organization. So a person with identities at
 * connections signs in anew after such a role: every token and session of the person ends.
 * @throws AppError `directory.valueInvalid` for a role of the instance in an organization or the reverse,
 * `directory.organizationNotFound`, `directory.userNotFound` also for a user that the caller may not reach,
 * `directory.membershipExists`
 */
export async function addMembership(deps: AddMembershipDeps, added: NewMembership): Promise<Membership> {
  const { userId, role, orgId, editor } = added;
  if (isInstanceRole(role) !== (orgId === undefined)) {
    throw refusedValue('role', 'roleElsewhere', `role ${role} cannot be given here`);
  }
  if (orgId !== undefined) await requireOrganization(deps.organizations.find, orgId);
  const home = (await deps.serviceUsers.findById(userId))?.orgId ?? (await deps.users.organizationOf(userId));
  if (home === undefined || !mayReach(home, added)) throw new AppError(directoryErrors.userNotFound);

  const membership: Membership = {
    id: newId(),
    userId,
    role,
    ...(orgId !== undefined && { orgId }),
    created: deps.clock.now(),
  };
  const homes = new Map([[userId, home]]);
  const event = membershipEvent('member.added', membership, { editor, date: membership.created });
  const write = () =>
    deps.mongo.transactionOf(orgId ?? home, async (transaction) => {
      // An owner of the instance who is deactivated or removed at the same time must not count: see `keepAnOwner`.
      if (orgId === undefined) await requireUser(deps, { orgId: home, userId }, transaction);
      await deps.memberships.insert([membership], homes, transaction);
      await endConnectedSignIns(deps, [membership], { homes, transaction });
      await deps.events.append([event], transaction);
    });
  await inLine(['membership', `${userId} ${orgId ?? '*'} ${role}`, editor.userId], write).catch(
    orConflict(directoryErrors.membershipExists),
  );
  await deps.caches.memberships.invalidate(userId);
  return membership;
}

/** Whether the caller may give this role to a user of the organization `home`. */
function mayReach(home: string, { orgId, givenBy }: NewMembership): boolean {
  return givenBy === undefined || home === orgId || permittedOnInstance(givenBy, 'instance.manage');
}
