import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  type Assignment,
  type AssignmentKind,
  addAssignment,
  assignmentErrors,
  changeAssignment,
  type HolderField,
  holderFields,
  projectMemberRoles,
  removeAssignment,
  storeOf,
} from '#src/access/projects/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { inProject } from '../http/in-project.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { projectParams, strictObject, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'groupGrants'
  | 'groups'
  | 'mongo'
  | 'projectMembers'
  | 'projectRoles'
  | 'projects'
  | 'revocations'
  | 'serviceUsers'
  | 'userGrants'
  | 'users'
>;

const holderSchemas = {
  userId: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A user or a service user of the organization',
  }),
  groupId: Type.String({ minLength: 1, maxLength: 200, description: 'A group of the organization' }),
};

/** The words of this API for each kind. */
const wording = {
  grant: {
    path: 'grants',
    operation: 'ProjectGrant',
    of: 'a grant of a project',
    list: 'the grants of a project',
    roles: 'Keys of roles of the project',
    role: {},
    example: 'editor',
  },
  groupGrant: {
    path: 'group-grants',
    operation: 'ProjectGroupGrant',
    of: 'a grant of a project to a group',
    list: 'the grants of a project to groups',
    roles: 'Keys of roles of the project, which every member of the group has',
    role: {},
    example: 'editor',
  },
  member: {
    path: 'members',
    operation: 'ProjectMember',
    of: 'a member of a project',
    list: 'the members of a project',
    roles: `Of ${projectMemberRoles.join(', ')}`,
    role: { enum: [...projectMemberRoles] },
    example: 'PROJECT_OWNER_VIEWER',
  },
} as const satisfies Record<AssignmentKind, Record<string, unknown>>;

/** The schemas and the presentation of one kind. Its holder is a user or a group, and names the property that identifies it. */
function shapesOf(kind: AssignmentKind) {
  const { operation, roles: aboutRoles, role, example } = wording[kind];
  const holder = holderFields[kind];
  // The types have the holders of all kinds, because a kind is a value.
  const holderProperty = { [holder]: holderSchemas[holder] } as typeof holderSchemas;
  const roles = Type.Array(Type.String({ maxLength: 1000, ruled: role }), {
    minItems: 1,
    maxItems: 100,
    description: aboutRoles,
  });
  return {
    holder,
    holderParams: Type.Object({ ...projectParams.properties, ...holderProperty }),
    toAdd: strictObject(
      { ...holderProperty, roles },
      { examples: [{ [holder]: `the-${holder.slice(0, -2)}`, roles: [example] }] },
    ),
    change: strictObject({ roles }, { examples: [{ roles: [example] }] }),
    shown: Type.Object(
      {
        projectId: Type.String(),
        ...({ [holder]: Type.String() } as typeof holderSchemas),
        roles: Type.Array(Type.String(), { description: aboutRoles }),
        created: timestamp,
        lastModified: timestamp,
      },
      { title: operation },
    ),
    toResponse: ({ projectId, holderId, roles, created, lastModified }: Assignment) => ({
      projectId,
      ...({ [holder]: holderId } as Record<HolderField, string>),
      roles: [...roles],
      created: created.toISOString(),
      lastModified: lastModified.toISOString(),
    }),
  };
}

/**
 * Routes for the roles of users and groups in a project. `grants` and `group-grants` are roles that the applications of the project
 * know. `members` are users that may read or change the project in this API.
 */
export function projectAssignmentRoutes(deps: Deps, kind: AssignmentKind): FastifyPluginAsyncTypebox {
  const store = storeOf(deps, kind);
  const { path, operation, of, list } = wording[kind];
  const { holder, holderParams, toAdd, change, shown, toResponse } = shapesOf(kind);
  const base = `/orgs/:orgId/projects/:projectId/${path}`;
  const mayRead = inProject(deps, 'org.read');
  const mayWrite = inProject(deps, 'org.write');

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['projects'],
      all: { path: base, params: projectParams },
      one: { path: `${base}/:${holder}`, params: holderParams },
      shown,
      toResponse,
    });
    routes.add({
      onRequest: mayWrite,
      operationId: `add${operation}`,
      summary: `Add ${of}`,
      body: toAdd,
      fails: [400, 404, 409],
      run(target, { [holder]: holderId, roles }) {
        // Refuses an identifier that the address in the answer cannot have, before anything is written.
        pathSegment(holderId);
        return addAssignment(deps, { ...target, holderId, kind, roles });
      },
      location: ({ holderId }, { orgId, projectId }) =>
        `${deps.config.baseUrl}/admin/v1/orgs/${orgId}/projects/${projectId}/${path}/${pathSegment(holderId)}`,
    });
    routes.list({
      onRequest: mayRead,
      operationId: `list${operation}s`,
      summary: `List ${list}`,
      page: ({ orgId, projectId }, page) => store.page(orgId, { ...page, projectId }),
      keyOf: ({ holderId }) => holderId,
    });
    routes.get({
      onRequest: mayRead,
      operationId: `get${operation}`,
      summary: `Read ${of}`,
      find: ({ orgId, projectId, [holder]: holderId }) =>
        orNotFound(store.find(orgId, { projectId, holderId }), assignmentErrors[kind].notFound),
    });
    routes.change({
      onRequest: mayWrite,
      operationId: `change${operation}`,
      summary: `Change the roles of ${of}`,
      body: change,
      fails: [400, 404],
      run: ({ [holder]: holderId, ...target }, { roles }) =>
        changeAssignment(deps, { ...target, holderId, kind, roles }),
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: `remove${operation}`,
      summary: `Remove ${of}`,
      run: ({ [holder]: holderId, ...target }) => removeAssignment(deps, { ...target, holderId, kind }),
    });
  };
}
