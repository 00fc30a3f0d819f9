import type { Readable } from 'node:stream';
import { AppError } from '../../errors.js';
import { blobErrors } from './blob-errors.js';
import type { Checksum, StoredObject } from './resumed-download.js';

/** An object whose generation has an entity tag. */
export interface TaggedObject extends StoredObject {
  readonly etag: string;
}

/** The response to a request for an object, or for its rest. */
interface TaggedResponse {
  readonly etag: string | undefined;
  /** The length of the body, in bytes. */
  readonly length: number | undefined;
  /** The header Content-Range. */
  readonly range: string | undefined;
  readonly encoding: string | undefined;
  readonly checksum: Checksum | undefined;
  readonly body: Readable;
}

/**
 * Checks a response, because some servers ignore the condition or the range of a request.
 * @param start the first byte that was asked for
 * @param known what the first response told
 * @throws AppError `bucket.objectChanged`, `bucket.refused`. The body is then destroyed
 */
export function takeObject(
  response: TaggedResponse,
  { start, known }: { start: number; known: TaggedObject | undefined },
): { object: TaggedObject; body: Readable } {
  const { etag, range, body } = response;
  try {
    const object = known ?? toObject(response);
    if (etag !== object.etag) throw new AppError(blobErrors.objectChanged);
    const isRest = start === 0 || range === `bytes ${start}-${object.size - 1}/${object.size}`;
    if (!isRest) throw refused('The storage does not send the rest of the object');
    return { object, body };
  } catch (error) {
    body.destroy();
    throw error;
  }
}

function toObject({ etag, length, encoding, checksum }: TaggedResponse): TaggedObject {
  if (etag === undefined || length === undefined) throw undescribed();
  return { etag, size: length, compressed: encoding === 'gzip', checksum };
}

/** The error for a response that does not tell what is needed. */
export function undescribed(): AppError {
  return refused('The storage does not tell the length and the entity tag of the object');
}

function refused(detail: string): AppError {
  return new AppError(blobErrors.refused, { detail });
}
