import { parseArgs } from 'node:util';
import { openContainer } from '#src/container.js';
import { createLogger } from '#src/platform/logger.js';
import { readConfig } from '#src/read-config.js';
import { initInstance } from './init-instance.js';
import { openFirstStartOutput } from './write-first-start.js';

/** Runs `muster init`. */
export async function init(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      output: { type: 'string' },
      'org-name': { type: 'string', default: 'Muster' },
      'admin-user-name': { type: 'string', default: 'admin' },
      'admin-email': { type: 'string', default: 'admin@example.com' },
    },
  });
  const config = readConfig();
  const logger = createLogger({ level: 'warn', processName: 'init' });
  const container = await openContainer(config, { logger });
  try {
    const made = await initInstance(container, {
      orgName: values['org-name'],
      adminUserName: values['admin-user-name'],
      adminEmail: values['admin-email'],
      openOutput: () => openFirstStartOutput(values.output),
    });
    if (!made) console.error('The instance is initialized already; nothing was changed.');
  } finally {
    await container.close();
  }
}
