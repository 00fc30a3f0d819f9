import { type Happening, newEvents } from '#src/audit/new-event.js';
import { type RoleSettings, requireRole } from '#src/directory/projects/project-rules.js';
import { projectRoleRecord } from '../../format/project-role.record.js';
import { createRecordReader, nameBy, planRecords, type RecordItem } from './plan-records.js';
import { PlanOutdated, RecordFailure } from './record-failure.js';
import { reservedName } from './reservations.js';
import type { ImportSection } from './section.js';
import type { SectionDeps } from './section-deps.js';

export type ProjectRolesDeps = Pick<SectionDeps, 'projects' | 'projectRoles' | 'events'>;

type RoleItem = RecordItem<RoleSettings> & { readonly projectId: string };

const read = createRecordReader(projectRoleRecord);

/** `projectRoles`, of projects of the organization. */
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
          const projectIds = [...new Set(items.map(({ projectId }) => projectId))];
          const [roles, projects, reserved] = await Promise.all([
            deps.projectRoles.findMany(orgId, names),
            deps.projects.findMany(orgId, projectIds),
            findReserved(projectIds.map((id) => reservedName.projectOf(orgId, id))),
          ]);
          const known = roles.map(
            ({ projectId, key, displayName, group }) =>
              [`${projectId} ${key}`, { key, displayName, ...(group !== undefined && { group }) }] as const,
          );
          return {
            known: new Map<string, RoleSettings>(known),
            admit({ projectId }) {
              if (projects.has(projectId) || reserved.has(reservedName.projectOf(orgId, projectId))) return;
              throw new RecordFailure('REFERENCE-UNKNOWN', `Project ${projectId} is not in the organization`);
            },
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
