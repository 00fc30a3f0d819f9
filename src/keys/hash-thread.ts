import { parentPort } from 'node:worker_threads';
import { readPasswordHash } from './password-hashes/read-password-hash.js';

/** A thread of {@link createHashThreads}. It takes `[id, password, hash]` and sends `[id, matches]`. */
parentPort?.on('message', ([id, password, hash]: [number, string, string]) => {
  parentPort?.postMessage([id, compare(password, hash)]);
});

function compare(password: string, hash: string): boolean {
  const reading = readPasswordHash(hash);
  try {
    return typeof reading === 'object' && reading.matches?.(password) === true;
  } catch {
    // The memory is short, or the digest is not available.
    return false;
  }
}
