import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  type ApplicationGrant,
  addApplicationGrant,
  removeApplicationGrant,
} from '#src/clients/grants/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { orgParams, problems, security, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const grant = Type.Object({ clientId: Type.String(), created: timestamp }, { title: 'ApplicationGrant' });
const params = Type.Object({
  ...orgParams.properties,
  clientId: Type.String({ minLength: 1, maxLength: 200, description: 'Application of another organization' }),
});
const tags = ['applications'];

/** Routes for the applications of other organizations that an organization lets its people use. */
export function applicationGrantRoutes(
  deps: Pick<AdminNeeds, 'applicationGrants' | 'caches' | 'clock' | 'events' | 'mongo'>,
): FastifyPluginAsyncTypebox {
  const { applicationGrants } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');

  return async (app) => {
    const routes = resourceRoutes(app, {
      tags,
      all: { path: '/orgs/:orgId/application-grants', params: orgParams },
      one: { path: '/orgs/:orgId/application-grants/:clientId', params },
      shown: grant,
      toResponse,
    });
    routes.list({
      onRequest: mayRead,
      operationId: 'listApplicationGrants',
      summary:
        'List the applications of others that serve the people of this organization without asking them',
      page: ({ orgId }, page) => applicationGrants.page(orgId, page),
      keyOf: ({ clientId }) => clientId,
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getApplicationGrant',
      summary: 'Read whether the organization granted an application',
      find: ({ orgId, clientId }) =>
        orNotFound(applicationGrants.find(orgId, clientId), directoryErrors.applicationGrantNotFound),
    });
    // This PUT has no body.
    app.put(
      '/orgs/:orgId/application-grants/:clientId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addApplicationGrant',
          summary:
            'Let the people of this organization use an open application of another one, without asking them',
          params,
          response: { 200: grant, ...problems(404) },
        },
      },
      async (request) =>
        toResponse(await addApplicationGrant(deps, { ...request.params, editor: editorOf(request) })),
    );
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeApplicationGrant',
      summary: 'Take the grant back; the application then asks each person',
      run: (target) => removeApplicationGrant(deps, target),
    });
  };
}

function toResponse({ clientId, created }: ApplicationGrant) {
  return { clientId, created: created.toISOString() };
}
