import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import type { Config } from '#src/config.js';
import type { Observer } from '#src/observe/observer.js';
import { createLogger } from '#src/platform/logger.js';
import { sliceShare } from '#src/platform/work/loop-scheduler.js';
import { readConfig } from '#src/read-config.js';
import { openRooms, type Rooms } from '#src/rooms.js';
import { repository } from '../../../dev/repository.js';
import { startServices } from '../../../dev/services.js';
import { noLimits } from '../../../dev/stage/no-limits.js';
import { searchLines } from '../../../dev/stage/secret-formats.js';
import { takeDatabase } from '../stores/databases.js';
import { keysOf, removeKeys } from '../stores/redis-keys.js';
import { createTestClock, type TestClock } from './test-clock.js';

// A test and its clients work in the process of the service. Without this, their work would count as that of others, and lists would be
// slow.
sliceShare.now = () => 0.2;

/** A test that fails shows the last errors of its log, at most so many. */
const mostErrors = 10;
/** A line of the level `error` or `fatal`. */
const errorLine = /"level":(?:[56]0|"(?:error|fatal)")/;

export interface TestContainer {
  readonly container: Rooms;
  readonly clock: TestClock;
  /**
   * Another process on the same stores: a container with its own settings and the same clock. @param overrides its
   * settings
   */
  openAnother(overrides?: Partial<Config>): Promise<Rooms>;
}

/**
 * Opens a container on a database and a Redis prefix that no other test uses meanwhile. Both are emptied at the end of the test. The
 * container logs at the lowest level. If LOG_LEVEL is set, the log has that level and is shown. A secret in the log fails the test.
 * @param overrides settings that differ from the test settings, which have cheap password hashes
 * @param observer the target of metrics and traces
 * @param outgoingCa the certificate of outside issuers
 */
export async function openTestContainer(
  t: Pick<Test, 'teardown'> & Partial<Pick<Test, 'passing'>>,
  overrides: Partial<Config> = {},
  observer: Pick<Observer, 'measures' | 'tracing'> = {},
  outgoingCa?: string,
): Promise<TestContainer> {
  const prefix = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const environment = await testEnvironment(prefix);
  const database = await takeDatabase(environment.MONGODB_URL);
  const config = { ...readConfig({ ...environment, MONGODB_DATABASE: database.name }), ...overrides };
  const clock = createTestClock();
  const isShown = config.logLevel !== 'silent';
  const answeredTwice: string[] = [];
  const errors: string[] = [];
  const log = searchLines({
    write(line) {
      if (line.includes('Reply was already sent')) answeredTwice.push(line);
      if (errorLine.test(line) && errors.push(line) > mostErrors) errors.shift();
      if (isShown) process.stdout.write(line);
    },
  });
  const logger = createLogger({ level: isShown ? config.logLevel : 'trace', processName: 'test' }, log);
  const open = (own: Partial<Config> = {}) =>
    openRooms({ ...config, ...own }, { logger, clock, observer, outgoingCa });
  const container = await open();
  t.teardown(async () => {
    if (!isShown && t.passing?.() === false) console.error(`The last errors in the log:\n${errors.join('')}`);
    await removeKeys(container.redis, await keysOf(container.redis, `*${prefix}*`));
    await container.close();
    await database.giveBack();
    if (answeredTwice.length > 0) throw new Error(`Requests got two answers:\n${answeredTwice.join('')}`);
    if (log.leaks.length > 0) throw new Error(`Log lines carry secrets:\n${log.leaks.join('\n')}`);
  });
  return {
    container,
    clock,
    async openAnother(own) {
      const another = await open(own);
      t.teardown(() => another.close());
      return another;
    },
  };
}

/** The settings of a test as environment variables of a process. */
export async function testEnvironment(
  name: string,
): Promise<Record<string, string> & { MONGODB_URL: string }> {
  const { MONGODB_URL, REDIS_URL, MUSTER_DATA_DIR } = process.env;
  const services =
    MONGODB_URL && REDIS_URL
      ? { mongodbUrl: MONGODB_URL, redisUrl: REDIS_URL }
      : await startServices({
          dataDir: MUSTER_DATA_DIR || join(repository, '.muster'),
          log: console.error,
        });
  return {
    MONGODB_URL: services.mongodbUrl,
    REDIS_URL: services.redisUrl,
    MONGODB_DATABASE: name,
    MONGODB_POOL_SIZE: '10',
    REDIS_PREFIX: name,
    MUSTER_BASE_URL: 'https://muster.example',
    MUSTER_MASTER_KEYS: `k1:${randomBytes(32).toString('base64url')}`,
    MUSTER_ARGON2_MEMORY_KIB: '8',
    MUSTER_ARGON2_PASSES: '1',
    ...noLimits,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
  };
}
