import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { revokeConsent } from '#src/clients/consents/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization, overPerson } from '../http/caller.js';
import { noContent, pageOf, problems, security, timestamp } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';

const identifier = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const params = Type.Object({ orgId: identifier('Organization'), id: identifier('User') });
const consentParams = Type.Object({ ...params.properties, clientId: identifier('Application') });

const consent = Type.Object(
  {
    clientId: Type.String(),
    scopes: Type.Array(Type.String()),
    created: timestamp,
    lastModified: timestamp,
  },
  { title: 'Consent' },
);

/** The most consents in an answer. */
const maxShown = 1_000;

/** Routes for the consents of a user to applications of other organizations. */
export function consentRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'consents'
    | 'events'
    | 'mongo'
    | 'projectMembers'
    | 'refreshTokens'
    | 'serviceUsers'
    | 'users'
  >,
): FastifyPluginAsyncTypebox {
  const { consents } = deps;

  return async (app) => {
    app.get(
      '/orgs/:orgId/users/:id/consents',
      {
        onRequest: inOrganization(deps, 'user.read'),
        schema: {
          tags: ['users'],
          security,
          operationId: 'listConsents',
          summary:
            'List the applications of other organizations to which the user consented, the latest first',
          params,
          response: { 200: pageOf(consent), ...problems(404) },
        },
      },
      async (request) => {
        const user = await userOfPath(deps, request.params);
        const found = await consents.ofUser(user.orgId, { userId: user.id, limit: maxShown });
        const items = found.map(({ clientId, scopes, created, lastModified }) => ({
          clientId,
          scopes: [...scopes],
          created: created.toISOString(),
          lastModified: lastModified.toISOString(),
        }));
        return { items };
      },
    );

    app.delete(
      '/orgs/:orgId/users/:id/consents/:clientId',
      {
        onRequest: [inOrganization(deps, 'user.write'), overPerson(deps, 'change')],
        schema: {
          tags: ['users'],
          security,
          operationId: 'revokeConsent',
          summary: 'Take a consent of the user back; the tokens of the application end',
          params: consentParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const user = await userOfPath(deps, request.params);
        const removed = await revokeConsent(deps, {
          user,
          clientId: request.params.clientId,
          editor: editorOf(request),
        });
        if (!removed) throw new AppError(directoryErrors.consentNotFound);
        return reply.code(204).send(null);
      },
    );
  };
}
