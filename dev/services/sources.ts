import { installedProgram } from '../programs.js';
import { isDebianWithRoot } from './debian.js';
import { startContainer } from './docker.js';
import { startDocumentdb } from './documentdb.js';
import { downloadedMongod } from './download.js';
import { onPath } from './exec.js';
import { startMongod } from './mongod.js';
import { pingMongodb, pingRedis } from './ping.js';
import type { StartContext, Started } from './record.js';
import { startRedis } from './redis.js';
import { NothingServes, type Source } from './search.js';

/** Starts the program that `find` finds, or reports that it found none. */
async function ifFound(
  find: Promise<string | null>,
  start: (program: string, context: StartContext) => Promise<Started>,
  context: StartContext,
): Promise<Started | null> {
  const program = await find;
  return program === null ? null : start(program, context);
}

async function given(name: string, ping: (url: string, timeoutMs: number) => Promise<boolean>) {
  const url = process.env[name];
  if (!url) {
    return null;
  }
  if (!(await ping(url, 5_000))) {
    throw new NothingServes(`${name} is given, but nothing answers there.`);
  }
  return { url, processes: [] };
}

/** All ways to get the services, in the order in which they are tried. */
export function sources(context: StartContext): Source[] {
  return [
    {
      kind: 'mongodb',
      via: 'MONGODB_URL',
      choice: 'give MONGODB_URL',
      binding: true,
      start: () => given('MONGODB_URL', pingMongodb),
    },
    {
      kind: 'mongodb',
      via: 'Docker',
      choice: 'run a Docker engine',
      start: () => startContainer('mongo', 'mongodb://127.0.0.1:27017/?directConnection=true'),
    },
    {
      kind: 'mongodb',
      via: 'mongod on the PATH',
      choice: 'put mongod on the PATH',
      start: () => ifFound(onPath('mongod'), startMongod, context),
    },
    {
      kind: 'mongodb',
      via: 'a downloaded mongod',
      choice: 'allow its download from fastdl.mongodb.org',
      start: () => ifFound(downloadedMongod(context.log), startMongod, context),
    },
    {
      kind: 'mongodb',
      via: 'DocumentDB',
      choice: 'be root on Debian, for DocumentDB',
      start: async () => ((await isDebianWithRoot()) ? startDocumentdb(context) : null),
    },
    {
      kind: 'redis',
      via: 'REDIS_URL',
      choice: 'give REDIS_URL',
      binding: true,
      start: () => given('REDIS_URL', pingRedis),
    },
    {
      kind: 'redis',
      via: 'Docker',
      choice: 'run a Docker engine',
      start: () => startContainer('redis', 'redis://127.0.0.1:6379'),
    },
    {
      kind: 'redis',
      via: 'redis-server on the PATH',
      choice: 'put redis-server on the PATH',
      start: () => ifFound(onPath('redis-server'), startRedis, context),
    },
    {
      kind: 'redis',
      via: "Debian's redis-server",
      choice: 'be root on Debian, for its package redis-server',
      start: async () =>
        (await isDebianWithRoot())
          ? startRedis(await installedProgram('redis-server', context.log), context)
          : null,
    },
  ];
}
