import type { EventsStore } from '#src/audit/events.store.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import { compareAndSwap, directoryErrors, orTryAgain, type Target } from '#src/directory/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Project } from './project.js';
import type { ProjectsStore } from './projects.store.js';

export interface WriteProjectDeps {
  readonly mongo: Mongo;
  readonly projects: ProjectsStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** The next state of a project, and the events of the change. Without events, nothing is written. */
interface ProjectStep {
  readonly project: Project;
  readonly happened: readonly Happening[];
}

/**
 * Writes one step of a project with its events as one compare-and-swap on the version. Changes of its roles use this
 * function too, so that a project that is being removed gets no new role.
 * @param step may write more in the transaction. If another caller changes the project meanwhile, it runs again.
 * @throws AppError `directory.projectNotFound`, `directory.changing`
 */
export async function writeProject(
  deps: WriteProjectDeps,
  { orgId, id, editor }: Target,
  step: (current: Project, write: { transaction: Transaction; now: Date }) => Promise<ProjectStep>,
): Promise<Project> {
  return compareAndSwap(['project', id, editor.userId], async () => {
    const current = await deps.projects.find(orgId, id);
    if (current === undefined) throw new AppError(directoryErrors.projectNotFound);
    return deps.mongo
      .transactionOf(orgId, async (transaction) => {
        const now = deps.clock.now();
        const { project: next, happened } = await step(current, { transaction, now });
        if (happened.length === 0) return current;
        const expectedVersion = current.version;
        const project = { ...next, version: expectedVersion + happened.length, lastModified: now };
        const written = await deps.projects.replace(orgId, { project, expectedVersion }, transaction);
        if (!written) throw new Moved();
        await deps.events.append(newEvents('project', project, { happened, editor }), transaction);
        return project;
      })
      .catch((error) => (error instanceof Moved ? undefined : orTryAgain(error)));
  });
}

/** Another caller changed the project. The transaction is aborted with the writes of the step. */
class Moved extends Error {}
