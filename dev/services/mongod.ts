import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { pingMongodb } from './ping.js';
import { portFor } from './ports.js';
import { startDetached, waitUntil } from './processes.js';
import type { StartContext, Started } from './record.js';

const ALREADY_INITIALIZED = 23;

async function initiate(url: string, port: number): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 500 });
  try {
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    await client.db('admin').command({ replSetInitiate: { _id: 'muster', members } });
  } catch (error) {
    if ((error as { code?: number }).code !== ALREADY_INITIALIZED) {
      throw error;
    }
    await moveMember(client, port);
  } finally {
    await client.close();
  }
}

/** A member whose port is another one than at its last start is in no set until the set knows the new address. */
async function moveMember(client: MongoClient, port: number): Promise<void> {
  const admin = client.db('admin');
  const { config } = await admin.command({ replSetGetConfig: 1 });
  const [member] = config.members;
  const host = `127.0.0.1:${port}`;
  if (member.host === host) return;
  const members = [{ ...member, host }];
  await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
}

/** Starts an own mongod as a replica set of one node, because transactions need a replica set. */
export async function startMongod(program: string, context: StartContext): Promise<Started> {
  const { dataDir } = context;
  const port = await portFor(dataDir, 'mongod');
  const folder = join(dataDir, 'mongod');
  const logFile = join(dataDir, 'logs', 'mongod.log');
  await mkdir(folder, { recursive: true });
  const process = startDetached({
    name: 'mongod',
    command: program,
    args: [
      ...['--dbpath', folder, '--port', String(port), '--bind_ip', '127.0.0.1'],
      ...['--replSet', 'muster', '--wiredTigerCacheSizeGB', '1'],
      ...['--setParameter', 'ttlMonitorSleepSecs=15'],
    ],
    logFile,
  });
  await context.remember(process);
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const initiated = async () => {
    try {
      await initiate(url, port);
      return true;
    } catch {
      return false;
    }
  };
  await waitUntil(initiated, { process, logFile, timeoutMs: 30_000 });
  await waitUntil(() => pingMongodb(url), { process, logFile, timeoutMs: 30_000 });
  return { url, processes: [process] };
}
