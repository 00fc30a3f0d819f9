import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { addProject, changeProject, type Project } from '#src/access/projects/index.js';
import {
  directoryErrors,
  objectName,
  organizationId,
  permittedOnInstance,
  projectId,
} from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { removeProject } from '#src/removal/index.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { callerOf, editorOf, inOrganization } from '../http/caller.js';
import { inProject } from '../http/in-project.js';
import {
  answerPage,
  located,
  noContent,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  projectParams,
  security,
  shapedText,
  strictObject,
  timestamp,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'applications'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'groupGrants'
  | 'groups'
  | 'identifiers'
  | 'mongo'
  | 'organizations'
  | 'projectMembers'
  | 'projectRoles'
  | 'projects'
  | 'quotas'
  | 'serviceUsers'
  | 'userGrants'
  | 'users'
>;

const project = Type.Object(
  {
    id: Type.String(),
    orgId: Type.String(),
    name: Type.String(),
    audienceOrgIds: Type.Array(Type.String()),
    created: timestamp,
    lastModified: timestamp,
  },
  { title: 'Project' },
);

const name = shapedText(1000, objectName);

const tags = ['projects'];

/** Routes for projects. A project has applications that share their audience, and roles of users in them. */
export function projectRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { projects, config } = deps;
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    app.post(
      '/orgs/:orgId/projects',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addProject',
          summary: 'Add a project',
          params: orgParams,
          body: strictObject(
            {
              id: Type.Optional(
                Type.String({
                  description:
                    'An identifier to keep: 1 to 200 of A-Z a-z 0-9 . _ ~ -. Only an instance owner chooses it',
                  ruled: projectId,
                }),
              ),
              name,
            },
            { examples: [{ name: 'Web shop' }] },
          ),
          response: { 201: project, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const isOwner = permittedOnInstance(callerOf(request).memberships, 'instance.manage');
        if (request.body.id !== undefined && !isOwner)
          throw new AppError(tokenErrors.permissionMissing, {
            detail: 'Only an instance owner chooses identifiers',
          });
        const added = await addProject(deps, { ...request.body, orgId, editor: editorOf(request) });
        reply.header(
          'location',
          `${config.baseUrl}/admin/v1/orgs/${orgId}/projects/${pathSegment(added.id)}`,
        );
        return reply.code(201).send(present(added));
      },
    );

    app.get(
      '/orgs/:orgId/projects',
      {
        onRequest: inOrganization(deps, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'listProjects',
          summary: 'List the projects of an organization',
          params: orgParams,
          querystring: pageQuery,
          response: { 200: pageOf(project), ...problems(400, 404) },
        },
      },
      async (request) =>
        answerPage(request.query, (page) => projects.page(request.params.orgId, page), present),
    );

    app.get(
      '/orgs/:orgId/projects/:projectId',
      {
        onRequest: inProject(deps, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'getProject',
          summary: 'Read a project',
          params: projectParams,
          response: { 200: project, ...problems(404) },
        },
      },
      async (request) => {
        const found = await projects.find(request.params.orgId, request.params.projectId);
        if (found === undefined) throw new AppError(directoryErrors.projectNotFound);
        return present(found);
      },
    );

    app.patch(
      '/orgs/:orgId/projects/:projectId',
      {
        onRequest: inProject(deps, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'changeProject',
          summary: 'Change a project; absent properties stay',
          params: projectParams,
          body: strictObject(
            {
              name: Type.Optional(name),
              audienceOrgIds: Type.Optional(
                Type.Array(shapedText(200, organizationId), {
                  maxItems: 100,
                  description:
                    'Other organizations whose applications and service users may ask for tokens for this project, by the scope `urn:service:iam:org:project:id:{id}:aud`',
                }),
              ),
            },
            { examples: [{ name: 'Web shop', audienceOrgIds: [] }] },
          ),
          response: { 200: project, ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, projectId: id } = request.params;
        const target = { orgId, id, editor: editorOf(request) };
        return present(await changeProject(deps, target, request.body));
      },
    );

    app.delete(
      '/orgs/:orgId/projects/:projectId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeProject',
          summary:
            'Remove a project with its roles and members; refused while applications or grants belong to it',
          params: projectParams,
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        const { orgId, projectId: id } = request.params;
        await removeProject(deps, { orgId, id, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function present({ version: _version, audienceOrgIds, created, lastModified, ...shown }: Project) {
  return {
    ...shown,
    audienceOrgIds: [...audienceOrgIds],
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
