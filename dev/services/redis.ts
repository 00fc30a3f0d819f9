import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pingRedis } from './ping.js';
import { portFor } from './ports.js';
import { startDetached, waitUntil } from './processes.js';
import type { StartContext, Started } from './record.js';

/** Starts an own Redis that keeps its data in the data folder. */
export async function startRedis(program: string, context: StartContext): Promise<Started> {
  const { dataDir } = context;
  const port = await portFor(dataDir, 'redis');
  const folder = join(dataDir, 'redis');
  const logFile = join(dataDir, 'logs', 'redis.log');
  await mkdir(folder, { recursive: true });
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--daemonize', 'no'];
  const persistence = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
  const process = startDetached({
    name: 'redis-server',
    command: program,
    args: [...options, ...persistence],
    logFile,
  });
  await context.remember(process);
  const url = `redis://127.0.0.1:${port}`;
  await waitUntil(() => pingRedis(url), { process, logFile, timeoutMs: 15_000 });
  return { url, processes: [process] };
}
