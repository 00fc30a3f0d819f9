import {
  type Project,
  requireAudienceOrgIds,
  requireProjectId,
  writeNewProject,
} from '#src/access/projects/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { projectRecord } from '../../../format/project.record.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';

type ProjectsDeps = TakenIdentifiersDeps &
  Pick<SectionDeps, 'applications' | 'projects' | 'events' | 'clock'>;

type ProjectItem = RecordItem<Pick<Project, 'name' | 'audienceOrgIds'>>;

const read = createRecordReader(projectRecord);

/** `projects`. A project keeps the identifier of the file, so nothing else may have that identifier. */
export function projectsSection(deps: ProjectsDeps): ImportSection {
  return {
    key: 'projects',
    errorType: 'project',
    quota: 'projects',
    successKey: 'projectIds',
    phase: 2,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor } = context;
      let identifiers: TakenIdentifiers | undefined;
      const { outcomes, created, reservations } = await planRecords<ProjectItem>(records, context, {
        nameOf: nameBy('projectId'),
        read(record) {
          const { projectId, project } = read(record);
          const id = requireProjectId(projectId);
          const content = {
            name: requireName('name', project.name),
            audienceOrgIds: requireAudienceOrgIds(project.audienceOrgIds ?? []),
          };
          return { id, key: id, content };
        },
        async survey(items, findReserved) {
          const ids = items.map(({ id }) => id);
          // Before the stored objects are read: what another import adds in between is then among them, and skipped.
          identifiers = await takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'project' });
          const { taken } = identifiers;
          const found = await deps.projects.findMany(orgId, ids);
          return {
            stored: new Map(
              [...found.values()].map(({ id, name, audienceOrgIds }) => [id, { name, audienceOrgIds }]),
            ),
            admit({ id }) {
              if (taken.has(id)) throw new RecordFailure('ID-TAKEN');
            },
          };
        },
        ownReservations: ({ id }) => [reservedName.projectOf(orgId, id)],
        sharedReservations: ({ id }) => [reservedName.project(id)],
      });
      return {
        outcomes,
        reservations,
        async write(transaction) {
          const ids = created.map(({ id }) => id);
          await identifiers?.reserve(ids, transaction);
          for (const { id, content } of created) {
            await writeNewProject(deps, { orgId, id, ...content, editor }, transaction).catch(rethrow);
          }
        },
      };
    },
  };
}

/** Another writer may have taken the identifier after the plan looked it up. @throws PlanOutdated in that case */
function rethrow(error: unknown): never {
  const isTaken = error instanceof AppError && error.definition === directoryErrors.projectTaken;
  throw isTaken ? new PlanOutdated() : error;
}
