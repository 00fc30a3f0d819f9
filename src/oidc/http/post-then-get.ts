import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { httpErrors } from '#src/http/errors.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { withoutTraces } from '#src/http/pages/html.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import { ShownError } from '../authorize/errors.js';
import { limitPending } from './limit-pending.js';
import { postedSeconds } from './posted-parameters.store.js';

export type PostThenGetDeps = Pick<Container, 'config' | 'postedParameters' | 'pendingLimits'>;

/** No form of a client is longer, in characters of its names and values. */
const maxLength = 32_768;

const holderOf = (request: FastifyRequest) => `posted:${addressOf(request)}`;

/**
 * Redirects a POST of a browser to a GET of the same address. When another site makes the browser post, the
 * browser sends no cookie (SameSite=Lax), but it sends one with the GET. The posted parameters stay in Redis,
 * so that no log or history contains them. Repeated parameters stay repeated, so that the GET reports the
 * same errors.
 * @throws AppError `http.mediaTypeUnsupported`, `http.bodyTooLarge`, `http.rateLimited`
 */
export async function postThenGet(
  deps: PostThenGetDeps,
  { request, reply }: HttpExchange,
  { path, names }: { path: string; names: readonly string[] },
): Promise<FastifyReply> {
  const parameters = readForm(request, names);
  const posted = newSecret();
  await limitPending(deps, { holder: holderOf(request), id: hashSecret(posted), seconds: postedSeconds });
  await deps.postedParameters.put(posted, parameters);
  return withoutTraces(reply).redirect(`${deps.config.baseUrl}${path}?posted=${posted}`, 303);
}

/** Gives the posted parameters to the GET requests of the scope that {@link postThenGet} caused. */
export function readPosted(scope: FastifyInstance, deps: PostThenGetDeps): void {
  scope.addHook('onRequest', async (request) => {
    const { posted } = request.query as { posted?: unknown };
    if (request.method !== 'GET' || typeof posted !== 'string') return;
    const found = await deps.postedParameters.read(posted);
    if (found === undefined) throw new ShownError('invalid_request', 'The request has expired');
    request.query = found;
    // The request does not depend on the count.
    const removing = deps.pendingLimits.remove(holderOf(request), hashSecret(posted));
    await removing.catch((error: unknown) =>
      request.log.warn({ err: error }, 'a pending post could not be removed'),
    );
  });
}

function readForm({ headers, body }: FastifyRequest, names: readonly string[]) {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new AppError(httpErrors.mediaTypeUnsupported);
  }
  const given = (body ?? {}) as Record<string, string | string[]>;
  const entries = names.flatMap((name): [string, string | string[]][] => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  if (entries.flat(2).join('').length > maxLength) throw new AppError(httpErrors.bodyTooLarge);
  return Object.fromEntries(entries);
}
