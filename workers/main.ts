import closeWithGrace from 'close-with-grace';
import { readConfig } from '#src/config.js';
import { openContainer } from '#src/container.js';
import { createLogger } from '#src/platform/logger.js';
import { describeStartFailure } from '#src/platform/start-failure.js';
import { startWorkers } from './start-workers.js';

/** The worker process: configuration, container, workers; at SIGTERM or SIGINT jobs in flight finish first. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, processName: 'worker' });
  const container = await openContainer(config, { logger });
  const workers = startWorkers(container);
  closeWithGrace({ delay: config.shutdownSeconds * 1000, logger }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'closing after an error');
    else logger.info({ signal }, 'closing');
    await workers.close();
    await container.close();
  });
  logger.info('workers ready');
}

main().catch((error: unknown) => {
  console.error(describeStartFailure(error));
  process.exit(1);
});
