import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';

const prefix = 'mpat_';

/** A new personal access token: the text that its owner gets once, and the hash that is stored. */
export function newPersonalAccessToken(id: string): { token: string; hash: string } {
  const secret = newSecret();
  return { token: `${prefix}${id}.${secret}`, hash: hashSecret(secret) };
}

/** The parts of a personal access token, or undefined for any other text. */
export function parsePersonalAccessToken(token: string): { id: string; secret: string } | undefined {
  if (!token.startsWith(prefix) || token.length > 200) return undefined;
  const [id, secret] = token.slice(prefix.length).split('.');
  return id && secret ? { id, secret } : undefined;
}
