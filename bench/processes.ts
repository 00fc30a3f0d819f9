import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killIfLeft } from '../dev/leftovers.js';

/** The options of Node.js in the image, as in its Dockerfile. Peers run with the same options. */
export const imageNodeOptions = readImageNodeOptions();

function readImageNodeOptions(): string {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  const options = /NODE_OPTIONS="([^"]+)"/.exec(dockerfile)?.[1];
  if (options === undefined) throw new Error('The Dockerfile sets no NODE_OPTIONS');
  return options;
}

/** A measured process. */
export interface Running {
  readonly name: string;
  /** Resident memory in MiB. */
  memory(): Promise<number>;
  /** Processor time of all its threads, in milliseconds. */
  processorTime(): Promise<number>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly name: string;
  /** The program of Node.js. Absent: the one that runs this. */
  readonly node?: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly logFolder: string;
  /** An address that answers 2xx when the program is ready. Absent for programs without a port. */
  readonly readyUrl?: string;
}

const readyWithinMs = 60_000;

/** All processes that run. None outlives this process, however this process ends. */
const children = new Set<ChildProcess>();

/** Stops the processes that run. A failed measure leaves its processes behind. */
export async function stopAll(): Promise<void> {
  await Promise.all([...children].map(stopChild));
}

/**
 * Starts a Node.js program, writes its output to a file as a service manager does, and waits until the program is
 * ready.
 */
export async function startProgram(options: ProgramOptions): Promise<Running> {
  const { name, node = process.execPath, args, env, logFolder, readyUrl } = options;
  mkdirSync(logFolder, { recursive: true });
  const logFile = join(logFolder, `bench-${name}.log`);
  const log = openSync(logFile, 'w');
  const child = spawn(node, args, {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  children.add(child);
  killIfLeft(child);
  const ended = new Promise<void>((done) =>
    child.once('exit', () => {
      children.delete(child);
      done();
    }),
  );
  const running: Running = {
    name,
    memory: () => residentMemory(child.pid),
    processorTime: () => processorTime(child.pid),
    ended,
    stop: () => stopChild(child),
  };
  try {
    if (readyUrl !== undefined) await untilServes(child, readyUrl);
  } catch (error) {
    await running.stop();
    throw new Error(`${name} did not start; see ${logFile}`, { cause: error });
  }
  return running;
}

async function untilServes(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}`);
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await pause(50);
  }
  throw new Error(`${url} did not answer in time`);
}

/** Resident memory in MiB. NaN if there is no such process. */
export async function residentMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The kernel counts in hundredths of a second. */
export const tickMs = 10;

/** Processor time of all threads of a process so far, in milliseconds. NaN if there is no such process. */
export async function processorTime(pid: number | string | undefined): Promise<number> {
  return timeIn(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''), 14);
}

const settlingMs = 250;

/** Waits until a process has ended what the end of a round left behind, such as the hashes of sign-ins that it cut. */
export async function untilSettled(process: Running): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; ; await pause(settlingMs)) {
    const now = await process.processorTime();
    // A process at rest uses a little too, and one that has ended has no time.
    if (!(now - before > 2 * tickMs)) return;
    before = now;
  }
}

/** Processor time of all programs that a process started and that have ended, in milliseconds. NaN if there is no such process. */
export async function processorTimeOfEnded(pid: number | string = 'self'): Promise<number> {
  return timeIn(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''), 16);
}

/** The sum of two times of `/proc/PID/stat`, in milliseconds. @param field the number of the first (proc(5)): user, then system time */
function timeIn(stat: string, field: number): number {
  // The name may contain any character, so counting starts after it: the state is field 3.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[field - 3]) + Number(fields[field - 2])) * tickMs;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(force);
}
