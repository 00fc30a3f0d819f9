import { AppError, defineErrors } from './errors.js';

const pathErrors = defineErrors('path', {
  dotSegment: {
    kind: 'invalid',
    message:
      'An identifier that stands in an address must not be . or .., nor a percent-encoded form of these',
  },
});

/**
 * What a pattern of ECMA-262 begins with, after `^`, to refuse every text that {@link isDotSegment} finds.
 */
export const noDotSegment = '(?!(?:\\.|%2[Ee]){1,2}$)';

const dotSegment = /^(?:\.|%2e){1,2}$/i;

/**
 * Whether a text is a single-dot or double-dot segment of a path (URL Standard section 4.1, RFC 3986 section 5.2.4). Browsers, client
 * libraries and proxies remove such segments, so an address with one means another object. `encodeURIComponent` does not change a
 * dot.
 */
export function isDotSegment(text: string): boolean {
  return dotSegment.test(text);
}

/**
 * Encodes an identifier as one segment of a path. Half of a surrogate pair, which no identifier has, becomes U+FFFD.
 * @throws AppError `path.dotSegment`
 */
export function pathSegment(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  if (isDotSegment(encoded)) throw new AppError(pathErrors.dotSegment);
  return encoded;
}
