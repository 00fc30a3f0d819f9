import { refusedValue } from './refused-value.js';

/**
 * The secret that the former system of an organization hashed together with each password. Hashes that say so are compared with it
 * (docs/password-hashes.md).
 */
export interface PasswordPepper {
  /** The secret, sealed, in base64url. */
  readonly sealed: string;
  readonly created: Date;
}

/** The most characters of a pepper. */
export const maxPepperLength = 1_000;

/**
 * Returns a pepper as it was given, because every character of it counts.
 * @throws AppError `directory.valueInvalid`
 */
export function requirePepper(text: string): string {
  if (text.length >= 1 && text.length <= maxPepperLength && text.isWellFormed()) return text;
  const detail = `pepper must have 1 to ${maxPepperLength} characters`;
  const [rule, params] =
    text === '' ? (['tooShort', { least: 1 }] as const) : (['tooLong', { most: maxPepperLength }] as const);
  throw refusedValue(
    'pepper',
    text.length > maxPepperLength || text === '' ? rule : 'controlCharacters',
    detail,
    params,
  );
}
