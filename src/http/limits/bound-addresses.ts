import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';
import { countsTooMany } from '../base/parameters.js';
import { pathOfAbsoluteForm } from './refuse-ambiguous.js';

/** In characters. Every path of a route with identifiers of this service is much shorter. */
const maxPathLength = 8_192;

/**
 * The address under which the router finds a request. In a path that cannot be decoded each `%` stands for itself. Otherwise the
 * router would refuse the request before any hook, and no limit would count it. A slash at the end of a SCIM path, of an endpoint of
 * OAuth and OpenID Connect, or of a well-known address (RFC 8615) changes nothing. An address with a host means its path, for the router
 * and for everything that reads the address.
 */
export function routableAddress(target: string): string {
  const url = pathOfAbsoluteForm(target) ?? target;
  const path = pathOf(url);
  const rest = url.slice(path.length);
  if (!isDecodable(path)) return path.replaceAll('%', '%25') + rest;
  return path.endsWith('/') && freeEnds.some((start) => path.startsWith(start))
    ? path.slice(0, -1) + rest
    : url;
}

/**
 * Below these paths, a slash at the end changes nothing. The administration is not among them. A client whose identifier is empty
 * would reach the list, and a DELETE of a list can remove all its objects.
 */
const freeEnds = ['/scim/v2/', '/oauth/v2/', '/oidc/v1/', '/.well-known/'];

function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Refuses requests with a longer path (414, RFC 9110 section 15.5.15), with a path that cannot be decoded, or with more than 100
 * parameters in the query.
 */
export function boundAddresses(app: FastifyInstance): void {
  app.addHook('onRequest', ({ url, originalUrl }, _reply, done) => {
    const mark = url.indexOf('?');
    const pathLength = mark === -1 ? url.length : mark;
    if (pathLength > maxPathLength) return done(new AppError(httpErrors.urlTooLong));
    if (url !== originalUrl && !isDecodable(pathOf(originalUrl)))
      return done(new AppError(httpErrors.urlMalformed));
    if (mark !== -1 && countsTooMany(url.slice(mark + 1)))
      return done(new AppError(httpErrors.parametersTooMany));
    return done();
  });
}
