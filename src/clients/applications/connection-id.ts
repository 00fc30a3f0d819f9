import { requireAddressable } from '#src/directory/identifiers/index.js';
import { refusedValue } from '#src/directory/index.js';

const identifier = /^[^\p{Cc}\s]{1,200}$/u;

/**
 * Returns the identifier of a connection, or an empty text for none. Whether the connection exists is not asked: one that is removed, or not yet there,
 * leads nobody anywhere.
 * @throws AppError `directory.valueInvalid`
 */
export function requireConnectionId(id: string): string {
  if (id === '') return id;
  if (identifier.test(id)) return requireAddressable('connectionId', id);
  throw refusedValue('connectionId', 'identifier', 'connectionId is no identifier of a connection', {
    most: 200,
  });
}
