import { createHash } from 'node:crypto';

/** A key by which groups know a person. It has one length, and no characters that separate. @param kind of the name */
export function memberKey(kind: 'dn' | 'uid' | 'id', name: string): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url').slice(0, 24);
}
