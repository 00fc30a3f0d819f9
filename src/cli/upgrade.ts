import { parseArgs } from 'node:util';
import { openContainer } from '#src/container.js';
import { verifyUserTotals } from '#src/directory/users/verify-user-totals.js';
import { createLogger } from '#src/platform/logger.js';
import { dropFormerIndexes } from '#src/platform/mongo/indexes.js';
import { runUpgrades } from '#src/platform/mongo/run-upgrades.js';
import { readConfig } from '#src/read-config.js';
import { collections } from '#src/stores.js';
import { upgrades } from '#src/upgrades.js';

/**
 * Runs `muster upgrade`. It makes the indexes and changes the documents that this version needs, while processes of the
 * earlier version continue to serve. Run it with `--finish` when none of these processes is left. It then changes the
 * documents that they wrote meanwhile, verifies the totals of users, and drops the indexes that only they needed.
 */
export async function upgrade(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { finish: { type: 'boolean', default: false } } });
  const log = (message: string) => console.error(message);
  const logger = createLogger({ level: 'warn', processName: 'upgrade' });
  // Opening a container creates the missing indexes.
  const container = await openContainer(readConfig(), { logger });
  try {
    const { mongo, clock } = container;
    await runUpgrades(mongo, upgrades(container), { again: values.finish, now: () => clock.now(), log });
    if (values.finish) {
      await verifyUserTotals(container, { begins: true });
      for (const name of await dropFormerIndexes(mongo.db, collections)) log(`dropped the index ${name}`);
    }
    log(values.finish ? 'The upgrade is finished.' : 'The database is ready for this version.');
  } finally {
    await container.close();
  }
}
