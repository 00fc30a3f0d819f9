import { type Assignment, type AssignmentsStore, removalEvents } from '#src/access/projects/index.js';
import type { IdentityLinksStore, WebauthnCredentialsStore } from '#src/accounts/person-lists/index.js';
import type { Editor, Event } from '#src/audit/event.js';
import type { EventReceiversStore } from '#src/audit/event-receivers.store.js';
import type { ConsentsStore } from '#src/clients/consents/index.js';
import type { UserMetadataStore } from '#src/people/metadata/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';

export interface BelongingsDeps {
  readonly userGrants: AssignmentsStore;
  readonly projectMembers: AssignmentsStore;
  readonly userMetadata: UserMetadataStore;
  readonly identityLinks: Pick<IdentityLinksStore, 'remove'>;
  readonly webauthnCredentials: Pick<WebauthnCredentialsStore, 'remove'>;
  readonly consents: Pick<ConsentsStore, 'removeAll'>;
  readonly eventReceivers: Pick<EventReceiversStore, 'removeOf'>;
}

/**
 * Removes the metadata, the links to identity providers, the passkeys, the consents, the grants, the project memberships and the streams of events of users or service users.
 * @param of `editors`: who removes each of them
 * @returns the events of the removal. The event `user.removed` covers the metadata, the links, the passkeys,
 * the consents and the streams.
 */
export async function removeBelongings(
  deps: BelongingsDeps,
  { orgId, editors, date }: { orgId: string; editors: ReadonlyMap<string, Editor>; date: Date },
  transaction: Transaction,
): Promise<Event[]> {
  const { userGrants, projectMembers, userMetadata, consents, eventReceivers } = deps;
  const holderIds = [...editors.keys()];
  const grants = await userGrants.removeAll(orgId, { holderIds }, transaction);
  const members = await projectMembers.removeAll(orgId, { holderIds }, transaction);
  await userMetadata.removeAll(orgId, holderIds, transaction);
  await deps.identityLinks.remove(orgId, holderIds, transaction);
  await deps.webauthnCredentials.remove(orgId, holderIds, transaction);
  await consents.removeAll(orgId, holderIds, transaction);
  await eventReceivers.removeOf(holderIds, transaction);
  return [...editors].flatMap(([id, editor]) => {
    const ofHolder = ({ holderId }: Assignment) => holderId === id;
    return [
      ...removalEvents('grant', grants.filter(ofHolder), { editor, date }),
      ...removalEvents('member', members.filter(ofHolder), { editor, date }),
    ];
  });
}
