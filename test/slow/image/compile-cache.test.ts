import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { fetchLts, newestLts } from '../../../dev/lts.js';

/** The compile cache of the image, made as the Dockerfile makes it, with its Node.js. It takes the programs of `dist`. */

const node = await fetchLts(newestLts, (message) => t.comment(message));
const options = /NODE_OPTIONS="([^"]*)"/.exec(await readFile('Dockerfile', 'utf8'))?.[1] ?? '';

async function output(args: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(node, args, {
    env: { PATH: process.env['PATH'], NODE_OPTIONS: options, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return (await Promise.all([text(child.stdout), text(child.stderr)])).join('');
}

t.test('a program that starts takes its modules from the cache', { timeout: 120_000 }, async (t) => {
  const cache = await mkdtemp(join(tmpdir(), 'muster-compile-cache-'));
  t.teardown(() => rm(cache, { recursive: true }));
  const env = { NODE_COMPILE_CACHE: cache };
  t.match(await output(['dev/compile-cache.ts'], env), /\d+ files, \d+ bytes of compiled code/);
  for (const program of ['src/server.js', 'workers/main.js', 'src/cli/main.js']) {
    const said = await output([join('dist', program), '--help'], {
      ...{ ...env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' },
      ...{ MUSTER_BASE_URL: 'https://muster.example', MUSTER_MASTER_KEYS: `none:${'B'.repeat(43)}` },
      ...{
        MONGODB_URL: 'mongodb://127.0.0.1:9/?serverSelectionTimeoutMS=1',
        REDIS_URL: 'redis://127.0.0.1:9',
      },
    });
    const outcomes = [...said.matchAll(/cache for ESM file:\/\/(\S*\/dist\/\S*\.js) was (\w+)/g)];
    t.ok(outcomes.length > 0, `${program} asks for compiled code`);
    t.same(
      outcomes.filter(([, , outcome]) => outcome !== 'accepted').map(([line]) => line),
      [],
      program,
    );
    if (program !== 'src/server.js') continue;
    const texts = await Promise.all(outcomes.map(([, file = '']) => readFile(file, 'utf8')));
    t.ok(
      texts.some((text) => text.includes('exports.MongoClient=')),
      'a name of a package is found',
    );
    for (const name of ['exports.QueueEvents=', 'AsnConvert='])
      t.notOk(
        texts.some((text) => text.includes(name)),
        `${name} is loaded when it is needed`,
      );
    t.notOk(
      texts.some((text) => /from ?"node:(?!module")/.test(text)),
      'modules of Node.js are required',
    );
  }
});
