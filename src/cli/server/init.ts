import { createLogger } from '#src/platform/logger.js';
import { readConfig } from '#src/read-config.js';
import { openRooms } from '#src/rooms.js';
import type { Output } from '../terminal/output.js';
import { initInstance } from './init-instance.js';
import { openFirstStartOutput } from './write-first-start.js';

interface InitCommandOptions {
  readonly output?: string | undefined;
  readonly orgName: string;
  readonly adminUserName: string;
  readonly adminEmail: string;
}

/** Runs `muster init`. */
export async function init(options: InitCommandOptions, screen: Output): Promise<void> {
  const { output, ...names } = options;
  const config = readConfig();
  const logger = createLogger({ level: 'warn', processName: 'init' });
  const rooms = await openRooms(config, { logger });
  try {
    const made = await initInstance(rooms, {
      orgName: names.orgName,
      adminUserName: names.adminUserName,
      adminEmail: names.adminEmail,
      openOutput: () => openFirstStartOutput(output),
    });
    if (!made) screen.note('The instance is initialized already; nothing was changed.');
    // Without a file, the results are the document on standard output.
    if (!made || output !== undefined) {
      screen.result({ initialized: made, ...(made && { output }) });
    }
  } finally {
    await rooms.close();
  }
}
