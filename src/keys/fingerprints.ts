import { createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { keyObjectOf } from './key-object.js';
import type { MasterKey } from './sealer.js';
import { sameSecretHash } from './secret-hash.js';

/**
 * Recognizes texts without keeping them. A fingerprint is useless without the master keys: nobody can test guesses of the text with it.
 */
export interface Fingerprints {
  /** Returns `{key id}:{HMAC-SHA256 in base64url}` of a text about an object. Equal texts of two objects differ. */
  of(id: string, text: string): string;
  /** Returns whether the fingerprint is of this text. Undefined if its master key is gone, so that nobody can tell. */
  matches(fingerprint: string, id: string, text: string): boolean | undefined;
}

/**
 * @param masterKeys the first one makes fingerprints, and all recognize them
 * @param purpose separates uses: equal texts have different fingerprints for different purposes
 */
export function createFingerprints(masterKeys: readonly MasterKey[], purpose: string): Fingerprints {
  const [first] = masterKeys;
  if (first === undefined) throw new Error('At least one master key is needed');
  const keys = new Map(
    masterKeys.map(({ id, key }) => [
      id,
      keyObjectOf(hkdfSync('sha256', key, id, `muster fingerprint ${purpose}`, 32)),
    ]),
  );
  // An identifier of an object has no character U+0000.
  const make = (key: KeyObject, id: string, text: string) =>
    createHmac('sha256', key).update(`${id}\0${text}`).digest('base64url');
  const newestKey = keys.get(first.id) as KeyObject;
  return {
    of: (id, text) => `${first.id}:${make(newestKey, id, text)}`,
    matches(fingerprint, id, text) {
      const end = fingerprint.indexOf(':');
      const key = keys.get(fingerprint.slice(0, end));
      return key && sameSecretHash(make(key, id, text), fingerprint.slice(end + 1));
    },
  };
}
