import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withLock } from './services/lock.js';
import { pingMongodb, pingRedis } from './services/ping.js';
import { isAlive } from './services/processes.js';
import { type Kind, putRecord, readRecords, type ServiceRecord, stopRecorded } from './services/record.js';
import { findService, NothingServes } from './services/search.js';
import { sources } from './services/sources.js';

/** Running services, and the way by which each was found. */
export interface Services {
  mongodbUrl: string;
  redisUrl: string;
  via: { mongodb: string; redis: string };
  /** Starts those services again that this call started and of which a process has ended. It says which. */
  revive(): Promise<void>;
  /** Stops the services that this call started. Services that ran before keep running. */
  stop(): Promise<void>;
}

interface Options {
  dataDir: string;
  log: (message: string) => void;
  /** Whether a Redis that this call starts refuses commands across slots, as a Cluster does. */
  isCluster?: boolean;
}

const KINDS: readonly Kind[] = ['mongodb', 'redis'];
const PINGS = { mongodb: pingMongodb, redis: pingRedis };
const GIVEN = { mongodb: 'MONGODB_URL', redis: 'REDIS_URL' };

async function provide(kind: Kind, options: Options): Promise<ServiceRecord & { started: boolean }> {
  const { dataDir, log, isCluster = false } = options;
  const given = Boolean(process.env[GIVEN[kind]]);
  if (!given) {
    const before = (await readRecords(dataDir))[kind];
    // A gateway answers for a moment after its engine was killed.
    const isWhole = before?.processes.every(isAlive) === true;
    if (isWhole && before.url !== '' && (await PINGS[kind](before.url))) {
      return { ...before, started: false };
    }
    await stopRecorded(dataDir, kind);
  }
  const remembered: ServiceRecord = { url: '', via: '', processes: [] };
  const context = {
    dataDir,
    log,
    isCluster,
    remember: (process: ServiceRecord['processes'][number]) => {
      remembered.processes.push(process);
      return putRecord(dataDir, kind, remembered);
    },
  };
  const found = await findService(kind, sources(context), log);
  if (!given) {
    await putRecord(dataDir, kind, found);
  }
  return { ...found, started: !given };
}

/** Finds or starts MongoDB and Redis for a data folder. Services of this folder that run are used again. */
export async function startServices(options: Options): Promise<Services> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  return withLock(join(dataDir, 'services.lock'), async () => {
    const mongodb = await provide('mongodb', { ...options, dataDir });
    const redis = await provide('redis', { ...options, dataDir });
    const started = KINDS.filter((kind) => ({ mongodb, redis })[kind].started);
    return {
      mongodbUrl: mongodb.url,
      redisUrl: redis.url,
      via: { mongodb: mongodb.via, redis: redis.via },
      revive: () => reviveServices(started, { ...options, dataDir }),
      stop: () => stopServices(dataDir, started).then(() => {}),
    };
  });
}

async function reviveServices(kinds: readonly Kind[], options: Options): Promise<void> {
  const { dataDir, log } = options;
  await withLock(join(dataDir, 'services.lock'), async () => {
    const records = await readRecords(dataDir);
    for (const kind of kinds) {
      const ended = records[kind]?.processes.filter((process) => !isAlive(process)) ?? [];
      if (ended.length === 0) continue;
      log(`${ended.map(({ name }) => name).join(', ')} ended. ${kind} starts again`);
      // A service keeps its port, so its clients find it again.
      await provide(kind, options);
    }
  });
}

/** Stops the recorded services of a data folder and returns their names. */
export async function stopServices(dataDir: string, kinds: readonly Kind[] = KINDS): Promise<string[]> {
  return withLock(join(dataDir, 'services.lock'), async () => {
    const stopped: string[] = [];
    for (const kind of kinds) {
      stopped.push(...(await stopRecorded(dataDir, kind)));
    }
    return stopped;
  });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function status(dataDir: string): Promise<boolean> {
  const records = await readRecords(dataDir);
  let all = true;
  for (const kind of KINDS) {
    const record = records[kind];
    const answers = record !== undefined && record.url !== '' && (await PINGS[kind](record.url));
    all &&= answers;
    print(record === undefined ? `${kind}: not started` : `${kind}: ${record.url} (${record.via})`);
    if (record !== undefined && !answers) {
      print('  does not answer');
    }
    for (const process of record?.processes ?? []) {
      print(`  ${process.name} pid ${process.pid} ${isAlive(process) ? 'runs' : 'has ended'}`);
    }
  }
  return all;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'data-dir': { type: 'string' } },
  });
  const dataDir = resolve(values['data-dir'] ?? (process.env['MUSTER_DATA_DIR'] || '.muster'));
  switch (positionals[0]) {
    case 'up': {
      const services = await startServices({ dataDir, log: print });
      print(`MongoDB: ${services.mongodbUrl} by ${services.via.mongodb}`);
      print(`Redis:   ${services.redisUrl} by ${services.via.redis}`);
      return 0;
    }
    case 'down': {
      const stopped = await stopServices(dataDir);
      print(stopped.length === 0 ? 'nothing was running' : `stopped ${stopped.join(', ')}`);
      return 0;
    }
    case 'status':
      return (await status(dataDir)) ? 0 : 1;
    default:
      process.stderr.write('usage: services.ts up|down|status [--data-dir <folder>]\n');
      return 2;
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof NothingServes ? error.message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
