import type { Editor, Event } from '#src/audit/event.js';
import { newEvent } from '#src/audit/new-event.js';
import { requireAddressable } from '#src/directory/identifiers/index.js';
import { refusedValue } from '#src/directory/index.js';

/** A value that programs keep with a user or service user, under a key. */
export interface UserMetadata {
  /** Identifies the metadata in its events. */
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  readonly key: string;
  /** Any bytes, in base64 (RFC 4648 section 4). */
  readonly value: string;
  readonly version: number;
  readonly created: Date;
  readonly lastModified: Date;
}

const maxBytes = 65_536;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Returns the key and value after checking them. The key has no spaces. The value is in canonical base64. */
export function requireMetadata({ key, value }: { key: string; value: string }): {
  key: string;
  value: string;
} {
  if (!/^[^\s\p{Cc}\p{Cs}]{1,200}$/u.test(key))
    throw refusedValue('key', 'blanks', 'key must be 1 to 200 characters without spaces');
  const isBase64 = value.length <= (maxBytes / 3) * 4 + 4 && base64.test(value);
  const bytes = Buffer.from(isBase64 ? value : '', 'base64');
  if (!isBase64 || bytes.length > maxBytes) {
    const detail = `value must be base64 of at most ${maxBytes} bytes`;
    throw refusedValue('value', 'base64', detail, { most: maxBytes });
  }
  return { key: requireAddressable('key', key), value: bytes.toString('base64') };
}

/** Returns one event of the metadata of a user. The event does not contain the value. */
export function metadataEvent(
  type: 'user.metadata.set' | 'user.metadata.removed',
  { id, orgId, userId, key, version: sequence, lastModified: date }: UserMetadata,
  editor: Editor,
): Event {
  const payload = { userId, key };
  return newEvent(type, { aggregate: 'user_metadata', id, orgId, editor, sequence, date, payload });
}
