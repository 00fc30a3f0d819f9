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
import { AppError } from '#src/platform/errors.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { editorOf } from '../http/caller.js';
import { inProject } from '../http/in-project.js';
import {
  answerKeyedPage,
  located,
  noContent,
  pageOf,
  pageQuery,
  problems,
  projectParams,
  security,
  strictObject,
  timestamp,
} from '../http/schemas.js';
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

const tags = ['projects'];

/**
 * Routes for the roles of users and groups in a project. `grants` and `group-grants` are roles that the applications of the project
 * know. `members` are users that may read or change the project in this API.
 */
export function projectAssignmentRoutes(deps: Deps, kind: AssignmentKind): FastifyPluginAsyncTypebox {
  const store = storeOf(deps, kind);
  const { path, operation, of, list, roles: aboutRoles, role, example } = wording[kind];
  const holder = holderFields[kind];
  // The types have the holders of all kinds, because a kind is a value.
  const holderProperty = { [holder]: holderSchemas[holder] } as typeof holderSchemas;
  const holderParams = Type.Object({ ...projectParams.properties, ...holderProperty });
  const base = `/orgs/:orgId/projects/:projectId/${path}` as const;
  const roles = Type.Array(Type.String({ maxLength: 1000, ruled: role }), {
    minItems: 1,
    maxItems: 100,
    description: aboutRoles,
  });
  const answer = Type.Object(
    {
      projectId: Type.String(),
      ...({ [holder]: Type.String() } as typeof holderSchemas),
      roles: Type.Array(Type.String(), { description: aboutRoles }),
      created: timestamp,
      lastModified: timestamp,
    },
    { title: operation },
  );
  const present = ({ projectId, holderId, roles, created, lastModified }: Assignment) => ({
    projectId,
    ...({ [holder]: holderId } as Record<HolderField, string>),
    roles: [...roles],
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  });
  const mayRead = inProject(deps, 'org.read');
  const mayWrite = inProject(deps, 'org.write');

  return async (app) => {
    app.post(
      base,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: `add${operation}`,
          summary: `Add ${of}`,
          params: projectParams,
          body: strictObject(
            { ...holderProperty, roles },
            { examples: [{ [holder]: `the-${holder.slice(0, -2)}`, roles: [example] }] },
          ),
          response: { 201: answer, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId, projectId } = request.params;
        const { [holder]: holderId, roles } = request.body;
        const editor = editorOf(request);
        const place = `${orgId}/projects/${projectId}/${path}/${pathSegment(holderId)}`;
        const added = await addAssignment(deps, { orgId, projectId, holderId, kind, roles, editor });
        reply.header('location', `${deps.config.baseUrl}/admin/v1/orgs/${place}`);
        return reply.code(201).send(present(added));
      },
    );

    app.get(
      base,
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: `list${operation}s`,
          summary: `List ${list}`,
          params: projectParams,
          querystring: pageQuery,
          response: { 200: pageOf(answer), ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, projectId } = request.params;
        return answerKeyedPage(request.query, (page) => store.page(orgId, { ...page, projectId }), {
          present,
          keyOf: ({ holderId }) => holderId,
        });
      },
    );

    app.get(
      `${base}/:${holder}`,
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: `get${operation}`,
          summary: `Read ${of}`,
          params: holderParams,
          response: { 200: answer, ...problems(404) },
        },
      },
      async (request) => {
        const { orgId, projectId, [holder]: holderId } = request.params;
        const found = await store.find(orgId, { projectId, holderId });
        if (found === undefined) throw new AppError(assignmentErrors[kind].notFound);
        return present(found);
      },
    );

    app.patch(
      `${base}/:${holder}`,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: `change${operation}`,
          summary: `Change the roles of ${of}`,
          params: holderParams,
          body: strictObject({ roles }, { examples: [{ roles: [example] }] }),
          response: { 200: answer, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, projectId, [holder]: holderId } = request.params;
        const { roles } = request.body;
        const target = { orgId, projectId, holderId, kind, editor: editorOf(request) };
        return present(await changeAssignment(deps, { ...target, roles }));
      },
    );

    app.delete(
      `${base}/:${holder}`,
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: `remove${operation}`,
          summary: `Remove ${of}`,
          params: holderParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { orgId, projectId, [holder]: holderId } = request.params;
        const editor = editorOf(request);
        await removeAssignment(deps, { orgId, projectId, holderId, kind, editor });
        return reply.code(204).send(null);
      },
    );
  };
}
