import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './exec.js';
import { type ProcessRecord, stopProcess } from './processes.js';

export type Kind = 'mongodb' | 'redis';

/** One service as recorded in `services.json`. */
export interface ServiceRecord {
  url: string;
  via: string;
  processes: ProcessRecord[];
  container?: { project: string; service: string };
}

/** The arguments of the functions that start a service. */
export interface StartContext {
  dataDir: string;
  log: (message: string) => void;
  /** Whether Redis is the only node of a Cluster. */
  isCluster?: boolean;
  /**
   * Records a process right after its start. If the start of the service is interrupted, the process can be found and
   * stopped.
   */
  remember: (process: ProcessRecord) => Promise<void>;
}

/** A started service, without the name of the way that worked. */
export type Started = Omit<ServiceRecord, 'via'>;

type Records = Partial<Record<Kind, ServiceRecord>>;

function fileOf(dataDir: string): string {
  return join(dataDir, 'services.json');
}

/** The content of this data folder's `services.json`. It is empty if there is no such file. */
export async function readRecords(dataDir: string): Promise<Records> {
  try {
    const { services } = JSON.parse(await readFile(fileOf(dataDir), 'utf8')) as { services?: Records };
    return services ?? {};
  } catch {
    return {};
  }
}

/** Writes `services.json` in one step. The two URLs stand at the top, where a person finds them. */
async function writeRecords(dataDir: string, services: Records): Promise<void> {
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

/** Replaces or removes the record of one service. */
export async function putRecord(dataDir: string, kind: Kind, record: ServiceRecord | null): Promise<void> {
  const { [kind]: _, ...others } = await readRecords(dataDir);
  await writeRecords(dataDir, record === null ? others : { ...others, [kind]: record });
}

/** Stops the recorded processes of one service, the latest first, and removes the record. */
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
