import type { FastifyRequest } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';

/**
 * Whether the body of a request is compressed with gzip (RFC 9110 section 8.4).
 * @throws AppError `http.encodingUnsupported` for any other coding, and for several
 */
export function isGzipped({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const coding = (headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return false;
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  throw new AppError(httpErrors.encodingUnsupported);
}

/** The most codings of a header that are read. */
const maxCodings = 50;

/** Whether the client accepts a response that is compressed with gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  const weights = new Map<string, number>();
  for (const item of [header].flat().join(',').split(',', maxCodings)) {
    const [coding = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (coding !== '') weights.set(coding, weight === undefined ? 1 : Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}
