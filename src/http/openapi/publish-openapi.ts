import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { type PublicDocument, publicDocument } from '../responses/public-document.js';
import type { ApiDocument } from './api-document.js';
import { collectRoutes } from './collect-routes.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of all routes. Call it after all of them were added. */
    describeApi(): Promise<ApiDocument>;
  }
}

/**
 * Serves `/openapi.json`, made from the schemas of the routes when it is first asked for. Routes with `hide` in their schema are left
 * out. Call it before the routes are added.
 */
export function publishOpenapi(app: FastifyInstance, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  const routes = collectRoutes(app);
  app.decorate('describeApi', async () => {
    // What nobody asks for is not loaded.
    const { apiDocument } = await import('./api-document.js');
    return apiDocument(routes(), { baseUrl });
  });
  let document: Promise<PublicDocument> | undefined;
  app.get(
    '/openapi.json',
    {
      config: { compressible: true, needsNoStore: true },
      schema: {
        tags: ['service'],
        operationId: 'readApiDescription',
        summary: 'This description of the API (OpenAPI 3.1)',
        description:
          'It describes all addresses that programs use, and leaves out the pages of people. It needs no token',
        described: () => ({
          responses: {
            200: {
              description: 'The document',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['openapi', 'info', 'paths'],
                    properties: {
                      openapi: { type: 'string' },
                      info: { type: 'object' },
                      paths: { type: 'object' },
                    },
                  },
                },
              },
            },
          },
        }),
      },
    },
    async (_request, reply) => {
      document ??= app.describeApi().then((described) => publicDocument(JSON.stringify(described)));
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'max-age=300')
        .send((await document).plain);
    },
  );
}
