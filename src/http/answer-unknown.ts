import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from './base/errors.js';
import { pageLanguage } from './base/language.js';
import { answerProblem, errorIdHeader } from './base/problem.js';
import { sendErrorPage } from './pages/error-page.js';

/**
 * Answers requests that no route of the scope takes. If the address has other methods, the answer is 405 with
 * their names (RFC 9110 section 15.5.6), else 404. A client that accepts HTML gets a page, every other one a
 * problem document. Call it before the routes are added.
 */
export function answerUnknown(scope: FastifyInstance, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  const allowed = collectMethods(scope);
  const problemOf = (request: FastifyRequest, reply: FastifyReply) => {
    const methods = allowed(request);
    if (methods.length > 0) reply.header('allow', methods.join(', '));
    return methods.length > 0 ? 'methodNotAllowed' : 'notFound';
  };
  scope.setNotFoundHandler((request, reply) => {
    const problem = problemOf(request, reply);
    if (!request.headers.accept?.includes('text/html'))
      return answerProblem(new AppError(httpErrors[problem]), request, reply);
    reply.header(errorIdHeader, httpErrors[problem].id).code(problem === 'notFound' ? 404 : 405);
    return sendErrorPage(reply, { baseUrl, language: pageLanguage(request) }, { kind: 'notFound' });
  });
  // Without this, Fastify answers a QUERY without a media type itself, before the handler (RFC 10008 section 2).
  scope.addHook('preParsing', (request, reply, payload, done) => {
    if (request.method !== 'QUERY' || !request.is404) return done(null, payload);
    return done(new AppError(httpErrors[problemOf(request, reply)]));
  });
}

/**
 * Collects the methods of the routes of a scope. Call it before the routes are added.
 * @returns a function that returns the methods of the routes at the address of a request, sorted
 */
export function collectMethods(scope: FastifyInstance): (request: FastifyRequest) => string[] {
  const routes: { readonly segments: string[]; readonly methods: string[] }[] = [];
  scope.addHook('onRoute', ({ url, method, config }) => {
    if (!config?.refusing) routes.push({ segments: url.split('/'), methods: [method].flat() });
  });
  return ({ url }) => {
    const [path = ''] = url.split('?', 1);
    const segments = path.split('/');
    const found = routes.filter((route) => areAt(segments, route.segments));
    // A route without a parameter there is the one that a client means, such as `/signing-keys/_rotate` beside `/signing-keys/:kid`.
    const fewest = Math.min(...found.map((route) => parametersOf(route.segments)));
    const meant = found.filter((route) => parametersOf(route.segments) === fewest);
    return [...new Set(meant.flatMap(({ methods }) => methods))].sort();
  };
}

/** Whether the segments of a path match the pattern of a route. Each parameter is one segment. */
function areAt(segments: readonly string[], expected: readonly string[]): boolean {
  return (
    segments.length === expected.length &&
    expected.every((name, index) =>
      name.startsWith(':') ? segments[index] !== '' : name === segments[index],
    )
  );
}

function parametersOf(segments: readonly string[]): number {
  return segments.filter((name) => name.startsWith(':')).length;
}
