import { createProjectCheck } from '../references/project-references.js';
import { RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { otherContent } from '../shared/other-content.js';
import type { Surroundings } from '../shared/record-decisions.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';
import { type ApplicationItem, applicationContent } from './application-item.js';

type SurveyDeps = Pick<SectionDeps, 'applications' | 'projects'> & TakenIdentifiersDeps;

/** What the service has for the records of one part. */
type ApplicationSurvey = Surroundings<ApplicationItem> & { readonly identifiers: TakenIdentifiers };

/** Looks up the applications, the projects and the identifiers that records name. */
export async function surveyApplications(
  deps: SurveyDeps,
  { orgId, findReserved }: Pick<SectionContext, 'orgId' | 'findReserved'>,
  items: readonly ApplicationItem[],
): Promise<ApplicationSurvey> {
  const ids = items.map(({ id }) => id);
  const projectIds = items.flatMap(({ content }) => content.settings.projectId ?? []);
  // Before the stored objects are read: what another import adds in between is then among them, and skipped.
  const identifiers = await takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'application' });
  const [found, requireProject, reserved] = await Promise.all([
    deps.applications.findMany(ids),
    createProjectCheck(deps, { orgId, findReserved, projectIds }),
    findReserved(ids.map((id) => reservedName.applicationOf(orgId, id))),
  ]);
  const ofOrganization = found.filter((application) => application.orgId === orgId);
  return {
    identifiers,
    stored: new Map(ofOrganization.map((application) => [application.id, applicationContent(application)])),
    admit({ id, content }) {
      // Reserved by a record of the other list: `oidcApps` and `apiApps` share identifiers.
      if (reserved.has(reservedName.applicationOf(orgId, id))) throw otherContent(['type']);
      if (identifiers.taken.has(id)) throw new RecordFailure('ID-TAKEN');
      const { projectId } = content.settings;
      if (projectId !== undefined) requireProject(projectId);
    },
  };
}
