import type { Editor } from '#src/audit/event.js';
import { newEvents } from '#src/audit/new-event.js';
import { type Changed, compareAndSwap, orTryAgain } from '#src/directory/index.js';
import { type OrganizationsStore, requireOrganization } from '#src/organizations/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { GroupsStore } from '#src/people/groups/index.js';
import { newId } from '#src/platform/ids.js';
import { newClientSecret } from '../credentials/client-secret.js';
import { requireKnownGroups } from './allowed-groups.js';
import type { Application, GivenSettings } from './application.js';
import { requireApplicationSettings, usesSecret, withDefaults } from './application-rules.js';
import { type PublishChosenDeps, publishChosen } from './id-token-algorithm.js';
import { forgetOrigins, joinProject, projectsToAdd, type WriteApplicationDeps } from './write-application.js';

type AddApplicationDeps = WriteApplicationDeps &
  PublishChosenDeps & {
    readonly groups: Pick<GroupsStore, 'namesOf'>;
    readonly organizations: OrganizationsStore;
    readonly quotas: Pick<Quotas, 'isLimited' | 'within'>;
  };

/**
 * Adds an application, and a secret if its authentication method needs one. Returns the text of the secret this once.
 * The store has only its hash.
 * @param request with `mayAddProject`, a project that does not exist is added with the identifier that the caller chose
 * @throws AppError `directory.organizationNotFound`, `directory.projectTaken`, `directory.projectNotFound`, `directory.valueInvalid`,
 * `directory.valueMissing`, `directory.quotaExceeded`
 */
export async function addApplication(
  deps: AddApplicationDeps,
  {
    orgId,
    settings,
    mayAddProject = false,
    editor,
  }: { orgId: string; settings: GivenSettings; mayAddProject?: boolean; editor: Editor },
): Promise<{ application: Application; clientSecret?: string }> {
  const checked = requireApplicationSettings(withDefaults(settings));
  await requireOrganization(deps.organizations.find, orgId);
  await requireKnownGroups(deps, orgId, checked);
  const now = deps.clock.now();
  const first = usesSecret(checked.authMethod) ? newClientSecret(now) : undefined;
  const application: Application = {
    ...checked,
    id: newId(),
    orgId,
    active: true,
    secrets: first === undefined ? [] : [first.secret],
    keys: [],
    singleAudience: true,
    version: 1,
    created: now,
    lastModified: now,
  };
  const { name, type, authMethod } = application;
  const happened = [['application.added', { name, type, authMethod }]] as const;
  const projects = mayAddProject ? await projectsToAdd(deps, orgId, application.projectId) : 0;
  const adds = { applications: 1, projects };
  const write = () =>
    deps.mongo
      .transactionOf(orgId, async (transaction) => {
        await joinProject(deps, { orgId, projectId, mayAddProject, editor }, transaction);
        await deps.applications.insert(orgId, [application], transaction);
        await deps.events.append(newEvents('application', application, { happened, editor }), transaction);
        return application;
      })
      .catch(orTryAgain);
  // Applications of one project lock it.
  const { projectId } = application;
  const changed: Changed =
    projectId === undefined
      ? ['application', application.id, editor.userId]
      : ['project', projectId, editor.userId];
  await deps.quotas.within(orgId, adds, () => compareAndSwap(changed, write));
  await forgetOrigins(deps, application.redirectUris);
  await publishChosen(deps, [application]);
  return { application, ...(first !== undefined && { clientSecret: first.clientSecret }) };
}
