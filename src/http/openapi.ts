import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';

/**
 * Serves `/openapi.json`, made from the schemas of the routes. Routes with `hide` in their schema are left
 * out.
 */
export async function publishOpenapi(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Muster',
        version: '1',
        description: 'User provisioning (SCIM 2.0), OpenID Connect and the administration of an instance.',
      },
      servers: [{ url: config.baseUrl }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Access token or personal access token' },
          client: { type: 'http', scheme: 'basic', description: 'client_id and client_secret' },
        },
      },
    },
  });
  let text: string | undefined;
  app.get('/openapi.json', { config: { compressible: true }, schema: { hide: true } }, (_request, reply) => {
    // All routes are known when the first request comes.
    text ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').header('cache-control', 'max-age=300').send(text);
  });
}
