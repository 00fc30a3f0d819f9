import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type Consent, revokeConsent } from '#src/clients/consents/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { inOrganization, overPerson } from '../http/caller.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { pageOf, timestamp, userParams } from '../http/schemas.js';
import { userOfPath } from '../http/user-of-path.js';
import type { AdminNeeds } from '../needs/needs.js';

const consentParams = Type.Object({
  ...userParams.properties,
  clientId: Type.String({ minLength: 1, maxLength: 200, description: 'Application' }),
});

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
    const routes = resourceRoutes(app, {
      tags: ['users'],
      all: { path: '/orgs/:orgId/users/:id/consents', params: userParams },
      one: { path: '/orgs/:orgId/users/:id/consents/:clientId', params: consentParams },
      shown: consent,
      toResponse,
    });
    routes.listAll({
      onRequest: inOrganization(deps, 'user.read'),
      operationId: 'listConsents',
      summary: 'List the applications of other organizations to which the user consented, the latest first',
      answer: pageOf(consent),
      async all(target) {
        const user = await userOfPath(deps, target);
        return consents.ofUser(user.orgId, { userId: user.id, limit: maxShown });
      },
    });
    routes.remove({
      onRequest: [inOrganization(deps, 'user.write'), overPerson(deps, 'change')],
      operationId: 'revokeConsent',
      summary: 'Take a consent of the user back; the tokens of the application end',
      async run({ clientId, editor, ...target }) {
        const user = await userOfPath(deps, target);
        const removed = await revokeConsent(deps, { user, clientId, editor });
        if (!removed) throw new AppError(directoryErrors.consentNotFound);
      },
    });
  };
}

function toResponse({ clientId, scopes, created, lastModified }: Consent) {
  return {
    clientId,
    scopes: [...scopes],
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
