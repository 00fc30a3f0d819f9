import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../errors.js';

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

/** Least time between two looks at the delay of the event loop. */
const leastSampleMs = 500;

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
  // The plugin calls a loop late that stood still for all the time between two looks: that must not be below the limit.
  const sampleInterval = Math.max(leastSampleMs, limit);
  let started = Number.POSITIVE_INFINITY;
  app.addHook('onReady', async () => {
    started = performance.now();
  });
  await app.register(underPressure, {
    maxEventLoopDelay: limit,
    sampleInterval,
    pressureHandler({ method, routeOptions: { url } }) {
      const kind = heavyRoutes.get(`${method} ${url}`);
      // What kept the loop until a whole sample after the start is the start itself.
      if (kind === undefined || performance.now() - started < 2 * sampleInterval) return;
      measures?.workShed(kind);
      throw new AppError(httpErrors.overloaded, { retryAfterSeconds: 2 });
    },
  });
}
