import { type RoleSettings, requireRole } from '#src/access/projects/index.js';
import { type Happening, newEvents } from '#src/audit/new-event.js';
import { projectRoleRecord } from '../../../format/project-role.record.js';
import { createProjectCheck } from '../references/project-references.js';
import { PlanOutdated } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type ProjectRolesDeps = Pick<SectionDeps, 'projects' | 'projectRoles' | 'events'>;

type RoleItem = RecordItem<RoleSettings> & { readonly projectId: string };

const read = createRecordReader(projectRoleRecord);

/** `projectRoles`: the roles of the organization's projects. */
export function projectRolesSection(deps: ProjectRolesDeps): ImportSection {
  return {
    key: 'projectRoles',
    errorType: 'project_role',
    phase: 3,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      const planned = await planRecords<RoleItem>(records, context, {
        nameOf: nameBy('projectId', 'roleKey'),
        read(record) {
          const { projectId, roleKey, ...shown } = read(record);
          const content = requireRole({ ...shown, key: roleKey });
          return {
            id: `${projectId}/${content.key}`,
            key: `${projectId} ${content.key}`,
            projectId,
            content,
          };
        },
        async survey(items, findReserved) {
          const names = items.map(({ projectId, content }) => ({ projectId, key: content.key }));
          const projectIds = items.map(({ projectId }) => projectId);
          const [roles, requireProject] = await Promise.all([
            deps.projectRoles.findMany(orgId, names),
            createProjectCheck(deps, { orgId, findReserved, projectIds }),
          ]);
          const stored = roles.map(
            ({ projectId, key, displayName, group }) =>
              [`${projectId} ${key}`, { key, displayName, ...(group !== undefined && { group }) }] as const,
          );
          return {
            stored: new Map<string, RoleSettings>(stored),
            admit: ({ projectId }) => requireProject(projectId),
          };
        },
        ownReservations: ({ projectId, content: { key } }) => [
          reservedName.projectRole(orgId, { projectId, key }),
        ],
      });
      const { outcomes, created, reservations } = planned;
      return {
        outcomes,
        reservations,
        async write(transaction) {
          const roles = created.map(({ projectId, content }) => ({
            ...content,
            orgId,
            projectId,
            created: now,
            lastModified: now,
          }));
          await deps.projectRoles.insert(orgId, roles, transaction);
          for (const id of new Set(roles.map(({ projectId }) => projectId))) {
            const happened = roles
              .filter(({ projectId }) => projectId === id)
              .map(({ key }): Happening => ['project.role.added', { key }]);
            const target = { id, by: happened.length, date: now };
            const project = await deps.projects.advance(orgId, target, transaction);
            if (project === undefined) throw new PlanOutdated();
            await deps.events.append(newEvents('project', project, { happened, editor }), transaction);
          }
        },
      };
    },
  };
}
