import {
  hasInvisibleCharacters,
  hasUnusableCharacters,
  isLongerThan,
  refusedValue,
} from '#src/directory/index.js';
import { longestClaimName, longestProviderText } from './connection.js';

/** Rules for the texts that a connection says of its provider. All throw AppError `directory.valueInvalid` or `directory.valueMissing`. */

/** @throws AppError unless the text is an https address without credentials, query and fragment */
export function requireHttps(path: string, text: string): URL {
  const visible = requireVisible(path, text);
  const url = URL.canParse(visible) ? new URL(visible) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (url !== undefined && isPlain && !/[?#\s\\]/.test(visible)) return url;
  const detail = `${path} must be an https address without a query and a fragment`;
  throw refusedValue(path, 'httpsAddress', detail, { most: longestProviderText });
}

export function requireClaimName(path: string, name: string): string {
  return requireVisible(path, name, longestClaimName);
}

/** Values that an address joins by spaces. */
export function requireTokens(path: string, given: readonly string[], most: number): string[] {
  if (given.length > most)
    throw refusedValue(path, 'tooMany', `${path} has more than ${most} values`, { most });
  const checked = given.map((value, index) => {
    const visible = requireVisible(`${path}[${index}]`, value, longestClaimName);
    if (!/\s/.test(visible)) return visible;
    throw refusedValue(`${path}[${index}]`, 'blanks', `${path}[${index}] has spaces`);
  });
  return [...new Set(checked)];
}

export function requireVisible(path: string, value: string, most = longestProviderText): string {
  if (value === '') throw refusedValue(path, 'required', `${path} is required`);
  if (isLongerThan(value, most))
    throw refusedValue(path, 'tooLong', `${path} has more than ${most} characters`, { most });
  if (value.trim() !== value) throw refusedValue(path, 'blanks', `${path} has spaces at its ends`);
  if (hasUnusableCharacters(value) || hasInvisibleCharacters(value))
    throw refusedValue(path, 'invisibleCharacters', `${path} has invisible characters`);
  return value;
}
