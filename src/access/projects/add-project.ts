import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvents } from '#src/audit/new-event.js';
import { type IdentifierDeps, reserveIdentifier } from '#src/directory/identifiers/index.js';
import { directoryErrors, orConflict } from '#src/directory/index.js';
import { type OrganizationsStore, requireName, requireOrganization } from '#src/organizations/index.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import type { Mongo, Transaction } from '#src/platform/mongo/mongo.js';
import type { Project } from './project.js';
import { requireProjectId } from './project-rules.js';
import type { ProjectsStore } from './projects.store.js';

export interface WriteNewProjectDeps {
  readonly applications: { findById(id: string): Promise<object | undefined> };
  readonly projects: ProjectsStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

interface NewProject {
  readonly orgId: string;
  readonly name: string;
  /** An identifier that an instance owner chose. Absent: the service makes one. */
  readonly id?: string;
  /** Checked by {@link requireAudienceOrgIds}. */
  readonly audienceOrgIds?: readonly string[];
  readonly editor: Editor;
}

/**
 * Adds a project.
 * @throws AppError `directory.organizationNotFound`, `directory.projectTaken`, `directory.valueInvalid`,
 * `directory.valueMissing`, `directory.quotaExceeded`
 */
export async function addProject(
  deps: WriteNewProjectDeps &
    IdentifierDeps & {
      readonly mongo: Mongo;
      readonly organizations: OrganizationsStore;
      readonly projects: ProjectsStore;
      readonly quotas: Pick<Quotas, 'within'>;
    },
  added: NewProject,
): Promise<Project> {
  const checked = {
    ...added,
    id: added.id === undefined ? newId() : requireProjectId(added.id),
    name: requireName('name', added.name),
  };
  await requireOrganization(deps.organizations.find, added.orgId);
  return deps.quotas.within(added.orgId, { projects: 1 }, () =>
    deps.mongo
      .transactionOf(added.orgId, async (transaction) => {
        const { orgId, id } = checked;
        if (added.id !== undefined) await reserveProjectId(deps, { orgId, id }, transaction);
        return writeNewProject(deps, checked, transaction);
      })
      .catch(orConflict(directoryErrors.projectTaken)),
  );
}

/** Reserves an identifier that a caller chose for a project. @throws AppError `directory.projectTaken` */
export function reserveProjectId(
  deps: IdentifierDeps,
  { orgId, id }: { orgId: string; id: string },
  transaction: Transaction,
): Promise<void> {
  const failure = directoryErrors.projectTaken;
  return reserveIdentifier(deps, { orgId, kind: 'project', id, failure }, transaction);
}

/**
 * Writes a project with a checked name and identifier. The identifier must not be the client_id of an application,
 * because audiences contain both.
 * @throws AppError `directory.projectTaken`, and the duplicate-key error of MongoDB
 */
export async function writeNewProject(
  { applications, projects, events, clock }: WriteNewProjectDeps,
  { orgId, id, name, audienceOrgIds = [], editor }: NewProject & { readonly id: string },
  transaction: Transaction,
): Promise<Project> {
  const claim = await projects.claimOf(id, transaction);
  const isFree = claim === undefined || (claim.orgId === orgId && claim.removed);
  if (!isFree || (await applications.findById(id)) !== undefined) {
    throw new AppError(directoryErrors.projectTaken);
  }
  const now = clock.now();
  const version = (claim?.version ?? 0) + 1;
  const project: Project = { id, orgId, name, audienceOrgIds, version, created: now, lastModified: now };
  await projects.insert(orgId, project, transaction);
  const happened = [['project.added', { name }]] as const;
  await events.append(newEvents('project', project, { happened, editor }), transaction);
  return project;
}
