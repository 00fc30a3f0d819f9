import { answerQuestions } from '#src/platform/threads.js';
import { readPasswordHash } from './password-hashes/read-password-hash.js';

/** A thread of {@link createHashThreads}. */
answerQuestions(([password, hash]: [string, string]): boolean => {
  const reading = readPasswordHash(hash);
  try {
    return typeof reading === 'object' && reading.matches?.(password) === true;
  } catch {
    // The memory is short, or the digest is not available.
    return false;
  }
});
