import { type Happening, newEvents } from '#src/audit/new-event.js';
import type { Container } from '#src/container.js';
import { type RoleSettings, requireRole } from '#src/directory/projects/project-rules.js';
import { projectRoleRecord } from '../../format/project-role.record.js';
import { nameBy, planRecords, type RecordItem, recordReader } from './plan-records.js';
import { ImportFailure, PlanOutdated } from './record-failure.js';
import { claimName } from './reservations.js';
import type { ImportSection } from './section.js';

export type ProjectRolesDeps = Pick<Container, 'projects' | 'projectRoles' | 'events'>;

type RoleItem = RecordItem<RoleSettings> & { readonly projectId: string };

const read = recordReader(projectRoleRecord);

/** `projectRoles`, of projects of the organization. */
export function projectRolesSection(deps: ProjectRolesDeps): ImportSection {
  return {
    key: 'projectRoles',
    errorType: 'project_role',
    phase: 3,
    instanceOnly: true,
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
        async survey(items, claimed) {
          const names = items.map(({ projectId, content }) => ({ projectId, key: content.key }));
          const projectIds = [...new Set(items.map(({ projectId }) => projectId))];
          const [roles, projects, claims] = await Promise.all([
            deps.projectRoles.findMany(orgId, names),
            deps.projects.findMany(orgId, projectIds),
            claimed(projectIds.map((id) => claimName.projectOf(orgId, id))),
          ]);
          const known = roles.map(
            ({ projectId, key, displayName, group }) =>
              [`${projectId} ${key}`, { key, displayName, ...(group !== undefined && { group }) }] as const,
          );
          return {
            known: new Map<string, RoleSettings>(known),
            admit({ projectId }) {
              if (projects.has(projectId) || claims.has(claimName.projectOf(orgId, projectId))) return;
              throw new ImportFailure('REFERENCE-UNKNOWN', `Project ${projectId} is not in the organization`);
            },
          };
        },
        ownClaims: ({ projectId, content: { key } }) => [claimName.projectRole(orgId, { projectId, key })],
      });
      const { outcomes, created, claims } = planned;
      return {
        outcomes,
        claims,
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
