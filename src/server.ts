import closeWithGrace from 'close-with-grace';
import { buildApp } from './app.js';
import { checkRelyingParty } from './authentication/passkeys/index.js';
import { checkMasterKeys } from './keys/check-master-keys.js';
import { lookUpsOf } from './observe/look-ups.js';
import { openObserver } from './observe/observer.js';
import { giveMemoryBack } from './platform/give-memory-back.js';
import { createLogger } from './platform/logger.js';
import { describeStartFailure } from './platform/start-failure.js';
import { announceReady, leaveSignalsToSupervisor } from './platform/supervised.js';
import { lowerThreadPriority } from './platform/thread-priority.js';
import { readConfig } from './read-config.js';
import { openRooms } from './rooms.js';

/** The threads that hash passwords get a third of the processor time of the event loop if both want all of a core. */
const threadNiceness = 5;

/** So long after the start the queues of jobs are opened, if no request needed them before. In milliseconds. */
const warmUpMs = 1_000;

/**
 * Runs the API process: read the configuration, open the rooms, build the application, listen. At SIGTERM or SIGINT
 * it closes them in reverse order.
 */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, processName: 'api' });
  const observer = await openObserver(config, { processName: 'api', logger });
  const rooms = await openRooms(config, { logger, observer });
  await lowerThreadPriority(config.threadPoolSize, threadNiceness);
  await checkMasterKeys(rooms.signingKeyRotation);
  await checkRelyingParty(rooms);
  const app = await buildApp(rooms);
  const delay = (config.drainSeconds + config.shutdownSeconds) * 1000;
  const life = { delay, skip: leaveSignalsToSupervisor(), logger };
  closeWithGrace(life, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'closing after an error');
    else logger.info({ signal }, 'closing');
    await app.close();
    await rooms.close();
    await observer.close();
  });
  await observer.start(lookUpsOf(rooms));
  await app.listen({ host: config.host, port: config.port });
  announceReady();
  // Few requests need them, so they do not delay the start.
  setTimeout(() => void rooms.jobQueue.warmUp(), warmUpMs).unref();
  giveMemoryBack();
}

main().catch((error: unknown) => {
  console.error(describeStartFailure(error));
  process.exit(1);
});
