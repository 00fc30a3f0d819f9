import { createSecretKey, type KeyObject } from 'node:crypto';

/**
 * A key for many HMACs or encryptions. Node.js 24 throws and catches two errors whenever it gets a key as plain bytes, to find out what it
 * is. Such a use takes four times as long.
 */
export function keyObjectOf(bytes: ArrayBuffer | Buffer): KeyObject {
  return createSecretKey(new Uint8Array(bytes));
}
