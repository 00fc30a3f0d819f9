import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, orConflict } from '#src/directory/index.js';
import { type OrganizationsStore, requireOrganization } from '#src/organizations/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import { userEvent } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { ServiceUser } from './service-user.js';
import { requireSettings, type ServiceUserSettings } from './service-user-rules.js';
import type { ServiceUsersStore } from './service-users.store.js';

interface AddServiceUserDeps {
  readonly mongo: Mongo;
  readonly organizations: OrganizationsStore;
  readonly serviceUsers: ServiceUsersStore;
  readonly events: EventsStore;
  readonly quotas: Pick<Quotas, 'within'>;
  readonly clock: Clock;
}

type NewServiceUser = Partial<ServiceUserSettings> & {
  readonly orgId: string;
  readonly userName: string;
  readonly editor: Editor;
  /** An identifier that no user has or had. Absent: a new one. */
  readonly id?: string;
};

/**
 * Adds a service user without secrets, tokens or roles.
 * @throws AppError `directory.organizationNotFound`, `directory.clientIdTaken`, `directory.valueInvalid`,
 * `directory.valueMissing`, `directory.quotaExceeded`
 */
export async function addServiceUser(
  deps: AddServiceUserDeps,
  { orgId, editor, id = newId(), ...given }: NewServiceUser,
): Promise<ServiceUser> {
  const settings = requireSettings({
    name: given.userName,
    active: true,
    accessTokenType: 'opaque',
    ignorePasswordOnCreate: false,
    ...given,
  });
  await requireOrganization(deps.organizations.find, orgId);
  const now = deps.clock.now();
  const user: ServiceUser = {
    ...settings,
    id,
    orgId,
    secrets: [],
    keys: [],
    singleAudience: true,
    version: 1,
    created: now,
    lastModified: now,
  };
  const { userName, name, active } = user;
  const added = userEvent('user.machine.added', user, editor, { userName, name, active });
  await deps.quotas.within(orgId, { serviceUsers: 1 }, () =>
    deps.mongo
      .transactionOf(orgId, async (transaction) => {
        await deps.serviceUsers.insert(orgId, [user], transaction);
        await deps.events.append([added], transaction);
      })
      .catch(orConflict(directoryErrors.clientIdTaken)),
  );
  return user;
}
