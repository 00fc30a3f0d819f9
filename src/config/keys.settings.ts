import { availableParallelism } from 'node:os';
import Type from 'typebox';
import { count, type Settings } from './setting.js';

/** Keys that seal and sign, and hashes of passwords. */
export const keysSettings = {
  masterKeys: {
    env: 'MUSTER_MASTER_KEYS',
    schema: Type.String({
      pattern: '^[A-Za-z0-9_-]{1,16}:[A-Za-z0-9_-]{43}(,[A-Za-z0-9_-]{1,16}:[A-Za-z0-9_-]{43})*$',
    }),
    secret: true,
    about:
      'Keys that seal (encrypt) tokens and stored secrets: id:key pairs joined by commas, each key 32 bytes ' +
      'in base64url. The first key seals, all keys unseal. `muster new-master-key` prints a key.',
  },
  signingAlgorithm: {
    env: 'MUSTER_SIGNING_ALGORITHM',
    schema: Type.Enum(['RS256', 'ES256', 'EdDSA']),
    default: 'RS256',
    about:
      'Algorithm that signs tokens: RS256, ES256 or EdDSA. An application may choose another for its ID ' +
      'tokens. Each algorithm has keys of its own. ES256 and EdDSA sign six minutes after their keys were published, and the ' +
      'former algorithm signs until then.',
  },
  signingKeyRotationSeconds: {
    env: 'MUSTER_SIGNING_KEY_ROTATION_SECONDS',
    schema: count(0, 1_000_000_000),
    default: 90 * 24 * 3600,
    about: 'Time until another key signs tokens, in seconds. 0 rotates only on demand.',
  },
  hashConcurrency: {
    env: 'MUSTER_HASH_CONCURRENCY',
    schema: count(1, 1024),
    default: Math.min(availableParallelism(), 4),
    defaultText: 'the number of cores, at most 4',
    about:
      'Number of password hashes that one process computes at once. If it is more than 1, an API process keeps ' +
      'one of these slots for sign-ins. It is at most one less than UV_THREADPOOL_SIZE.',
  },
  threadPoolSize: {
    env: 'UV_THREADPOOL_SIZE',
    schema: count(1, 1024),
    default: 4,
    about:
      'Number of threads of Node.js for hashes, key pairs, signatures and compression. One of them is kept free of ' +
      'work that takes long, so that no signature waits for a hash. For more than 2 hashes at once, set it to twice ' +
      'MUSTER_HASH_CONCURRENCY. Each takes up to MUSTER_ARGON2_MEMORY_KIB.',
  },
  hashQueue: {
    env: 'MUSTER_HASH_QUEUE',
    schema: count(0),
    default: 200,
    about:
      'Number of password hashes that may wait in one process for sign-ins, and the same number for everything ' +
      'else. Organizations take turns. Above it, requests get 503 with Retry-After: first those of the ' +
      'organization with the most waiting hashes.',
  },
  argon2MemoryKib: {
    env: 'MUSTER_ARGON2_MEMORY_KIB',
    schema: count(8, 4_194_304),
    default: 19_456,
    about: 'Memory of one argon2id hash, in KiB.',
  },
  argon2Passes: {
    env: 'MUSTER_ARGON2_PASSES',
    schema: count(1, 100),
    default: 2,
    about: 'Passes of one argon2id hash.',
  },
} as const satisfies Settings;
