import {
  type ProjectsStore,
  reserveProjectId,
  type WriteNewProjectDeps,
  writeNewProject,
} from '#src/access/projects/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { IdentifierDeps } from '#src/directory/identifiers/index.js';
import {
  type AggregateAccess,
  directoryErrors,
  orTryAgain,
  type Step,
  type Target,
  writeStep,
} from '#src/directory/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { Application } from './application.js';
import type { ApplicationsStore } from './applications.store.js';
import { originsOf } from './redirect-uris.js';

export interface WriteApplicationDeps extends IdentifierDeps {
  readonly mongo: Mongo;
  readonly applications: ApplicationsStore;
  readonly projects: ProjectsStore;
  readonly events: EventsStore;
  readonly caches: {
    readonly applications: Cache<unknown>;
    /** Whether an active application has a redirect URI of an origin, by the origin. */
    readonly origins: Pick<Cache<unknown>, 'invalidate'>;
  };
  readonly clock: Clock;
}

/**
 * Writes one step of an application with its events, as one compare-and-swap on the version.
 * @param step pure. If another caller changes the application meanwhile, it runs again with the newer state.
 * @param options with `mayAddProject`, a project that does not exist is added with the identifier that the caller chose
 * @throws AppError `directory.applicationNotFound`, `directory.projectTaken`, `directory.projectNotFound`,
 * `directory.changing`
 */
export async function writeApplication(
  deps: WriteApplicationDeps,
  target: Target,
  step: (current: Application) => Pick<Step<Application>, 'next' | 'happened'>,
  { mayAddProject = false }: { mayAddProject?: boolean } = {},
): Promise<Application> {
  const { applications, caches } = deps;
  const { orgId, id, editor } = target;
  const access: AggregateAccess<Application> = {
    aggregate: 'application',
    notFound: directoryErrors.applicationNotFound,
    find: applications.find,
    replace: (application, expectedVersion, transaction) =>
      applications.replace(orgId, { application, expectedVersion }, transaction),
    failed: orTryAgain,
  };
  let before: Application | undefined;
  const written = await writeStep(deps, access, {
    ...target,
    step: (current) => {
      before = current;
      const made = step(current);
      const { projectId } = made.next;
      if (projectId === current.projectId) return made;
      const joined = { orgId, projectId, mayAddProject, editor };
      return { ...made, alongside: (transaction) => joinProject(deps, joined, transaction) };
    },
  });
  await caches.applications.invalidate(id);
  if (before?.active !== written.active || before.redirectUris !== written.redirectUris) {
    await forgetOrigins(deps, [...(before?.redirectUris ?? []), ...written.redirectUris]);
  }
  return written;
}

/** Makes every process look again whether an application has registered the origins of these addresses. */
export async function forgetOrigins(
  { caches }: Pick<WriteApplicationDeps, 'caches'>,
  uris: readonly string[],
): Promise<void> {
  await Promise.all(originsOf(uris).map((origin) => caches.origins.invalidate(origin)));
}

/** Returns how many projects {@link joinProject} is going to add: 0 or 1. 0 too if projects have no quota. */
export async function projectsToAdd(
  { projects, quotas }: { projects: Pick<ProjectsStore, 'find'>; quotas: Pick<Quotas, 'isLimited'> },
  orgId: string,
  projectId: string | null | undefined,
): Promise<number> {
  if (typeof projectId !== 'string' || !(await quotas.isLimited(orgId, 'projects'))) return 0;
  return (await projects.find(orgId, projectId)) === undefined ? 1 : 0;
}

/**
 * Makes sure that the project of the application exists in the organization. If the caller may choose identifiers, and this
 * one is free, the project is added with its identifier as name.
 * @throws AppError `directory.projectTaken`, `directory.projectNotFound`
 */
export async function joinProject(
  deps: WriteNewProjectDeps & IdentifierDeps,
  {
    orgId,
    projectId,
    mayAddProject,
    editor,
  }: { orgId: string; projectId: string | undefined; mayAddProject: boolean; editor: Editor },
  transaction: Transaction,
): Promise<void> {
  if (projectId === undefined || (await deps.projects.lock(orgId, projectId, transaction))) return;
  if (!mayAddProject) throw new AppError(directoryErrors.projectNotFound);
  await reserveProjectId(deps, { orgId, id: projectId }, transaction);
  await writeNewProject(deps, { orgId, id: projectId, name: projectId, editor }, transaction);
}
