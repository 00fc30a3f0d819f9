import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { readFeatures } from '#src/directory/features/read-features.js';
import { keySetSeconds } from '#src/keys/signing-key.js';
import { discoveryDocument } from './discovery.js';

const tags = ['oauth'];
const cacheControl = `max-age=${keySetSeconds}`;

/** The addresses of the metadata. Clients of OAuth without OpenID Connect read the second one. */
const documents = [
  {
    url: '/.well-known/openid-configuration',
    operationId: 'discovery',
    summary: 'Provider metadata (OpenID Connect Discovery 1.0)',
  },
  {
    url: '/.well-known/oauth-authorization-server',
    operationId: 'authorizationServerMetadata',
    summary: 'Authorization server metadata (RFC 8414)',
  },
];

/** Metadata that clients read by themselves: both {@link documents}, which are equal, and `GET /oauth/v2/keys`. */
export function providerMetadataRoutes(container: Container): FastifyPluginAsync {
  const { signingKeys, config } = container;
  return async (app) => {
    for (const { url, operationId, summary } of documents) {
      app.get(
        url,
        {
          config: { compressible: true },
          schema: {
            tags,
            operationId,
            summary,
            description: 'A client reads the addresses of the endpoints and the supported values from it',
            described: async () => (await import('./description/metadata.js')).describeDiscovery(),
          },
        },
        async (_request, reply) => {
          const [signingAlgorithms, { tokenExchange }] = await Promise.all([
            signingKeys.algorithms(),
            readFeatures(container),
          ]);
          reply.header('cache-control', cacheControl);
          return discoveryDocument(config.baseUrl, { signingAlgorithms, tokenExchange });
        },
      );
    }

    app.get(
      '/oauth/v2/keys',
      {
        config: { compressible: true },
        schema: {
          tags,
          operationId: 'keys',
          summary: 'JSON Web Key Set (RFC 7517)',
          description: 'The public keys with which applications and APIs verify tokens',
          described: async () => (await import('./description/metadata.js')).describeKeys(),
        },
      },
      async (_request, reply) => {
        reply.header('cache-control', cacheControl);
        return { keys: await signingKeys.publicJwks() };
      },
    );
  };
}
