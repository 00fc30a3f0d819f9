import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { changeFeatures, type Features } from '#src/organizations/features/index.js';
import { editorOf, onInstance } from './http/caller.js';
import { problems, security, strictObject } from './http/schemas.js';
import type { AdminNeeds } from './needs/needs.js';

const tokenExchange = Type.Boolean({ description: 'Token exchange at the token endpoint (RFC 8693)' });
const features = Type.Object({ tokenExchange }, { title: 'Features' });

const tags = ['features'];

/** Routes for the features of the instance. Only owners of the instance may use them. */
export function featureRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'clock' | 'events' | 'features' | 'mongo'>,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    const onRequest = onInstance('instance.manage');

    app.get(
      '/features',
      {
        onRequest,
        schema: {
          tags,
          security,
          operationId: 'getFeatures',
          summary: 'Read which features are on',
          response: { 200: features, ...problems() },
        },
      },
      async () => toResponse(await deps.features.get()),
    );

    app.patch(
      '/features',
      {
        onRequest,
        schema: {
          tags,
          security,
          operationId: 'changeFeatures',
          summary: 'Turn features on or off; absent features stay',
          body: strictObject(
            { tokenExchange: Type.Optional(tokenExchange) },
            { examples: [{ tokenExchange: true }] },
          ),
          response: { 200: features, ...problems(400) },
        },
      },
      async (request) => toResponse(await changeFeatures(deps, request.body, editorOf(request))),
    );
  };
}

function toResponse({ tokenExchange }: Features): Features {
  return { tokenExchange };
}
