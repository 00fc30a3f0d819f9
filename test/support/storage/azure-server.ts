import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import type { Test } from 'tap';
import { killIfLeft } from '../../../dev/leftovers.js';

/** The storage account that the server knows. */
export const azureAccount = {
  account: 'mustertest',
  accountKey: Buffer.from('the key of the account of the tests').toString('base64'),
};

/**
 * Starts Azurite, the server that Microsoft makes for tests of Azure Blob Storage, with everything in memory.
 * @returns the address of the account, by http
 */
export async function startAzureServer(t: Pick<Test, 'teardown'>): Promise<string> {
  const main = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const options = ['--inMemoryPersistence', '--blobHost', '127.0.0.1', '--blobPort', '0', '--silent'];
  const child = spawn(process.execPath, [main, ...options, '--disableTelemetry', '--skipApiVersionCheck'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, AZURITE_ACCOUNTS: `${azureAccount.account}:${azureAccount.accountKey}` },
  });
  killIfLeft(child);
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface(child.stdout)) {
    const address = /listens on (\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return `${address}/${azureAccount.account}`;
  }
  throw new Error('Azurite ended before it listened');
}
