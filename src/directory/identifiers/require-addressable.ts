import { isDotSegment } from '#src/platform/path-segment.js';
import { refusedValue } from '../refused-value.js';

/**
 * Returns an identifier that a caller chose, after checking that an address can have it.
 * @throws AppError `directory.valueInvalid` for `.`, `..` and their percent-encoded forms
 */
export function requireAddressable(attribute: string, id: string): string {
  if (!isDotSegment(id)) return id;
  const detail = `${attribute} must not be . or .., nor a percent-encoded form of these, because an address could not have it`;
  throw refusedValue(attribute, 'dotSegment', detail);
}
