import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Container } from '#src/container.js';
import type { Application } from '#src/directory/applications/application.js';
import { removeApplicationKey } from '#src/directory/applications/remove-application-key.js';
import { removeApplicationSecret } from '#src/directory/applications/remove-application-secret.js';
import { addApplicationKey } from '#src/directory/credentials/client-keys.js';
import { addApplicationSecret } from '#src/directory/credentials/client-secrets.js';
import { directoryErrors } from '#src/directory/errors.js';
import { AppError } from '#src/platform/errors.js';
import {
  addedKey,
  addedSecret,
  givenKey,
  key,
  keyBody,
  presentAddedKey,
  presentKey,
  presentSecret,
  secret,
} from './client-credential-schemas.js';
import { editorOf, inOrganization } from './http/caller.js';
import { applicationParams, noContent, pageOf, problems, security, strictObject } from './schemas.js';

const secretParams = Type.Object({
  ...applicationParams.properties,
  secretId: Type.String({ maxLength: 200 }),
});
const keyParams = Type.Object({ ...applicationParams.properties, kid: Type.String({ maxLength: 200 }) });

const tags = ['applications'];

/** What applications authenticate with: secrets, and public keys for private_key_jwt. */
export function applicationCredentialRoutes(container: Container): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(container, 'org.read');
  const mayWrite = inOrganization(container, 'org.write');

  return async (app) => {
    app.post(
      '/orgs/:orgId/applications/:id/secrets',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addApplicationSecret',
          summary: 'Add a client secret, shown only in this answer; at most two at once, for rotation',
          params: applicationParams,
          body: strictObject({}),
          response: { 201: addedSecret, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const target = { ...request.params, editor: editorOf(request) };
        const added = await addApplicationSecret(container, target);
        return reply
          .code(201)
          .header('cache-control', 'no-store')
          .send({
            ...presentSecret(added.secret),
            clientId: target.id,
            clientSecret: added.clientSecret,
          });
      },
    );

    app.get(
      '/orgs/:orgId/applications/:id/secrets',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listApplicationSecrets',
          summary: 'List the client secrets of an application, without the secrets',
          params: applicationParams,
          response: { 200: pageOf(secret), ...problems(404) },
        },
      },
      async (request) => {
        const { secrets } = await requireApplication(request.params);
        return { items: secrets.map(presentSecret) };
      },
    );

    app.delete(
      '/orgs/:orgId/applications/:id/secrets/:secretId',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeApplicationSecret',
          summary: 'Remove a client secret; tokens that it got keep their life',
          params: secretParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { secretId, ...target } = request.params;
        await removeApplicationSecret(container, { ...target, editor: editorOf(request) }, secretId);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/orgs/:orgId/applications/:id/keys',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'addApplicationKey',
          summary: 'Add a public key, or make a pair whose private part is shown only in this answer',
          params: applicationParams,
          body: keyBody,
          response: { 201: addedKey, ...problems(400, 404, 409) },
        },
      },
      async (request, reply) => {
        const target = { ...request.params, editor: editorOf(request) };
        const added = await addApplicationKey(container, target, givenKey(request.body));
        return reply.code(201).header('cache-control', 'no-store').send(presentAddedKey(added, target.id));
      },
    );

    app.get(
      '/orgs/:orgId/applications/:id/keys',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listApplicationKeys',
          summary: 'List the public keys of an application',
          params: applicationParams,
          response: { 200: pageOf(key), ...problems(404) },
        },
      },
      async (request) => {
        const { keys } = await requireApplication(request.params);
        return { items: keys.map(presentKey) };
      },
    );

    app.delete(
      '/orgs/:orgId/applications/:id/keys/:kid',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeApplicationKey',
          summary: 'Remove a public key: what it signed is not accepted any more',
          params: keyParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        const { kid, ...target } = request.params;
        await removeApplicationKey(container, { ...target, editor: editorOf(request) }, kid);
        return reply.code(204).send(null);
      },
    );
  };

  async function requireApplication({ orgId, id }: { orgId: string; id: string }): Promise<Application> {
    const found = await container.applications.find(orgId, id);
    if (found === undefined) throw new AppError(directoryErrors.applicationNotFound);
    return found;
  }
}
