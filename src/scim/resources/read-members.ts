import { hasUnusableCharacters } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from '../protocol/errors.js';
import { membersOf, textOf } from '../protocol/json.js';

/**
 * Reads the identifiers of members as clients send them: objects with `value`, or bare identifiers. A single one counts as a
 * list. `$ref` and `display` are ignored.
 * @throws AppError `scim.badValue`, `scim.wrongType`
 */
export function readMembers(value: unknown): Set<string> {
  if (value === undefined || value === null || value === '') return new Set();
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return new Set(items.map(readMember));
}

/** @throws AppError `scim.badValue`, `scim.wrongType` */
export function readMember(item: unknown): string {
  const bare = textOf(item);
  if (typeof bare === 'string') return requireIdentifier(bare);
  if (!isJsonObject(item))
    throw new AppError(scimErrors.wrongType, { detail: 'A member must be an object with a value' });
  const parts = membersOf(item);
  const type = parts.get('type') || 'User';
  if (typeof type !== 'string' || type.toLowerCase() !== 'user')
    throw new AppError(scimErrors.badValue, { detail: 'Members must be users' });
  return requireIdentifier(textOf(parts.get('value')));
}

function requireIdentifier(value: unknown): string {
  if (typeof value === 'string' && value !== '' && !hasUnusableCharacters(value)) return value;
  throw new AppError(scimErrors.badValue, {
    detail: 'The value of a member must be the identifier of a user',
  });
}
