import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { base64Text, directoryErrors, keyText } from '#src/directory/index.js';
import { removeUserMetadata, setUserMetadata, type UserMetadata } from '#src/people/metadata/index.js';
import { AppError } from '#src/platform/errors.js';
import { inOrganization, overSubject } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { resourceRoutes } from '../http/resource-routes.js';
import { orgParams, shapedText, strictObject, timestamp } from '../http/schemas.js';
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
    const routes = resourceRoutes(app, {
      tags: ['user metadata'],
      all: { path: '/orgs/:orgId/users/:userId/metadata', params: userParams },
      one: { path: '/orgs/:orgId/users/:userId/metadata/:key', params: keyParams },
      shown: metadata,
      toResponse,
    });
    routes.list({
      onRequest: mayRead,
      operationId: 'listUserMetadata',
      summary: 'List the metadata of a user',
      async *page({ orgId, userId }, page) {
        const owner = (await users.find(orgId, userId)) ?? (await serviceUsers.find(orgId, userId));
        if (owner === undefined) throw new AppError(directoryErrors.userNotFound);
        yield* userMetadata.portions(orgId, { ...page, userId });
      },
      keyOf: ({ key }) => key,
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getUserMetadata',
      summary: 'Read a metadata value of a user',
      find: ({ orgId, ...name }) =>
        orNotFound(userMetadata.find(orgId, name), directoryErrors.metadataNotFound),
    });
    routes.put({
      onRequest: mayWrite,
      operationId: 'setUserMetadata',
      summary: 'Set a metadata value of a user; replaces an existing value',
      body: strictObject({ value }, { examples: [{ value: 'Z29sZA==' }] }),
      fails: [400, 404],
      run: (target, body) => setUserMetadata(deps, { ...target, ...body }),
    });
    routes.remove({
      onRequest: mayWrite,
      operationId: 'removeUserMetadata',
      summary: 'Remove a metadata value of a user',
      run: (target) => removeUserMetadata(deps, target),
    });
  };
}

function toResponse({ key, value, created, lastModified }: UserMetadata) {
  return { key, value, created: created.toISOString(), lastModified: lastModified.toISOString() };
}
