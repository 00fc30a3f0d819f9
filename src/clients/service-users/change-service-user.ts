import { keepAnOwner, type MembershipsStore } from '#src/access/memberships/index.js';
import { type RevokeUserTokensDeps, revokeUserTokens } from '#src/accounts/index.js';
import { keptChanges } from '#src/audit/changes.js';
import type { Happening } from '#src/audit/new-event.js';
import { isInstanceRole, requireVersion, type Step, type Target } from '#src/directory/index.js';
import type { ServiceUser } from './service-user.js';
import { requireSettings, type ServiceUserSettings } from './service-user-rules.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

export type ChangeServiceUserDeps = WriteServiceUserDeps &
  RevokeUserTokensDeps & { readonly memberships: MembershipsStore };

/** An absent setting stays as it is. A description of null is removed. */
type ServiceUserChange = Partial<Omit<ServiceUserSettings, 'description'>> & {
  readonly description?: string | null;
  /** The version that the caller read. */
  readonly version?: number;
};

/**
 * Changes the given settings of a service user. If nothing differs, nothing is written. Deactivation also revokes its
 * access tokens. Activation does not restore them.
 * @throws AppError `directory.versionDiffers`, `directory.lastOwner`, `directory.valueInvalid`, `directory.valueMissing` and the errors of {@link
 * writeServiceUser}
 */
export async function changeServiceUser(
  deps: ChangeServiceUserDeps,
  { change, ...target }: Target & { readonly change: ServiceUserChange },
): Promise<ServiceUser> {
  return writeServiceUser(deps, target, (current) => ({
    ...changeStep(current, change),
    alongside: async (transaction) => {
      if (change.active !== false) return;
      const roles = await deps.memberships.ofUser(target.id, transaction);
      if (roles.some(({ role }) => isInstanceRole(role))) await keepAnOwner(deps, transaction);
      await revokeUserTokens(deps, target.id, transaction);
    },
  }));
}

function changeStep(current: ServiceUser, { version, ...change }: ServiceUserChange): Step<ServiceUser> {
  requireVersion(current, version);
  const {
    userName,
    name,
    active,
    accessTokenType,
    ignorePasswordOnCreate,
    ignorePasswords = false,
    plainScimErrors = false,
    description = '',
    ...unchanged
  } = current;
  const before = {
    userName,
    name,
    active,
    accessTokenType,
    ignorePasswordOnCreate,
    ignorePasswords,
    plainScimErrors,
    description,
  };
  const wanted = change.description === undefined ? description : (change.description ?? '');
  const after = requireSettings({ ...before, ...change, description: wanted });
  const attributes = settingNames.filter(
    (setting) => setting !== 'active' && before[setting] !== (after[setting] ?? ''),
  );
  const happened: Happening[] = [];
  if (attributes.length > 0) {
    happened.push(['user.machine.changed', { attributes, ...keptChanges(before, after, attributes) }]);
  }
  if (after.active !== active) happened.push([after.active ? 'user.reactivated' : 'user.deactivated', {}]);
  return { next: { ...unchanged, ...after }, happened };
}

const settingNames = [
  'userName',
  'name',
  'description',
  'active',
  'accessTokenType',
  'ignorePasswordOnCreate',
  'ignorePasswords',
  'plainScimErrors',
] as const;
