import { readdir, readFile, readlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { processorTime, processorTimeOfEnded, tickMs } from './processes.js';

/** Processes by what their command line contains, or the folders that are mounted for them. The first kind that fits counts. */
export type Kinds = Readonly<Record<string, (commandLine: string, mounts: string) => boolean>>;

/** The processes of the stores on this machine. */
export const storeKinds: Kinds = {
  gateway: (line) => line.includes('documentdb/main'),
  engine: (line) => line.startsWith('postgres') || line.includes('/postgres '),
  redis: (line) => line.includes('redis-server'),
};

/** The processes of Muster in this checkout, and those of the stores. */
export const ownKinds: Kinds = {
  api: (line) => line.includes('dist/src/server.js'),
  worker: (line) => line.includes('dist/workers/main.js'),
  ...storeKinds,
};

/** Where the programs and the stores of this checkout are. */
const ours = [
  process.cwd(),
  ...[process.env['MUSTER_DATA_DIR'] ?? []].flat().map((folder) => resolve(folder)),
];

/** The processor time of each kind of process of this checkout so far, in milliseconds. Other checkouts may run their own. */
export async function processorTimes(kinds: Kinds): Promise<Map<string, number>> {
  const times = new Map(Object.keys(kinds).map((kind) => [kind, 0]));
  for (const { kind, pid } of await processesOf(kinds)) {
    // PostgreSQL has a process for each connection, which may end.
    const ms = (await processorTime(pid)) + (await processorTimeOfEnded(pid));
    if (!Number.isNaN(ms)) times.set(kind, (times.get(kind) ?? 0) + ms);
  }
  return times;
}

/** The processes of this checkout that are of one of the kinds. */
export async function processesOf(kinds: Kinds): Promise<{ kind: string; pid: string }[]> {
  const found: { kind: string; pid: string }[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
    const commandLine = (await read('cmdline')).replaceAll('\0', ' ');
    // PostgreSQL runs in a folder of its own, where the data of this checkout is mounted.
    const mounts = await read('mountinfo');
    const kind = Object.entries(kinds).find(([, isOf]) => isOf(commandLine, mounts))?.[0];
    if (kind === undefined) continue;
    const places = [await readlink(`/proc/${pid}/cwd`).catch(() => ''), commandLine, mounts];
    if (places.some((place) => ours.some((one) => place.includes(one)))) found.push({ kind, pid });
  }
  return found;
}

/**
 * The processor time that some kinds of processes used between two readings, in milliseconds.
 * @throws Error if no process of a kind was found. Also if a later reading is smaller, because then a process has ended
 */
export function spentBy(
  kinds: readonly string[],
  { before, after }: Readonly<Record<'before' | 'after', ReadonlyMap<string, number>>>,
): number {
  let spent = 0;
  for (const kind of kinds) {
    const [first = 0, last = 0] = [before.get(kind), after.get(kind)];
    if (first === 0) throw new Error(`No process of the kind ${kind} was found`);
    if (last < first) throw new Error(`A process of the kind ${kind} ended meanwhile`);
    spent += last - first;
  }
  if (spent === 0) throw new Error(`No processor time was used by ${kinds.join(', ')}`);
  return spent;
}

/** For how long the cores of this machine were busy so far, with any program and with the kernel, in milliseconds of all cores. */
export async function busyTime(): Promise<number> {
  // proc(5): the first line is the sum of all cores.
  const [, user, nice, system, , , irq, softirq] = (await readFile('/proc/stat', 'utf8')).split(/\s+/);
  return [user, nice, system, irq, softirq].reduce((sum, ticks) => sum + Number(ticks) * tickMs, 0);
}
