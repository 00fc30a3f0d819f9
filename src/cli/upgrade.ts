import { parseArgs } from 'node:util';
import { openContainer } from '#src/container.js';
import { createLogger } from '#src/platform/logger.js';
import { dropFormerIndexes } from '#src/platform/mongo/indexes.js';
import { runUpgrades } from '#src/platform/mongo/run-upgrades.js';
import { readConfig } from '#src/read-config.js';
import { collections } from '#src/stores.js';
import { upgrades } from '#src/upgrades.js';

/**
 * `muster upgrade`: makes the indexes and changes the documents that this version needs, while processes of the earlier
 * version serve on. With `--finish`, when none of them is left, it changes what they wrote meanwhile and drops the
 * indexes that only they needed.
 */
export async function upgrade(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { finish: { type: 'boolean', default: false } } });
  const log = (message: string) => console.error(message);
  const logger = createLogger({ level: 'warn', processName: 'upgrade' });
  // Whatever opens a container makes the indexes that are missing.
  const container = await openContainer(readConfig(), { logger });
  try {
    const { mongo, clock } = container;
    await runUpgrades(mongo, upgrades(container), { again: values.finish, now: () => clock.now(), log });
    if (values.finish) {
      for (const name of await dropFormerIndexes(mongo, collections)) log(`dropped the index ${name}`);
    }
    log(values.finish ? 'The upgrade is finished.' : 'The database is ready for this version.');
  } finally {
    await container.close();
  }
}
