import {
  type AbleOwners,
  keepAnOwner,
  type MembershipsStore,
  membershipEvent,
} from '#src/access/memberships/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { ServiceUsersStore } from '#src/clients/service-users/index.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import type { OrganizationsStore } from '#src/organizations/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';

export interface BeginRemovalDeps {
  readonly organizations: OrganizationsStore;
  readonly memberships: MembershipsStore;
  readonly ableOwners: Pick<AbleOwners, 'keep'>;
  readonly serviceUsers: ServiceUsersStore;
  readonly users: Pick<UsersStore, 'organizationsOf'>;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/**
 * Marks an organization as being removed, in the transaction that stores the job of the removal. After the commit nobody finds it any
 * more. Its people and service users lose their roles of the instance. The last owner of the instance is therefore never one of them.
 * @returns the users whose roles were removed
 * @throws AppError `directory.organizationNotFound`, `directory.lastOwner`, `directory.lastAbleOwner`
 */
export async function beginRemoval(
  deps: BeginRemovalDeps,
  { organization, jobId, editor }: { organization: Organization; jobId: string; editor: Editor },
  transaction: Transaction,
): Promise<string[]> {
  const { id, name, version } = organization;
  const date = deps.clock.now();
  const removal = { jobId, since: date };
  if (!(await deps.organizations.beginRemoval(id, { removal, expectedVersion: version }, transaction)))
    throw new AppError(directoryErrors.changing, { retryAfterSeconds: 1 });
  const owners = await deps.memberships.lockInstanceMembers(transaction);
  const [programs, people] = await Promise.all([
    deps.serviceUsers.organizationsOf(owners),
    deps.users.organizationsOf(owners),
  ]);
  const ofOrganization = [...new Set(owners)].filter(
    (userId) => (programs.get(userId) ?? people.get(userId)) === id,
  );
  for (const userId of ofOrganization) {
    const removed = await deps.memberships.removeAll([userId], transaction);
    const events = removed.map((membership) =>
      membershipEvent('member.removed', membership, { editor, date }),
    );
    await deps.events.append(events, transaction);
  }
  await keepAnOwner(deps, transaction);
  if (ofOrganization.length > 0)
    await deps.ableOwners.keep({ roles: [{ role: 'IAM_OWNER' }], editor }, transaction);
  await deps.events.append(
    [removalEvent('org.removal.requested', { id, editor, date, payload: { name } })],
    transaction,
  );
  return ofOrganization;
}

/** An event of a removal. It belongs to the instance, because it outlives the organization. */
export function removalEvent(
  type: 'org.removal.requested' | 'org.removed',
  { id, editor, date, payload }: { id: string; editor: Editor; date: Date; payload: Record<string, unknown> },
) {
  const sequence = type === 'org.removed' ? 2 : 1;
  return newEvent(type, { aggregate: 'org', id, editor, sequence, date, payload });
}
