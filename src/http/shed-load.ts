import type { FastifyInstance } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import type { LoopDelay } from '#src/platform/loop-delay.js';
import { httpErrors } from './errors.js';

type HeavyKind = 'list' | 'bulk' | 'migration' | 'sign-in';

/**
 * What costs most and can come again later: lists and Bulk, import and export, and what hashes a password. Everything
 * else goes on: probes, and the token endpoint with what belongs to it, which sessions that are under way live on.
 */
const heavy: ReadonlyMap<string, HeavyKind> = new Map([
  ['GET /scim/v2/:orgId/Users', 'list'],
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

/** Answers heavy requests 503 with Retry-After while the event loop is late. Off when the configuration says 0. */
export function shedLoad(
  app: FastifyInstance,
  {
    config,
    loopDelay,
    measures,
  }: {
    config: Pick<Config, 'shedDelayMilliseconds'>;
    loopDelay: LoopDelay;
    measures?: { workShed(kind: HeavyKind): void } | undefined;
  },
): void {
  const limit = config.shedDelayMilliseconds;
  if (limit === 0) return;
  app.addHook('onRequest', ({ method, routeOptions: { url } }, _reply, done) => {
    const kind = loopDelay.milliseconds() <= limit ? undefined : heavy.get(`${method} ${url}`);
    if (kind === undefined) return done();
    measures?.workShed(kind);
    done(new AppError(httpErrors.overloaded, { retryAfterSeconds: 2 }));
  });
}
