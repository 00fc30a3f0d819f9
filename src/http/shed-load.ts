import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import type { LoopDelay } from '#src/platform/loop-delay.js';
import { httpErrors } from './errors.js';

/**
 * What costs most and can come again later: lists and Bulk, import and export, and what hashes a password. Everything
 * else goes on: probes, and the token endpoint with what belongs to it, which sessions that are under way live on.
 */
const heavy: ReadonlySet<string> = new Set([
  'GET /scim/v2/:orgId/Users',
  'POST /scim/v2/:orgId/Users/.search',
  'POST /scim/v2/:orgId/Bulk',
  'POST /admin/v1/import',
  'POST /admin/v1/export',
  'POST /admin/v1/events/_search',
  'POST /login',
  'POST /login/register',
  'POST /login/password',
  'POST /login/new-password',
  'POST /account/password',
]);

/** Answers heavy requests 503 with Retry-After while the event loop is late. Off when the configuration says 0. */
export function shedLoad(
  app: FastifyInstance,
  { config, loopDelay }: { config: Pick<Config, 'shedDelayMilliseconds'>; loopDelay: LoopDelay },
): void {
  const limit = config.shedDelayMilliseconds;
  if (limit === 0) return;
  app.addHook('onRequest', ({ method, routeOptions: { url } }, _reply, done) => {
    if (loopDelay.milliseconds() <= limit || !heavy.has(`${method} ${url}`)) return done();
    done(new AppError(httpErrors.overloaded, { retryAfterSeconds: 2 }));
  });
}
