import { createCipheriv, createDecipheriv, createHmac, hkdfSync, type KeyObject } from 'node:crypto';
import { createLru } from '#src/platform/lru.js';
import { drawRandom } from '#src/platform/random.js';
import { keyObjectOf } from './key-object.js';

/** Seals small secrets, so that only holders of the master keys can read or change them. */
export interface Sealer {
  /** Layout: key id length (1 byte), key id, nonce (28), tag (16), ciphertext. */
  seal(plaintext: Buffer): Buffer;
  /** The plaintext, or undefined unless one of the keys sealed it for this purpose. */
  unseal(sealed: Buffer): Buffer | undefined;
  /** Whether the key that seals has sealed it, by its identifier. */
  isCurrent(sealed: Buffer): boolean;
}

/** A master key of the configuration. The first one seals and all unseal, so that they can be rotated. */
export interface MasterKey {
  readonly id: string;
  readonly key: Buffer;
}

const saltLength = 16;
const ivLength = 12;
const tagLength = 16;
const nonceLength = saltLength + ivLength;
const messagesPerKey = 1_000;
/** The number of message keys that a sealer caches. */
const maxMessageKeys = 1_000;

/** Parses `id:base64url,id:base64url`, which the configuration has checked. */
export function parseMasterKeys(text: string): MasterKey[] {
  return text.split(',').map((pair) => {
    const [id = '', key = ''] = pair.split(':');
    return { id, key: Buffer.from(key, 'base64url') };
  });
}

/**
 * AES-256-GCM. Each thousand messages have their own key: the HMAC-SHA256 of a random salt under the key of
 * the purpose. Two messages of one key share their random IV with a probability of 2^-77, and salts do not
 * repeat. One master key may therefore seal without a practical limit. Plain GCM with random IVs stops at
 * 2^32 messages (NIST SP 800-38D section 8.3 allows a probability of 2^-32).
 * @param purpose separates uses: a sealer cannot unseal what was sealed for another purpose
 */
export function createSealer(masterKeys: readonly MasterKey[], purpose: string): Sealer {
  const [first] = masterKeys;
  if (first === undefined) throw new Error('At least one master key is needed');
  const keys = new Map(
    masterKeys.map(({ id, key }) => [id, keyObjectOf(hkdfSync('sha256', key, id, `muster ${purpose}`, 32))]),
  );
  const sealingKey = keys.get(first.id) as KeyObject;
  const header = Buffer.concat([Buffer.from([first.id.length]), Buffer.from(first.id, 'latin1')]);

  /** By the identifier and the salt at the start of a message. Only authentic messages are cached. */
  const messageKeys = createLru<KeyObject>({ max: maxMessageKeys });

  let salt: Buffer = Buffer.alloc(0);
  let key = sealingKey;
  let messagesLeft = 0;

  function keyOf(sealed: Buffer, start: number): KeyObject | undefined {
    const key = keys.get(sealed.toString('latin1', 1, start));
    return key && messageKey(key, sealed.subarray(start));
  }

  return {
    seal(plaintext) {
      if (messagesLeft === 0) {
        salt = drawRandom(saltLength);
        key = messageKey(sealingKey, salt);
        messagesLeft = messagesPerKey;
      }
      messagesLeft -= 1;
      const iv = drawRandom(ivLength);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const ciphertext = cipher.update(plaintext);
      cipher.final();
      return Buffer.concat([header, salt, iv, cipher.getAuthTag(), ciphertext]);
    },
    unseal(sealed) {
      const start = 1 + (sealed[0] ?? 0);
      if (sealed.length < start + nonceLength + tagLength) return undefined;
      const beginning = sealed.toString('latin1', 1, start + saltLength);
      const key = messageKeys.get(beginning) ?? keyOf(sealed, start);
      if (key === undefined) return undefined;
      const nonce = sealed.subarray(start, start + nonceLength);
      const tag = sealed.subarray(start + nonceLength, start + nonceLength + tagLength);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce.subarray(saltLength), {
        authTagLength: tagLength,
      });
      decipher.setAuthTag(tag);
      const plaintext = decipher.update(sealed.subarray(start + nonceLength + tagLength));
      try {
        decipher.final();
      } catch {
        return undefined;
      }
      messageKeys.set(beginning, key);
      return plaintext;
    },
    isCurrent: (sealed) => sealed.subarray(0, header.length).equals(header),
  };
}

function messageKey(key: KeyObject, nonce: Buffer): KeyObject {
  return keyObjectOf(createHmac('sha256', key).update(nonce.subarray(0, saltLength)).digest());
}
