import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { requireMayChooseProjectId } from '#src/access/authority/index.js';
import { addProject, changeProject, type Project } from '#src/access/projects/index.js';
import { directoryErrors, objectName, organizationId, projectId } from '#src/directory/index.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { removeProject } from '#src/removal/index.js';
import { callerOf, inOrganization } from '../http/caller.js';
import { inProject } from '../http/in-project.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { orgParams, projectParams, shapedText, strictObject, timestamp } from '../http/schemas.js';
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

const toAdd = strictObject(
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
);
const change = strictObject(
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
);

/** Routes for projects. A project has applications that share their audience, and roles of users in them. */
export function projectRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { projects, config } = deps;
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags: ['projects'],
      all: { path: '/orgs/:orgId/projects', params: orgParams },
      one: { path: '/orgs/:orgId/projects/:projectId', params: projectParams },
      shown: project,
      toResponse,
    });
    routes.add({
      onRequest: mayWrite,
      operationId: 'addProject',
      summary: 'Add a project',
      body: toAdd,
      fails: [400, 404, 409],
      run(target, body, request) {
        requireMayChooseProjectId(callerOf(request).memberships, body);
        return addProject(deps, { ...body, ...target });
      },
      location: ({ id }, { orgId }) => `${config.baseUrl}/admin/v1/orgs/${orgId}/projects/${pathSegment(id)}`,
    });
    routes.list({
      onRequest: inOrganization(deps, 'org.read'),
      operationId: 'listProjects',
      summary: 'List the projects of an organization',
      page: ({ orgId }, page) => projects.page(orgId, page),
      keyOf: ({ id }) => id,
      count: ({ orgId }) => projects.count(orgId),
    });
    routes.get({
      onRequest: inProject(deps, 'org.read'),
      operationId: 'getProject',
      summary: 'Read a project',
      find: ({ orgId, projectId }) =>
        orNotFound(projects.find(orgId, projectId), directoryErrors.projectNotFound),
    });
    routes.change({
      onRequest: inProject(deps, 'org.write'),
      operationId: 'changeProject',
      summary: 'Change a project; absent properties stay',
      body: change,
      fails: [400, 404],
      run: ({ projectId: id, ...target }, body) => changeProject(deps, { id, ...target }, body),
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeProject',
      summary:
        'Remove a project with its roles and members; refused while applications or grants belong to it',
      fails: [409],
      run: ({ projectId: id, ...target }) => removeProject(deps, { id, ...target }),
    });
  };
}

function toResponse({ version: _version, audienceOrgIds, created, lastModified, ...shown }: Project) {
  return {
    ...shown,
    audienceOrgIds: [...audienceOrgIds],
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
