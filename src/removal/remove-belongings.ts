import { type AssignmentsStore, removalEvents } from '#src/access/projects/index.js';
import type { Editor, Event } from '#src/audit/event.js';
import type { EventReceiversStore } from '#src/audit/event-receivers.store.js';
import type { ConsentsStore } from '#src/clients/consents/index.js';
import type { UserMetadataStore } from '#src/people/metadata/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';

export interface BelongingsDeps {
  readonly userGrants: AssignmentsStore;
  readonly projectMembers: AssignmentsStore;
  readonly userMetadata: UserMetadataStore;
  readonly consents: Pick<ConsentsStore, 'removeAll'>;
  readonly eventReceivers: Pick<EventReceiversStore, 'removeOf'>;
}

/**
 * Removes the metadata, the consents, the grants, the project memberships and the streams of events of a user or service user.
 * @returns the events of the removal. The event `user.removed` covers the metadata,
 * the consents and the streams.
 */
export async function removeBelongings(
  { userGrants, projectMembers, userMetadata, consents, eventReceivers }: BelongingsDeps,
  { orgId, userId, editor, date }: { orgId: string; userId: string; editor: Editor; date: Date },
  transaction: Transaction,
): Promise<Event[]> {
  const grants = await userGrants.removeAll(orgId, { holderId: userId }, transaction);
  const members = await projectMembers.removeAll(orgId, { holderId: userId }, transaction);
  await userMetadata.removeAll(orgId, userId, transaction);
  await consents.removeAll(orgId, userId, transaction);
  await eventReceivers.removeOf(userId, transaction);
  return [
    ...removalEvents('grant', grants, { editor, date }),
    ...removalEvents('member', members, { editor, date }),
  ];
}
