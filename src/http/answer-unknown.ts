import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from './errors.js';
import { sendErrorPage } from './pages/error-page.js';
import { chooseLanguage } from './pages/language.js';
import { answerProblem } from './problem.js';

/**
 * Answers requests that no route of the scope takes. If the address has other methods, the answer is 405 with
 * their names (RFC 9110 section 15.5.6), else 404. A client that accepts HTML gets a page, every other one a
 * problem document. Call it before the routes are added.
 */
export function answerUnknown(scope: FastifyInstance): void {
  const methods = new Map<string, Set<string>>();
  scope.addHook('onRoute', ({ url, method }) => {
    const known = methods.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(url, known);
  });
  scope.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    const allowed = [...methods].flatMap(([url, known]) => (isAt(path, url) ? [...known] : []));
    if (allowed.length > 0) reply.header('allow', [...new Set(allowed)].sort().join(', '));
    return answer(allowed.length > 0 ? 'methodNotAllowed' : 'notFound', request, reply);
  });
}

function answer(
  problem: 'methodNotAllowed' | 'notFound',
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { accept = '', 'accept-language': languages } = request.headers;
  if (!accept.includes('text/html')) return answerProblem(new AppError(httpErrors[problem]), request, reply);
  const page = { kind: 'notFound', language: chooseLanguage([], languages) } as const;
  return sendErrorPage(reply.code(problem === 'notFound' ? 404 : 405), page);
}

/** Whether a path matches the pattern of a route. Each parameter is one segment. */
function isAt(path: string, route: string): boolean {
  const segments = path.split('/');
  const expected = route.split('/');
  return (
    segments.length === expected.length &&
    expected.every((name, index) =>
      name.startsWith(':') ? segments[index] !== '' : name === segments[index],
    )
  );
}
