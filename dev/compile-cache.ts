import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the compile cache of the image: what V8 compiles when the programs start. Each program is started with stores that nobody can
 * reach. It ends when it has run its modules, and Node.js writes the cache into the folder of `NODE_COMPILE_CACHE`. The cache counts for the same
 * version of Node.js alone, with the same options and the same path of `dist`, and for the same user.
 */

const programs = ['src/server.js', 'workers/main.js', 'src/cli/main.js'];
/** More than a program waits for its stores, in milliseconds. */
const mostMs = 60_000;
/** The programs alone have some MiB of code. */
const leastBytes = 1_000_000;

const folder = process.env['NODE_COMPILE_CACHE'];
if (folder === undefined) throw new Error('NODE_COMPILE_CACHE names no folder');
const settings = {
  MUSTER_BASE_URL: 'https://muster.example',
  MONGODB_URL: 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=1',
  REDIS_URL: 'redis://127.0.0.1:9',
  MUSTER_MASTER_KEYS: `none:${'B'.repeat(43)}`,
};
for (const program of programs) {
  const { error, signal } = spawnSync(process.execPath, [join('dist', program)], {
    env: { ...process.env, ...settings },
    stdio: 'ignore',
    timeout: mostMs,
  });
  if (error !== undefined || signal !== null) throw new Error(`${program} did not end: ${error ?? signal}`);
}
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
const bytes = files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
if (bytes < leastBytes) throw new Error(`The compile cache has ${bytes} bytes only`);
console.log(`${files.length} files, ${bytes} bytes of compiled code`);
