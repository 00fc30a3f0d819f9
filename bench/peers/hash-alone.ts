/** Ceiling of logins: the product's hasher with its limits, in a process that does nothing else. */
import { createServer } from 'node:http';
import { createPasswordHasher } from '#src/keys/password-hasher.js';
import { createThreadPool } from '#src/keys/thread-pool.js';
import { readConfig } from '#src/read-config.js';

const { argon2MemoryKib, argon2Passes, hashConcurrency, hashQueue, threadPoolSize, port } = readConfig();
const threads = createThreadPool({
  threads: threadPoolSize,
  concurrency: hashConcurrency,
  reserved: 1,
  queue: hashQueue,
});
const hasher = createPasswordHasher({
  memoryKib: argon2MemoryKib,
  passes: argon2Passes,
  concurrency: hashConcurrency,
  threads,
});
const password = 'a password to be verified';
const place = { purpose: 'sign-in', orgId: 'bench' } as const;
const known = await hasher.hash(password, place);

/** Verifications per second with this many in parallel. */
async function measure(seconds: number, atOnce: number): Promise<number> {
  const started = performance.now();
  let done = 0;
  const verify = async () => {
    while (performance.now() - started < seconds * 1000) {
      if (!(await hasher.verify(known, password, place))) throw new Error('The password must be right');
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, verify));
  return done / ((performance.now() - started) / 1000);
}

createServer(async (request, response) => {
  const [, seconds, atOnce] = /^\/verify\/(\d+)\/(\d+)$/.exec(request.url ?? '') ?? [];
  const answer = seconds === undefined ? 'ready' : await measure(Number(seconds), Number(atOnce));
  response.end(JSON.stringify(answer));
}).listen(port, '127.0.0.1');
