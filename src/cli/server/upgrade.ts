import { collections } from '#src/collections.js';
import { correctUserTotals } from '#src/people/totals/index.js';
import { createLogger } from '#src/platform/logger.js';
import { dropFormerIndexes } from '#src/platform/mongo/indexes.js';
import { runUpgrades } from '#src/platform/mongo/run-upgrades.js';
import { readConfig } from '#src/read-config.js';
import { openRooms } from '#src/rooms.js';
import { upgrades } from '#src/upgrades.js';
import type { Output } from '../terminal/output.js';

/**
 * Runs `muster upgrade`. It makes the indexes and changes the documents that this version needs, while processes of the
 * earlier version continue to serve. Run it with `--finish` when none of these processes is left. It then changes the
 * documents that they wrote meanwhile, verifies the totals of users, and drops the indexes that only they needed.
 */
export async function upgrade(
  { finish = false }: { readonly finish?: boolean | undefined },
  output: Output,
): Promise<void> {
  const log = output.note;
  const droppedIndexes: string[] = [];
  const logger = createLogger({ level: 'warn', processName: 'upgrade' });
  // Opening a container creates the missing indexes.
  const container = await openRooms(readConfig(), { logger });
  try {
    const { mongo, clock } = container;
    await runUpgrades(mongo, upgrades(container), { again: finish, now: () => clock.now(), log });
    if (finish) {
      await correctUserTotals(container, { begins: true });
      droppedIndexes.push(...(await dropFormerIndexes(mongo.db, collections)));
      for (const name of droppedIndexes) log(`dropped the index ${name}`);
    }
    log(finish ? 'The upgrade is finished.' : 'The database is ready for this version.');
    output.result({ ready: true, finished: finish, droppedIndexes });
  } finally {
    await container.close();
  }
}
