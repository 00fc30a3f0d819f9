import { AppError } from '#src/platform/errors.js';
import { scimErrors } from './errors.js';

/** The media type of every answer (RFC 7644 section 8.1). */
export const scimMediaType = 'application/scim+json';

const accepted = new Set([scimMediaType, 'application/json', 'application/*', '*/*']);

/** The most media ranges of a header that are read. */
const maxRanges = 50;

/** @throws AppError if the header declares anything but JSON in UTF-8 */
export function requireContentType(header: string | undefined): void {
  if (header === undefined || header.trim() === '' || isAccepted(header)) return;
  throw new AppError(scimErrors.badMediaType, { detail: 'Content-Type must be application/scim+json' });
}

/** @throws AppError if no listed media range covers SCIM */
export function requireAccept(header: string | undefined): void {
  if (header === undefined || header.trim() === '' || header.split(',', maxRanges).some(isAccepted)) return;
  throw new AppError(scimErrors.badMediaType, { detail: 'Accept must allow application/scim+json' });
}

function isAccepted(mediaRange: string): boolean {
  const [type = '', ...parameters] = mediaRange.split(';').map((part) => part.trim().toLowerCase());
  return accepted.has(type) && parameters.every(isHarmless);
}

/** Whether the parameter leaves the media range acceptable. A charset other than UTF-8 and a weight of zero do not. */
function isHarmless(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=').map((part) => part.trim());
  if (name === 'charset') return value.replaceAll('"', '') === 'utf-8';
  return name !== 'q' || Number(value) > 0;
}
