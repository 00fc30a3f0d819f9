import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { type IdentifierDeps, reserveIdentifier } from '#src/directory/identifiers/index.js';
import { directoryErrors, type Organization, orConflict } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import { organizationEvent } from './organization-events.js';
import {
  blankOrganization,
  changedOrganization,
  type OrganizationChange,
  requireOrganizationId,
} from './organization-rules.js';
import type { OrganizationsStore } from './organizations.store.js';

/**
 * Adds an organization, with the identifier that an instance owner chose, if any.
 * @throws AppError `directory.organizationExists`, `directory.identifierTaken`, `directory.valueInvalid`, `directory.valueMissing`
 */
export async function addOrganization(
  deps: IdentifierDeps & {
    mongo: Mongo;
    organizations: OrganizationsStore;
    events: EventsStore;
    clock: Clock;
  },
  { id, editor, ...change }: OrganizationChange & { name: string; id?: string; editor: Editor },
): Promise<Organization> {
  const now = deps.clock.now();
  const organization: Organization = {
    ...changedOrganization(blankOrganization, change),
    id: id === undefined ? newId() : requireOrganizationId(id),
    version: 1,
    created: now,
    lastModified: now,
  };
  const { name, domains } = organization;
  const added = organizationEvent('org.added', organization, { editor, payload: { name, domains } });
  await deps.mongo
    .transaction(async (transaction) => {
      await deps.organizations.insert(organization, transaction);
      if (id !== undefined) {
        await reserveIdentifier(deps, { orgId: '*', kind: 'organization', id }, transaction);
      }
      await deps.events.append([added], transaction);
    })
    .catch(orConflict(directoryErrors.organizationExists));
  return organization;
}
