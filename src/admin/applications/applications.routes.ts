import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  type Application,
  addApplication,
  approveApplication,
  changeApplication,
  markForAdministration,
} from '#src/clients/applications/index.js';
import { directoryErrors, permittedOnInstance } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { removeApplication } from '#src/removal/index.js';
import {
  callerOf,
  editorOf,
  inOrganization,
  onInstance,
  overApplication,
  requireFreshCaller,
} from '../http/caller.js';
import { namesOnly } from '../http/names-only.js';
import {
  answerPage,
  applicationParams,
  located,
  noContent,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  security,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { addedApplication, application, applicationChange, newApplication } from './application-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'applicationGrants'
  | 'applications'
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'events'
  | 'groups'
  | 'identifiers'
  | 'mongo'
  | 'organizations'
  | 'projects'
  | 'quotas'
  | 'serviceUsers'
  | 'users'
>;

const tags = ['applications'];

/** Routes for applications, the clients of the OpenID provider. */
export function applicationRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { applications, config } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const mayChange = [mayWrite, overApplication(deps)];

  return async (app) => {
    app.post(
      '/orgs/:orgId/applications',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addApplication',
          summary: 'Add an application; a client secret is shown only in this answer',
          params: orgParams,
          body: newApplication,
          response: { 201: addedApplication, ...problems(400, 404, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const { application, clientSecret } = await addApplication(deps, {
          orgId,
          settings: request.body,
          mayAddProject: permittedOnInstance(callerOf(request).memberships, 'instance.manage'),
          editor: editorOf(request),
        });
        return reply
          .code(201)
          .header('location', `${config.baseUrl}/admin/v1/orgs/${orgId}/applications/${application.id}`)
          .send({ ...present(application), ...(clientSecret !== undefined && { clientSecret }) });
      },
    );

    app.get(
      '/orgs/:orgId/applications',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listApplications',
          summary: 'List the applications of an organization',
          params: orgParams,
          querystring: pageQuery,
          response: { 200: pageOf(application), ...problems(400, 404) },
        },
      },
      async (request) =>
        answerPage(request.query, (page) => applications.portions(request.params.orgId, page), present),
    );

    app.get(
      '/orgs/:orgId/applications/:id',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getApplication',
          summary: 'Read an application',
          params: applicationParams,
          response: { 200: application, ...problems(404) },
        },
      },
      async (request) => {
        const found = await applications.find(request.params.orgId, request.params.id);
        if (found === undefined) throw new AppError(directoryErrors.applicationNotFound);
        return present(found);
      },
    );

    app.patch(
      '/orgs/:orgId/applications/:id',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'changeApplication',
          summary: 'Change an application; absent properties stay',
          params: applicationParams,
          body: applicationChange,
          response: { 200: application, ...problems(400, 404, 409, 412) },
        },
      },
      async (request) => {
        const onlyStops = request.body.active === false && namesOnly(request.body, ['active', 'version']);
        if (!onlyStops) requireFreshCaller(deps, request);
        const target = { ...request.params, editor: editorOf(request) };
        const mayAddProject = permittedOnInstance(callerOf(request).memberships, 'instance.manage');
        return present(await changeApplication(deps, target, request.body, { mayAddProject }));
      },
    );

    for (const method of ['PUT', 'DELETE'] as const) {
      const approved = method === 'PUT';
      app.route({
        method,
        url: '/orgs/:orgId/applications/:id/approval',
        onRequest: [mayWrite, onInstance('instance.manage')],
        schema: {
          tags,
          security,
          operationId: approved ? 'approveApplication' : 'removeApplicationApproval',
          summary: approved
            ? 'Approve an open application: it serves the people of every organization without asking each of them'
            : 'Take the approval back',
          params: applicationParams,
          response: { 204: noContent, ...problems(404) },
        },
        async handler(request, reply) {
          const target = { ...request.params, editor: editorOf(request) };
          await approveApplication(deps, target, approved);
          return reply.code(204).send(null);
        },
      });
    }

    for (const method of ['PUT', 'DELETE'] as const) {
      const administers = method === 'PUT';
      app.route({
        method,
        url: '/orgs/:orgId/applications/:id/administration',
        onRequest: [mayWrite, onInstance('instance.manage')],
        schema: {
          tags,
          security,
          operationId: administers ? 'allowAdministration' : 'removeAdministration',
          summary: administers
            ? 'Let people of its organization administer through the application: it may request the scope urn:service:iam:admin'
            : 'Refuse the scope urn:service:iam:admin to the application, and its tokens with it',
          params: applicationParams,
          response: { 204: noContent, ...problems(404) },
        },
        async handler(request, reply) {
          const target = { ...request.params, editor: editorOf(request) };
          await markForAdministration(deps, target, administers);
          return reply.code(204).send(null);
        },
      });
    }

    app.delete(
      '/orgs/:orgId/applications/:id',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'removeApplication',
          summary: 'Remove an application with its secrets and keys',
          params: applicationParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        await removeApplication(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

/** Returns the application without its secrets and keys. */
function present(found: Application) {
  const { secrets: _secrets, keys: _keys, singleAudience: _singleAudience, projectId, ...shown } = found;
  return {
    ...shown,
    clientId: found.id,
    approved: found.approved ?? false,
    administers: found.administers ?? false,
    ...(projectId !== undefined && { projectId }),
    redirectUris: [...found.redirectUris],
    postLogoutRedirectUris: [...found.postLogoutRedirectUris],
    responseTypes: [...found.responseTypes],
    grantTypes: [...found.grantTypes],
    created: found.created.toISOString(),
    lastModified: found.lastModified.toISOString(),
  };
}
