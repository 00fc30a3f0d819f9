import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { directoryErrors, type Role } from '#src/directory/index.js';
import { changeGroupRoles, groupRoles } from '#src/people/groups/index.js';
import { inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { objectRoutes } from '../http/resource-routes.js';
import { orgParams, strictObject } from '../http/schemas.js';
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

/** Routes for the roles that a group holds. SCIM manages the groups and their members. */
export function groupRoleRoutes(
  deps: Pick<AdminNeeds, 'ableOwners' | 'caches' | 'clock' | 'events' | 'groups' | 'mongo'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    const routes = objectRoutes(app, {
      tags: ['memberships'],
      path: '/orgs/:orgId/groups/:groupId/roles',
      params: groupParams,
      shown: heldRoles,
      toResponse: (held: readonly Role[]) => ({ roles: [...held] }),
    });
    routes.get({
      onRequest: inOrganization(deps, 'org.read'),
      operationId: 'getGroupRoles',
      summary: 'Read the roles that a group holds',
      find: ({ orgId, groupId }) =>
        orNotFound(deps.groups.held(orgId, groupId), directoryErrors.groupNotFound),
    });
    routes.put({
      onRequest: inOrganization(deps, 'org.write'),
      operationId: 'setGroupRoles',
      summary: 'Set the roles that a group holds; its members get and lose them at once',
      body: strictObject({ roles }, { examples: [{ roles: ['ORG_USER_VIEWER'] }] }),
      fails: [400, 404, 409],
      async run({ groupId: id, ...target }, { roles }) {
        const { orgId, editor } = target;
        const group = await changeGroupRoles(deps, {
          id,
          ...target,
          roles,
          afterLoss: (lost, transaction) =>
            deps.ableOwners.keep({ roles: lost.map((role) => ({ role, orgId })), editor }, transaction),
        });
        return group.roles ?? [];
      },
    });
  };
}
