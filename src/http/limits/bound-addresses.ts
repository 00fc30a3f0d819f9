import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { countsTooMany } from '../bodies/parameters.js';
import { httpErrors } from '../errors.js';

/** In characters. Every path of a route with identifiers of this service is much shorter. */
const maxPathLength = 8_192;

/** Refuses requests with a longer path (414, RFC 9110 section 15.5.15) or with more than 100 parameters in the query. */
export function boundAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url }, _reply, done) => {
    const mark = url.indexOf('?');
    const pathLength = mark === -1 ? url.length : mark;
    if (pathLength > maxPathLength) return done(new AppError(httpErrors.urlTooLong));
    if (mark !== -1 && countsTooMany(url.slice(mark + 1)))
      return done(new AppError(httpErrors.parametersTooMany));
    return done();
  });
}
