import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey, type Mongo, type Transaction } from '#src/platform/mongo/mongo.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { compareAndSwap } from '../compare-and-swap.js';
import { directoryErrors } from '../errors.js';
import { type InsertProjectDeps, insertProject } from '../projects/add-project.js';
import type { ProjectsStore } from '../projects/projects.store.js';
import type { Application } from './application.js';
import type { ApplicationsStore } from './applications.store.js';

export interface WriteApplicationDeps {
  readonly mongo: Mongo;
  readonly applications: ApplicationsStore;
  readonly projects: ProjectsStore;
  readonly events: EventsStore;
  readonly caches: { readonly applications: Cache<unknown> };
  readonly clock: Clock;
}

/** An application, and who changes it. */
export interface ApplicationTarget {
  readonly orgId: string;
  readonly id: string;
  readonly editor: Editor;
}

/** What becomes of an application, and what happened to it by name. */
export interface ApplicationStep {
  readonly application: Application;
  /** None: nothing is written. Each counts the version up by one. */
  readonly happened: readonly Happening[];
}

/**
 * Writes one step of an application with its events as one compare-and-swap on the version.
 * @param step pure: may be called again with a newer state when somebody else changed it in between
 * @throws AppError `directory.applicationNotFound`, `directory.projectTaken`, `directory.changing`
 */
export async function writeApplication(
  deps: WriteApplicationDeps,
  { orgId, id, editor }: ApplicationTarget,
  step: (current: Application) => ApplicationStep,
): Promise<Application> {
  const written = await compareAndSwap(async () => {
    const current = await deps.applications.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.applicationNotFound);
    const { application: next, happened } = step(current);
    if (happened.length === 0) return current;
    const expectedVersion = current.version;
    const version = expectedVersion + happened.length;
    const application = { ...next, version, lastModified: deps.clock.now() };
    return deps.mongo
      .transaction(async (transaction) => {
        if (next.projectId !== current.projectId) {
          await joinProject(deps, { ...application, editor }, transaction);
        }
        const change = { application, expectedVersion };
        if (!(await deps.applications.replace(orgId, change, transaction))) return undefined;
        await deps.events.append(newEvents('application', application, { happened, editor }), transaction);
        return application;
      })
      .catch(tryAgain);
  });
  await deps.caches.applications.invalidate(id);
  return written;
}

/**
 * Makes sure that the project of the application is there and of its organization; one that nobody has yet is added
 * under its identifier.
 * @throws AppError `directory.projectTaken`
 */
export async function joinProject(
  deps: InsertProjectDeps,
  { orgId, projectId, editor }: Pick<Application, 'orgId' | 'projectId'> & { editor: Editor },
  transaction: Transaction,
): Promise<void> {
  if (projectId === undefined || (await deps.projects.lock(orgId, projectId, transaction))) return;
  await insertProject(deps, { orgId, id: projectId, name: projectId, editor }, transaction);
}

/** Two added one project at once: who was second looks again. */
export function tryAgain(error: unknown): undefined {
  if (isDuplicateKey(error)) return undefined;
  throw error;
}
