import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { isGzipped } from '#src/http/bodies/content-encoding.js';
import { inflated } from '#src/http/bodies/inflated.js';
import { importErrors } from '#src/migration/import/lists/section/import-codes.js';
import { AppError } from '#src/platform/errors.js';

/**
 * The text of the body of an import, which may arrive compressed with gzip.
 * @throws AppError `import.bodyMalformed`, `http.encodingUnsupported`
 */
export function textOf(request: FastifyRequest): AsyncIterable<Uint8Array> {
  const isCompressed = isGzipped(request);
  const { body } = request;
  if (!(body instanceof Readable))
    throw new AppError(importErrors.bodyMalformed, { detail: 'There is no body' });
  return isCompressed ? inflated(received(body)) : received(body);
}

/**
 * Yields the chunks of the body. If the client closes the connection, the error is an error of the client, not of a
 * store. A refused body is not destroyed, because a client that is sending would not see the answer.
 */
async function* received(body: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError(importErrors.bodyMalformed, { detail: 'The body broke off', cause });
  }
}
