import { getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import closeWithGrace from 'close-with-grace';
import { checkMasterKeys } from '#src/keys/check-master-keys.js';
import { lookUpsOf } from '#src/observe/look-ups.js';
import { openObserver } from '#src/observe/observer.js';
import { giveMemoryBack } from '#src/platform/give-memory-back.js';
import { createLogger } from '#src/platform/logger.js';
import { describeStartFailure } from '#src/platform/start-failure.js';
import { announceReady, leaveSignalsToSupervisor } from '#src/platform/supervised.js';
import { readConfig } from '#src/read-config.js';
import { openWorkerRooms } from '#src/rooms.js';
import { startWorkers } from './start-workers.js';

/** A worker gets a tenth of the processor time that an API process gets if both want all of it. It keeps a lower priority with which it was started. */
const niceness = 10;

/**
 * How much the heap may grow until its next full collection, in percent of what is alive. By default V8 collects the small heap of a
 * worker so often that an export takes half as much processor time again (bench/profiles.md).
 */
const heapGrowth = 100;

/** The worker process. On a machine with API processes it leaves the processor to them. At SIGTERM or SIGINT it finishes the jobs in flight before it closes. */
async function main(): Promise<void> {
  setPriority(Math.max(niceness, getPriority()));
  setFlagsFromString(`--heap-growing-percent=${heapGrowth}`);
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, processName: 'worker' });
  const observer = await openObserver(config, { processName: 'worker', logger });
  const rooms = await openWorkerRooms(config, { logger, observer });
  await checkMasterKeys(rooms.signingKeyRotation);
  await observer.start(lookUpsOf(rooms));
  const workers = startWorkers(rooms);
  const life = { delay: config.shutdownSeconds * 1000, skip: leaveSignalsToSupervisor(), logger };
  closeWithGrace(life, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'closing after an error');
    else logger.info({ signal }, 'closing');
    await workers.close();
    await rooms.close();
    await observer.close();
  });
  giveMemoryBack();
  logger.info('workers ready');
  announceReady();
}

main().catch((error: unknown) => {
  console.error(describeStartFailure(error));
  process.exit(1);
});
