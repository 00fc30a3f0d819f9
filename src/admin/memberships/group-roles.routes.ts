import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { directoryErrors, type Role } from '#src/directory/index.js';
import { changeGroupRoles, groupRoles } from '#src/people/groups/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { orgParams, problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const groupParams = Type.Object({
  ...orgParams.properties,
  groupId: Type.String({ minLength: 1, maxLength: 200, description: 'A group' }),
});

const roles = Type.Array(Type.Unsafe<Role>(Type.Enum(groupRoles)), {
  maxItems: groupRoles.length,
  description: 'Roles in the organization that every member of the group has',
});

const heldRoles = Type.Object({ roles }, { title: 'GroupRoles' });

const tags = ['memberships'];

/** Routes for the roles that a group holds. SCIM manages the groups and their members. */
export function groupRoleRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'clock' | 'events' | 'groups' | 'mongo'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/orgs/:orgId/groups/:groupId/roles',
      {
        onRequest: inOrganization(deps, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'getGroupRoles',
          summary: 'Read the roles that a group holds',
          params: groupParams,
          response: { 200: heldRoles, ...problems(404) },
        },
      },
      async ({ params: { orgId, groupId } }) => {
        const held = await deps.groups.held(orgId, groupId);
        if (held === undefined) throw new AppError(directoryErrors.groupNotFound);
        return { roles: [...held] };
      },
    );

    app.put(
      '/orgs/:orgId/groups/:groupId/roles',
      {
        onRequest: inOrganization(deps, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'setGroupRoles',
          summary: 'Set the roles that a group holds; its members get and lose them at once',
          params: groupParams,
          body: strictObject({ roles }, { examples: [{ roles: ['ORG_USER_VIEWER'] }] }),
          response: { 200: heldRoles, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, groupId: id } = request.params;
        const editor = editorOf(request);
        const group = await changeGroupRoles(deps, { orgId, id, roles: request.body.roles, editor });
        return { roles: [...(group.roles ?? [])] };
      },
    );
  };
}
