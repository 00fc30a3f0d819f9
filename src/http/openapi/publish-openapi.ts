import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import type { DescribedResponse } from '../base/description.js';
import { type PublicDocument, publicDocument } from '../responses/public-document.js';
import type { ApiDocument } from './api-document.js';
import { collectRoutes } from './collect-routes.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of all routes. Call it after all of them were added. */
    describeApi(): Promise<ApiDocument>;
  }
}

interface ServedForm {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  make(): Promise<object>;
}

/**
 * Serves `/openapi.json`, made from the schemas of the routes when it is first asked for, and its plain form. Routes with `hide` in their
 * schema are left out. Call it before the routes are added.
 */
export function publishOpenapi(app: FastifyInstance, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  const routes = collectRoutes(app);
  app.decorate('describeApi', async () => {
    // What nobody asks for is not loaded.
    const { apiDocument } = await import('./api-document.js');
    return apiDocument(routes(), { baseUrl });
  });
  serveForm(app, {
    path: '/openapi.json',
    operationId: 'readApiDescription',
    summary: 'This description of the API (OpenAPI 3.1)',
    description:
      'It describes all addresses that programs use, and leaves out the pages of people. It needs no token',
    make: () => app.describeApi(),
  });
  serveForm(app, {
    path: '/openapi-3.0.json',
    operationId: 'readPlainApiDescription',
    summary: 'The description for generators of clients (OpenAPI 3.0)',
    description:
      'It has the same addresses and fields, each of one type, and leaves out the rules about values. It needs no token',
    make: async () => {
      const { plainDocument } = await import('./plain-document.js');
      return plainDocument(await app.describeApi());
    },
  });
}

function serveForm(app: FastifyInstance, form: ServedForm): void {
  const { path, make, ...described } = form;
  let document: Promise<PublicDocument> | undefined;
  app.get(
    path,
    {
      config: { compressible: true, needsNoStore: true },
      schema: {
        tags: ['service'],
        ...described,
        described: () => ({ responses: { 200: documentResponse } }),
      },
    },
    async (_request, reply) => {
      document ??= make().then((made) => publicDocument(JSON.stringify(made)));
      return reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'max-age=300')
        .send((await document).plain);
    },
  );
}

const documentResponse: DescribedResponse = {
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
};
