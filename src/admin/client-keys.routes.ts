import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Container } from '#src/container.js';
import { directoryErrors } from '#src/directory/errors.js';
import { addServiceUserKey } from '#src/directory/service-users/add-service-user-key.js';
import { removeServiceUserKey } from '#src/directory/service-users/remove-service-user-key.js';
import { AppError } from '#src/platform/errors.js';
import {
  addedKey,
  givenKey,
  key,
  keyBody,
  presentAddedKey,
  presentKey,
} from './client-credential-schemas.js';
import { editorOf, inOrganization, overServiceUser } from './http/caller.js';
import { noContent, pageOf, problems, security, serviceUserParams } from './schemas.js';

const keyParams = Type.Object({ ...serviceUserParams.properties, kid: Type.String({ maxLength: 200 }) });

const tags = ['credentials'];

/** Public keys of service users, for the JWT profile grant and for private_key_jwt (RFC 7523). */
export function serviceUserKeyRoutes(container: Container): FastifyPluginAsyncTypebox {
  const { serviceUsers } = container;
  const mayRead = inOrganization(container, 'org.read');
  const mayChange = [inOrganization(container, 'org.write'), overServiceUser(container)];

  return async (app) => {
    app.post(
      '/orgs/:orgId/service-users/:id/keys',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'addServiceUserKey',
          summary: 'Add a public key, or make a pair whose private part is shown only in this answer',
          params: serviceUserParams,
          body: keyBody,
          response: { 201: addedKey, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const target = { ...request.params, editor: editorOf(request) };
        const added = await addServiceUserKey(container, target, givenKey(request.body));
        return reply.code(201).header('cache-control', 'no-store').send(presentAddedKey(added, target.id));
      },
    );

    app.get(
      '/orgs/:orgId/service-users/:id/keys',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listServiceUserKeys',
          summary: 'List the public keys of a service user',
          params: serviceUserParams,
          response: { 200: pageOf(key), ...problems(404) },
        },
      },
      async (request) => {
        const found = await serviceUsers.find(request.params.orgId, request.params.id);
        if (found === undefined) throw new AppError(directoryErrors.serviceUserNotFound);
        return { items: found.keys.map(presentKey) };
      },
    );

    app.delete(
      '/orgs/:orgId/service-users/:id/keys/:kid',
      {
        onRequest: mayChange,
        schema: {
          tags,
          security,
          operationId: 'removeServiceUserKey',
          summary: 'Remove a public key: what it signed is not accepted any more',
          params: keyParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { kid, ...target } = request.params;
        await removeServiceUserKey(container, { ...target, editor: editorOf(request) }, kid);
        return reply.code(204).send(null);
      },
    );
  };
}
