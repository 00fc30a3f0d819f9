import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { publicDocuments } from '#src/http/responses/public-document.js';
import { keySetSeconds } from '#src/keys/signing-key.js';
import { readFeatures } from '#src/organizations/features/index.js';
import { discoveryDocument } from './discovery.js';
import type { OidcNeeds } from './needs/needs.js';

const tags = ['oauth'];
const cacheControl = `max-age=${keySetSeconds}`;

/**
 * `GET /.well-known/openid-configuration` and `GET /oauth/v2/keys`: metadata that clients read by themselves.
 */
export function providerMetadataRoutes(
  deps: Pick<OidcNeeds, 'caches' | 'config' | 'signingKeys'>,
): FastifyPluginAsync {
  const { signingKeys, config } = deps;
  const documents = publicDocuments();
  const send = (reply: FastifyReply, content: object) => {
    const text = JSON.stringify(content);
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', cacheControl)
      .send(documents(text, () => text).plain);
  };
  return async (app) => {
    app.get(
      '/.well-known/openid-configuration',
      {
        config: { compressible: true },
        schema: {
          tags,
          operationId: 'discovery',
          summary: 'Provider metadata (OpenID Connect Discovery 1.0)',
          description: 'A client reads the addresses of the endpoints and the supported values from it',
          described: async () => (await import('./description/metadata.js')).describeDiscovery(),
        },
      },
      async (_request, reply) => {
        const [signingAlgorithms, { tokenExchange }] = await Promise.all([
          signingKeys.algorithms(),
          readFeatures(deps),
        ]);
        return send(reply, discoveryDocument(config.baseUrl, { signingAlgorithms, tokenExchange }));
      },
    );

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
      async (_request, reply) => send(reply, { keys: await signingKeys.publicJwks() }),
    );
  };
}
