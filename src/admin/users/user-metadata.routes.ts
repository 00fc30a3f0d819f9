import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { base64Text, directoryErrors, keyText } from '#src/directory/index.js';
import { removeUserMetadata, setUserMetadata, type UserMetadata } from '#src/people/metadata/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization, overSubject } from '../http/caller.js';
import {
  answerKeyedPage,
  noContent,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  security,
  shapedText,
  strictObject,
  timestamp,
} from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const userParams = Type.Object({
  ...orgParams.properties,
  userId: Type.String({ minLength: 1, maxLength: 200, description: 'A user or a service user' }),
});
const keyParams = Type.Object({
  ...userParams.properties,
  key: Type.String({
    minLength: 1,
    maxLength: 200,
    description: '1 to 200 characters without spaces',
    ruled: keyText,
  }),
});

const value = shapedText(100_000, base64Text, 'Up to 65536 bytes in base64');
const metadata = Type.Object(
  {
    key: Type.String(),
    value: Type.String({ description: 'base64' }),
    created: timestamp,
    lastModified: timestamp,
  },
  { title: 'UserMetadata' },
);

const tags = ['user metadata'];

/** Routes for the metadata that programs keep with users and service users. The programs choose the keys. */
export function userMetadataRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'events'
    | 'mongo'
    | 'projectMembers'
    | 'quotas'
    | 'serviceUsers'
    | 'userMetadata'
    | 'users'
  >,
): FastifyPluginAsyncTypebox {
  const { userMetadata, users, serviceUsers } = deps;
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = [inOrganization(deps, 'org.write'), overSubject(deps)];

  return async (app) => {
    app.get(
      '/orgs/:orgId/users/:userId/metadata',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'listUserMetadata',
          summary: 'List the metadata of a user',
          params: userParams,
          querystring: pageQuery,
          response: { 200: pageOf(metadata), ...problems(400, 404) },
        },
      },
      async (request) => {
        const { orgId, userId } = request.params;
        const owner = (await users.find(orgId, userId)) ?? (await serviceUsers.find(orgId, userId));
        if (owner === undefined) throw new AppError(directoryErrors.userNotFound);
        return answerKeyedPage(request.query, (page) => userMetadata.portions(orgId, { ...page, userId }), {
          present,
          keyOf: ({ key }) => key,
        });
      },
    );

    app.get(
      '/orgs/:orgId/users/:userId/metadata/:key',
      {
        onRequest: mayRead,
        schema: {
          tags,
          security,
          operationId: 'getUserMetadata',
          summary: 'Read a metadata value of a user',
          params: keyParams,
          response: { 200: metadata, ...problems(404) },
        },
      },
      async (request) => {
        const found = await userMetadata.find(request.params.orgId, request.params);
        if (found === undefined) throw new AppError(directoryErrors.metadataNotFound);
        return present(found);
      },
    );

    app.put(
      '/orgs/:orgId/users/:userId/metadata/:key',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'setUserMetadata',
          summary: 'Set a metadata value of a user; replaces an existing value',
          params: keyParams,
          body: strictObject({ value }, { examples: [{ value: 'Z29sZA==' }] }),
          response: { 200: metadata, ...problems(400, 404) },
        },
      },
      async (request) => {
        const given = { ...request.params, ...request.body, editor: editorOf(request) };
        return present(await setUserMetadata(deps, given));
      },
    );

    app.delete(
      '/orgs/:orgId/users/:userId/metadata/:key',
      {
        onRequest: mayWrite,
        schema: {
          tags,
          security,
          operationId: 'removeUserMetadata',
          summary: 'Remove a metadata value of a user',
          params: keyParams,
          response: { 204: noContent, ...problems(404) },
        },
      },
      async (request, reply) => {
        await removeUserMetadata(deps, { ...request.params, editor: editorOf(request) });
        return reply.code(204).send(null);
      },
    );
  };
}

function present({ key, value, created, lastModified }: UserMetadata) {
  return { key, value, created: created.toISOString(), lastModified: lastModified.toISOString() };
}
