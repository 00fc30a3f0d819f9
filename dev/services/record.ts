import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './exec.js';
import { type ProcessRecord, stopProcess } from './processes.js';

export type Kind = 'mongodb' | 'redis';

/** One service as `services.json` remembers it. */
export interface ServiceRecord {
  url: string;
  via: string;
  processes: ProcessRecord[];
  container?: { project: string; service: string };
}

/** What the functions that start a service are given. */
export interface StartContext {
  dataDir: string;
  log: (message: string) => void;
  /** Records a process as soon as it was started, so that a start cut off here leaves none behind unknown. */
  remember: (process: ProcessRecord) => Promise<void>;
}

/** A started service, without the name of the path that served. */
export type Started = Omit<ServiceRecord, 'via'>;

type Records = Partial<Record<Kind, ServiceRecord>>;

function fileOf(dataDir: string): string {
  return join(dataDir, 'services.json');
}

/** What this data folder's `services.json` tells; empty when there is none. */
export async function readRecords(dataDir: string): Promise<Records> {
  try {
    const { services } = JSON.parse(await readFile(fileOf(dataDir), 'utf8')) as { services?: Records };
    return services ?? {};
  } catch {
    return {};
  }
}

/** Writes `services.json` at once and whole; the two URLs stand at its top for whoever reads it. */
export async function writeRecords(dataDir: string, services: Records): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const shown = {
    mongodbUrl: services.mongodb?.url || undefined,
    redisUrl: services.redis?.url || undefined,
    services,
  };
  const temporary = `${fileOf(dataDir)}.${process.pid}`;
  await writeFile(temporary, `${JSON.stringify(shown, null, 2)}\n`);
  await rename(temporary, fileOf(dataDir));
}

/** Replaces the record of one service, or takes it away. */
export async function putRecord(dataDir: string, kind: Kind, record: ServiceRecord | null): Promise<void> {
  const { [kind]: _, ...others } = await readRecords(dataDir);
  await writeRecords(dataDir, record === null ? others : { ...others, [kind]: record });
}

/** Stops what is recorded for one service, the process that was started last first, and forgets it. */
export async function stopRecorded(dataDir: string, kind: Kind): Promise<string[]> {
  const record = (await readRecords(dataDir))[kind];
  if (record === undefined) {
    return [];
  }
  const stopped: string[] = [];
  for (const process of [...record.processes].reverse()) {
    await stopProcess(process);
    stopped.push(process.name);
  }
  if (record.container !== undefined) {
    const { project, service } = record.container;
    await runCommand('docker', ['compose', '--file', project, 'stop', service], { timeoutMs: 60_000 });
    stopped.push(`container ${service}`);
  }
  await putRecord(dataDir, kind, null);
  return stopped;
}
