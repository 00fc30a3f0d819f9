import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { pingRedis } from './ping.js';
import { portFor } from './ports.js';
import { type ProcessRecord, startDetached, waitUntil } from './processes.js';
import type { StartContext, Started } from './record.js';

/**
 * Starts an own Redis that keeps its data in the data folder. As the only node of a Cluster it serves the same clients, and
 * refuses commands and scripts whose keys are in different slots.
 */
export async function startRedis(program: string, context: StartContext): Promise<Started> {
  const { dataDir } = context;
  const { isCluster } = context;
  const port = await portFor(dataDir, 'redis');
  const folder = join(dataDir, 'redis');
  const logFile = join(dataDir, 'logs', 'redis.log');
  await mkdir(folder, { recursive: true });
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--daemonize', 'no'];
  const persistence = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''];
  const cluster = isCluster ? ['--cluster-enabled', 'yes'] : [];
  const process = startDetached({
    name: 'redis-server',
    command: program,
    args: [...options, ...persistence, ...cluster],
    logFile,
  });
  await context.remember(process);
  const url = `redis://127.0.0.1:${port}`;
  await waitUntil(() => pingRedis(url), { process, logFile, timeoutMs: 15_000 });
  if (isCluster) await takeAllSlots(url, { process, logFile });
  return { url, processes: [process] };
}

/** Waits until the node serves all slots. It keeps them over a restart. */
async function takeAllSlots(
  url: string,
  started: { process: ProcessRecord; logFile: string },
): Promise<void> {
  const client = new Redis(url);
  try {
    const info = async () => String(await client.call('CLUSTER', 'INFO'));
    if (!(await info()).includes('cluster_slots_assigned:16384')) {
      // It has those of the keys that it had before it was a node. A slot that it has is refused.
      const slots = client.pipeline();
      for (let slot = 0; slot < 16_384; slot++) slots.call('CLUSTER', 'ADDSLOTS', slot);
      await slots.exec();
    }
    await waitUntil(async () => (await info()).includes('cluster_state:ok'), {
      ...started,
      timeoutMs: 15_000,
    });
  } finally {
    client.disconnect();
  }
}
