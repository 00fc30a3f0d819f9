import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Mongo } from '#src/platform/mongo/mongo.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';

/** The versions of the process and of its stores. One of a store that does not answer is absent. */
interface Versions {
  readonly muster: string;
  readonly node: string;
  readonly mongodb?: string;
  readonly redis?: string;
}

/** Longest wait for a store, in milliseconds. */
const limitMs = 2_000;

let musterVersion: string | undefined;

/** Reads the versions. A store may be upgraded while the process runs, so they are read each time. */
export async function readVersions({
  mongo,
  redis,
}: {
  readonly mongo: Pick<Mongo, 'db'>;
  readonly redis: Pick<RedisConnection, 'info'>;
}): Promise<Versions> {
  const [mongodb, ofRedis] = await Promise.all([
    mongo.db
      .command({ buildInfo: 1 }, { timeoutMS: limitMs })
      .then(({ version }) => String(version))
      .catch(() => undefined),
    redis.info('server').then(
      (text) => /^redis_version:(\S+)/m.exec(text)?.[1],
      () => undefined,
    ),
  ]);
  musterVersion ??= ownVersion();
  return {
    muster: musterVersion,
    node: process.versions.node,
    ...(mongodb !== undefined && { mongodb }),
    ...(ofRedis !== undefined && { redis: ofRedis }),
  };
}

/** The version in package.json, which is above this file both as source and in a bundle. */
function ownVersion(): string {
  for (const up of ['..', '../..', '../../..', '.']) {
    try {
      const path = fileURLToPath(new URL(`${up}/package.json`, import.meta.url));
      const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string };
      if (name === 'muster' && version !== undefined) return version;
    } catch {
      // It is elsewhere.
    }
  }
  return 'unknown';
}
