import { setTimeout as pause } from 'node:timers/promises';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import {
  type Change,
  type ChangeOrganizationDeps,
  changeOrganization,
  requireOrganization,
} from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import type { UsersStore } from './users.store.js';

/** How long a change waits for requests that began under the setting before. */
const settleMs = 1_000;

/**
 * Makes a change that turns on the setting `uniqueExternalId`. It is refused while two users have the same externalId, because one of
 * them could not be changed any more. A request that began before the change may still write an externalId that another user has. So
 * the users are checked once more after a second. If two have the same externalId then, the setting is turned off again, and the rest of
 * the change stays.
 * @throws AppError `directory.externalIdsShared`, and those of {@link changeOrganization}
 */
export async function wantUniqueExternalIds(
  deps: ChangeOrganizationDeps & { readonly users: Pick<UsersStore, 'sharedExternalId'> },
  { orgId, change, editor }: { orgId: string; change: Change; editor: Editor },
): Promise<Organization> {
  const before = await requireOrganization(deps.organizations.find, orgId);
  if (before.uniqueExternalId) return changeOrganization(deps, { orgId, change, editor });
  const shared = await deps.users.sharedExternalId(orgId);
  if (shared !== undefined) throw refused(shared, 'Give them different ones first');
  const changed = await changeOrganization(deps, { orgId, change, editor });
  await pause(settleMs);
  const late = await deps.users.sharedExternalId(orgId);
  if (late === undefined) return changed;
  await changeOrganization(deps, { orgId, change: { uniqueExternalId: false }, editor });
  const advice =
    'One of them was written meanwhile, so uniqueExternalId is off again. Other settings were changed';
  throw refused(late, advice);
}

function refused(externalId: string, advice: string): AppError {
  return new AppError(directoryErrors.externalIdsShared, {
    detail: `Several users have the externalId ${JSON.stringify(externalId)}. ${advice}`,
  });
}
