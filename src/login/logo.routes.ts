import type { FastifyPluginAsync } from 'fastify';
import { findLogo, logoPath } from '#src/organizations/logo/index.js';
import type { LoginNeeds } from './needs/needs.js';

/** `GET /login/logos/{orgId}/{digest}.webp`: an uploaded logo. It may do nothing but be shown. */
export function servedLogoRoutes({
  logos,
  caches,
}: Pick<LoginNeeds, 'logos' | 'caches'>): FastifyPluginAsync {
  return async (app) => {
    app.get(`${logoPath}/:orgId/:digest.webp`, async (request, reply) => {
      const { orgId, digest } = request.params as { orgId: string; digest: string };
      const bytes = await findLogo({ logos, find: caches.organizations.get }, { orgId, digest });
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .type('image/webp')
        .send(bytes);
      return reply;
    });
  };
}
