import type { FastifyRequest } from 'fastify';
import { httpErrors } from '#src/http/errors.js';
import { AppError } from '#src/platform/errors.js';

/** Longer addresses are refused by servers and proxies on the way. */
const maxQuery = 12_000;

/**
 * The parameters of a post as the query of the GET that a browser is sent on to: with a post that another site makes
 * it send it shows no cookie (SameSite=Lax), with the GET that follows it does. Repeated parameters stay repeated, so
 * that the GET finds the same errors.
 * @throws AppError `http.mediaTypeUnsupported`, `http.bodyTooLarge`
 */
export function formAsQuery({ headers, body }: FastifyRequest, names: readonly string[]): string {
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (mediaType.trim().toLowerCase() !== 'application/x-www-form-urlencoded') {
    throw new AppError(httpErrors.mediaTypeUnsupported);
  }
  const given = (body ?? {}) as Record<string, unknown>;
  const pairs = names.flatMap((name) =>
    [given[name] ?? []].flat().map((value): [string, string] => [name, String(value)]),
  );
  const query = new URLSearchParams(pairs).toString();
  if (query.length > maxQuery) throw new AppError(httpErrors.bodyTooLarge);
  return query;
}
