import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, inLine, isInstanceRole } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { AbleOwners } from './able-owners.js';
import { type KeepAnOwnerDeps, keepAnOwner } from './keep-an-owner.js';
import { membershipEvent } from './membership-event.js';
import type { MembershipsStore } from './memberships.store.js';
import { requireMembership } from './require-membership.js';

interface RemoveMembershipDeps {
  readonly mongo: Mongo;
  readonly serviceUsers: KeepAnOwnerDeps['serviceUsers'];
  readonly memberships: MembershipsStore;
  readonly ableOwners: Pick<AbleOwners, 'keep'>;
  readonly events: EventsStore;
  readonly caches: { readonly memberships: Cache<unknown> };
  readonly clock: Clock;
}

/**
 * Removes a role. With an organization, only a role in that organization is found. Without one, only a role of the
 * instance is found.
 * @throws AppError `directory.membershipNotFound`, `directory.lastOwner`, `directory.lastAbleOwner`
 */
export async function removeMembership(
  deps: RemoveMembershipDeps,
  { id, orgId, editor }: { id: string; orgId: string | undefined; editor: Editor },
): Promise<void> {
  const membership = await requireMembership(deps, { id, orgId });
  const event = membershipEvent('member.removed', membership, { editor, date: deps.clock.now() });
  // Each removal of an instance role locks the memberships of all owners of the instance.
  const isOfInstance = isInstanceRole(membership.role);
  await inLine(isOfInstance ? ['instance', 'owners', editor.userId] : ['membership', id, editor.userId], () =>
    deps.mongo.transactionOf(orgId ?? '', async (transaction) => {
      if (!(await deps.memberships.remove(id, transaction))) {
        throw new AppError(directoryErrors.membershipNotFound);
      }
      if (isOfInstance) await keepAnOwner(deps, transaction);
      await deps.ableOwners.keep({ roles: [membership], editor }, transaction);
      await deps.events.append([event], transaction);
    }),
  );
  await deps.caches.memberships.invalidate(membership.userId);
}
