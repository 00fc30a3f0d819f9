import closeWithGrace from 'close-with-grace';
import { buildApp } from './app.js';
import { readConfig } from './config.js';
import { openContainer } from './container.js';
import { createLogger } from './platform/logger.js';
import { describeStartFailure } from './platform/start-failure.js';

/** The API process: configuration, container, application, listen; at SIGTERM or SIGINT everything in reverse. */
async function main(): Promise<void> {
  const config = readConfig();
  const logger = createLogger({ level: config.logLevel, processName: 'api' });
  const container = await openContainer(config, { logger });
  const app = await buildApp(container);
  closeWithGrace({ delay: config.shutdownSeconds * 1000, logger }, async ({ err, signal }) => {
    if (err) logger.fatal({ err }, 'closing after an error');
    else logger.info({ signal }, 'closing');
    await app.close();
    await container.close();
  });
  await app.listen({ host: config.host, port: config.port });
}

main().catch((error: unknown) => {
  console.error(describeStartFailure(error));
  process.exit(1);
});
