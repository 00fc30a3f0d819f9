import { AppError } from '#src/platform/errors.js';
import { isDotSegment } from '#src/platform/path-segment.js';
import { directoryErrors } from '../errors.js';

/**
 * Returns an identifier that a caller chose, after checking that an address can have it.
 * @throws AppError `directory.valueInvalid` for `.`, `..` and their percent-encoded forms
 */
export function requireAddressable(attribute: string, id: string): string {
  if (!isDotSegment(id)) return id;
  throw new AppError(directoryErrors.valueInvalid, {
    detail: `${attribute} must not be . or .., nor a percent-encoded form of these, because an address could not have it`,
  });
}
