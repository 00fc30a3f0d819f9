import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import type { SigningKeys } from '#src/keys/signing-keys.js';

const KeySet = Type.Object({
  keys: Type.Array(Type.Object({ kid: Type.String(), kty: Type.String() }, { additionalProperties: true })),
});

/** `GET /oauth/v2/keys`: the public keys that verify our JWTs (RFC 7517 section 5). */
export function keysRoutes({ signingKeys }: { signingKeys: SigningKeys }): FastifyPluginAsync {
  const schema = {
    tags: ['oauth'],
    operationId: 'keys',
    summary: 'JSON Web Key Set (RFC 7517)',
    response: { 200: KeySet },
  };
  return async (app) => {
    app.get('/oauth/v2/keys', { schema }, async (_request, reply) => {
      reply.header('cache-control', 'max-age=300');
      return { keys: await signingKeys.publicJwks() };
    });
  };
}
