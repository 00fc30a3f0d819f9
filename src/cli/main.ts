#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { StartError } from '#src/platform/start-failure.js';
import { ConfigError } from '#src/read-config.js';
import { usage } from './usage.js';

/** Each command imports its modules when it runs. Some need the stores, others need almost nothing. */
const commands: Record<string, (args: string[]) => Promise<void> | void> = {
  init: async (args) => (await import('./init.js')).init(args),
  start: async (args) => (await import('./start.js')).start(args),
  upgrade: async (args) => (await import('./upgrade.js')).upgrade(args),
  reseal: async () => (await import('./reseal.js')).reseal(),
  'new-master-key': newMasterKey,
  convert: async (args) => (await import('./convert.js')).convert(args),
  import: async (args) => (await import('./import.js')).importFile(args),
  export: async (args) => (await import('./export.js')).exportFile(args),
  help: () => console.log(usage),
};

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
