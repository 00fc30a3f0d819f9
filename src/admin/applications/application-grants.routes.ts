import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  type ApplicationGrant,
  addApplicationGrant,
  removeApplicationGrant,
} from '#src/clients/grants/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import {
  answerKeyedPage,
  noContent,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  security,
  timestamp,
} from '../http/schemas.js';
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
    app.get(
      '/orgs/:orgId/application-grants',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listApplicationGrants',
          summary:
            'List the applications of others that serve the people of this organization without asking them',
          params: orgParams,
          querystring: pageQuery,
          response: { 200: pageOf(grant), ...problems(400, 404) },
        },
      },
      async (request) =>
        answerKeyedPage(request.query, (page) => applicationGrants.page(request.params.orgId, page), {
          present,
          keyOf: ({ clientId }) => clientId,
        }),
    );

    app.get(
      '/orgs/:orgId/application-grants/:clientId',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getApplicationGrant',
          summary: 'Read whether the organization granted an application',
          params,
          response: { 200: grant, ...problems(404) },
        },
      },
      async (request) => {
        const found = await applicationGrants.find(request.params.orgId, request.params.clientId);
        if (found === undefined) throw new AppError(directoryErrors.applicationGrantNotFound);
        return present(found);
      },
    );

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
        present(await addApplicationGrant(deps, { ...request.params, editor: editorOf(request) })),
    );

    app.delete(
      '/orgs/:orgId/application-grants/:clientId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeApplicationGrant',
          summary: 'Take the grant back; the application then asks each person',
          params,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        await removeApplicationGrant(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function present({ clientId, created }: ApplicationGrant) {
  return { clientId, created: created.toISOString() };
}
