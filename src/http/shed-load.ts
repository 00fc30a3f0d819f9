import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from './errors.js';

type HeavyKind = 'list' | 'bulk' | 'migration' | 'sign-in';

/**
 * What costs most and can come again later: lists and Bulk, import and export, and what hashes a password. Everything
 * else goes on: probes, and the token endpoint with what belongs to it, which sessions that are under way live on.
 */
export const heavyRoutes: ReadonlyMap<string, HeavyKind> = new Map([
  ['GET /scim/v2/:orgId/Users', 'list'],
  ['HEAD /scim/v2/:orgId/Users', 'list'],
  ['POST /scim/v2/:orgId/Users/.search', 'list'],
  ['POST /admin/v1/events/_search', 'list'],
  ['POST /scim/v2/:orgId/Bulk', 'bulk'],
  ['POST /admin/v1/import', 'migration'],
  ['POST /admin/v1/export', 'migration'],
  ['POST /login', 'sign-in'],
  ['POST /login/register', 'sign-in'],
  ['POST /login/password', 'sign-in'],
  ['POST /login/new-password', 'sign-in'],
  ['POST /account/password', 'sign-in'],
]);

/** How often the delay of the event loop is looked at. */
const sampleMs = 500;

/** Answers heavy requests 503 with Retry-After while the event loop is late. Off when the configuration says 0. */
export async function shedLoad(
  app: FastifyInstance,
  {
    config,
    measures,
  }: {
    config: Pick<Config, 'shedDelayMilliseconds'>;
    measures?: { workShed(kind: HeavyKind): void } | undefined;
  },
): Promise<void> {
  const limit = config.shedDelayMilliseconds;
  if (limit === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay: limit,
    sampleInterval: sampleMs,
    pressureHandler({ method, routeOptions: { url } }) {
      const kind = heavyRoutes.get(`${method} ${url}`);
      if (kind === undefined) return;
      measures?.workShed(kind);
      throw new AppError(httpErrors.overloaded, { retryAfterSeconds: 2 });
    },
  });
}
