import { toBase64 } from './bytes.js';
import type { HashFormat } from './hash-format.js';

const saltBytes = 16;
/** Version 2 has these, which libsodium calls interactive. Version 3 names its own: the bytes of the tag, the passes and the bytes of memory. */
const interactive = { passes: '2', memory: '67108864' };

/**
 * argon2id of Magento and Adobe Commerce since 2.3: `TAG:SALT:2`, or `TAG:SALT:3_32_2_67108864`, with the tag in hexadecimal. The salt is text,
 * of which libsodium takes 16 bytes (`Encryptor::getArgonHash`).
 */
export const magentoArgon2: HashFormat = (text, readInner) => {
  const found = /^([0-9a-f]{64}):([^:\s]{1,128}):(?:2|3_32_(\d{1,2})_(\d{4,12}))$/i.exec(text);
  if (found === null) return undefined;
  const [, tag = '', salt = '', passes = interactive.passes, memory = interactive.memory] = found;
  const kib = Math.floor(Number(memory) / 1_024);
  const bytes = Buffer.alloc(saltBytes, Buffer.from(salt));
  return readInner(
    `$argon2id$v=19$m=${kib},t=${passes},p=1$${toBase64(bytes)}$${toBase64(Buffer.from(tag, 'hex'))}`,
  );
};
