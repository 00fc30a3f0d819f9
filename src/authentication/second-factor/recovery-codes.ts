import { hashSecret } from '#src/keys/secret-hash.js';
import { newTypedCode, readTypedCode } from '../typed-code.js';

/** How many recovery codes a user gets at once. */
const recoveryCodeCount = 10;

/** 80 random bits: nobody can try so many, so the fast hash of a secret is enough. */
const codeLength = 16;

/** Returns codes that replace a one-time code, each once. Only the user may see them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => newTypedCode(codeLength));
}

/**
 * Returns the hash of a recovery code, as it is stored. It is of this user alone.
 * @param text as the user typed it
 * @returns undefined if the text cannot be a recovery code
 */
export function recoveryCodeHash(userId: string, text: string): string | undefined {
  const code = readTypedCode(text, codeLength);
  return code === undefined ? undefined : hashSecret(`recovery ${userId} ${code}`);
}

/** Returns the hashes of new codes. */
export function recoveryCodeHashes(userId: string, codes: readonly string[]): string[] {
  return codes.flatMap((code) => recoveryCodeHash(userId, code) ?? []);
}
