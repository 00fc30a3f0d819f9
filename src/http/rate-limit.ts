import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Container } from '#src/container.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from './errors.js';

/** Routes that are never limited: probes must not be. */
const exempt = new Set(['/healthz', '/readyz']);

/** Pages for people: a bearer token means nothing there, so whoever sends one is an address like everybody else. */
const pages = /^\/(login|account)(\/|$)|^\/oauth\/v2\/authorize(\/|$)|^\/oidc\/v1\/end_session(\/|$)/;

/**
 * Limits the requests of one caller a minute, counted in Redis over all processes. A caller is a bearer token, or
 * an address where none is sent. Off when the configuration says 0.
 */
export async function limitRate(app: FastifyInstance, { config, redis }: Container): Promise<void> {
  if (config.rateLimitPerMinute === 0) return;
  await app.register(rateLimit, {
    max: config.rateLimitPerMinute,
    timeWindow: 60_000,
    redis,
    nameSpace: `${config.redisPrefix}:rate:`,
    keyGenerator: ({ headers, ip, routeOptions: { url = '' } }) =>
      headers.authorization === undefined || pages.test(url)
        ? `ip:${ip}`
        : `token:${hashSecret(headers.authorization)}`,
    allowList: (request) => exempt.has(request.routeOptions.url ?? ''),
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError(httpErrors.rateLimited, { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
}
