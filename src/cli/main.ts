#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '#src/config.js';
import { openContainer } from '#src/container.js';
import { createLogger } from '#src/platform/logger.js';
import { StartError } from '#src/platform/start-failure.js';
import { convert, convertUsage } from './convert.js';
import { initInstance } from './init-instance.js';
import { start } from './start.js';
import { openFirstStartOutput } from './write-first-start.js';

const usage = `muster - identity service

Usage:
  muster init [--output first-start.json] [--org-name Muster] [--admin-user-name admin]
              [--admin-email admin@example.com]
      On an empty database makes the indexes, an organization, a human administrator and a
      service user with the role IAM_OWNER and a personal access token. What was made is written
      to the output file (mode 0600) or, without one, to standard output. Otherwise does nothing.
  muster start [--processes 1] [--workers 1]
      Runs API processes that share PORT, and workers, and starts anew the one that dies. SIGHUP
      replaces them one after another, without a failed request; SIGTERM closes them.
  muster new-master-key [--id k1]
      Prints a new key for MUSTER_MASTER_KEYS.
${convertUsage}
  muster help

Configuration is read from the environment; see docs/configuration.md.`;

const commands: Record<string, (args: string[]) => Promise<void> | void> = {
  init,
  start,
  'new-master-key': newMasterKey,
  convert,
  help: () => console.log(usage),
};

async function init(args: string[]): Promise<void> {
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

function newMasterKey(args: string[]): void {
  const { values } = parseArgs({ args, options: { id: { type: 'string', default: 'k1' } } });
  console.log(`${values.id}:${randomBytes(32).toString('base64url')}`);
}

async function main([name = 'help', ...args]: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    console.error(`muster: there is no command ${name}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  await command(args);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const told = [ConfigError, StartError, TypeError].some((kind) => error instanceof kind);
  console.error(told ? (error as Error).message : error);
  process.exitCode = 1;
});
