import { answerQuestions } from '#src/platform/threads.js';
import { readPasswordHash } from './password-hashes/read-password-hash.js';

/** A thread of {@link createHashThreads}. */
answerQuestions(([password, hash, pepper]: [string, string, string | undefined]): boolean => {
  const reading = readPasswordHash(hash);
  try {
    return typeof reading === 'object' && reading.matches?.(password, pepper) === true;
  } catch {
    // The memory is short, or the digest is not available.
    return false;
  }
});
