import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import type { Happening } from '#src/audit/new-event.js';
import { requireVersion, type Step, type Target } from '#src/directory/index.js';
import type { KnownAlgorithms } from '#src/keys/known-algorithms.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { GroupsStore } from '#src/people/groups/index.js';
import { requireGroupIdentifiers, requireKnownGroups } from './allowed-groups.js';
import type { Application, ApplicationSettings } from './application.js';
import { requireApplicationSettings, usesSecret } from './application-rules.js';
import { changeableSettings, type FixedSetting, type RemovableSetting } from './application-settings.js';
import { formerAlgorithm, type PublishChosenDeps, publishChosen } from './id-token-algorithm.js';
import { projectsToAdd, type WriteApplicationDeps, writeApplication } from './write-application.js';

/** An absent setting stays as it is. Null removes a setting. */
export type ApplicationChange = Partial<Omit<ApplicationSettings, FixedSetting | RemovableSetting>> & {
  readonly [N in RemovableSetting]?: Required<ApplicationSettings>[N] | null;
} & {
  readonly active?: boolean;
  /** The version that the caller read. */
  readonly version?: number;
};

/**
 * Changes the given settings of an application. If nothing differs, nothing is written. If the new authentication
 * method uses no secret, the secrets are removed. An inactive application cannot sign users in and cannot authenticate.
 * @throws AppError `directory.versionDiffers`, `directory.valueInvalid`, `directory.valueMissing`, `directory.quotaExceeded` and the errors of {@link writeApplication}
 */
export async function changeApplication(
  deps: WriteApplicationDeps &
    PublishChosenDeps & {
      readonly groups: Pick<GroupsStore, 'namesOf'>;
      readonly quotas: Pick<Quotas, 'isLimited' | 'within'>;
    },
  target: Target,
  change: ApplicationChange,
  options: { mayAddProject?: boolean } = {},
): Promise<Application> {
  const { orgId } = target;
  const { allowedGroups = [] } = change;
  await requireKnownGroups(deps, orgId, { allowedGroups: requireGroupIdentifiers(allowedGroups) });
  const projects = options.mayAddProject ? await projectsToAdd(deps, orgId, change.projectId) : 0;
  const known = await deps.signingKeys.known();
  const changed = await deps.quotas.within(orgId, { projects }, () =>
    writeApplication(deps, target, (current) => changeStep(current, change, known), options),
  );
  await publishChosen(deps, [changed]);
  return changed;
}

function changeStep(
  current: Application,
  { active = current.active, version, ...change }: ApplicationChange,
  known: KnownAlgorithms,
): Step<Application> {
  requireVersion(current, version);
  const next = withoutNulls({ ...current, ...change });
  const checked = {
    ...next,
    ...requireApplicationSettings(next),
    active,
    secrets: usesSecret(next.authMethod) ? current.secrets : [],
  };
  const attributes = changeableSettings.filter((name) => !isDeepStrictEqual(checked[name], current[name]));
  const happened: Happening[] = [];
  if (attributes.length > 0) {
    happened.push(['application.changed', { attributes, ...keptChanges(current, checked, attributes) }]);
  }
  for (const { id: secretId } of current.secrets.slice(checked.secrets.length)) {
    happened.push(['application.secret.removed', { secretId }]);
  }
  if (checked.active !== current.active) {
    happened.push([checked.active ? 'application.reactivated' : 'application.deactivated', {}]);
  }
  const isRechosen = attributes.includes('idTokenSignedResponseAlg');
  return { next: isRechosen ? withFormer(checked, formerAlgorithm(current, known)) : checked, happened };
}

function withFormer(
  { formerIdTokenAlg: _before, ...application }: Application,
  former: Application['formerIdTokenAlg'],
): Application {
  return { ...application, ...(former !== undefined && { formerIdTokenAlg: former }) };
}

function withoutNulls(application: Omit<Application, RemovableSetting> & ApplicationChange): Application {
  const present = Object.entries(application).filter(([, value]) => value !== null);
  return Object.fromEntries(present) as unknown as Application;
}
