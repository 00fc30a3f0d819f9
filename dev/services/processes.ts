import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A started process. Its start time distinguishes it from a later process with the same pid. */
export interface ProcessRecord {
  name: string;
  pid: number;
  startedAt: string;
  /** The signal that makes the process end in good order. */
  signal: 'SIGTERM' | 'SIGINT';
}

/** How a process is started. */
export interface Program {
  name: string;
  command: string;
  args: readonly string[];
  logFile: string;
  cwd?: string;
  signal?: 'SIGTERM' | 'SIGINT';
}

function startOf(pid: number): string {
  try {
    const [state, ...started] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? '' : started.join(' ');
  } catch {
    return '';
  }
}

/** Starts a program as a process group that outlives this process. The program's output is appended to a log file. */
export function startDetached(program: Program): ProcessRecord {
  mkdirSync(dirname(program.logFile), { recursive: true });
  const log = openSync(program.logFile, 'a');
  const child = spawn(program.command, program.args, {
    detached: true,
    stdio: ['ignore', log, log],
    ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
  });
  closeSync(log);
  child.on('error', () => {});
  child.unref();
  if (child.pid === undefined) {
    throw new Error(`${program.command} could not be started`);
  }
  return {
    name: program.name,
    pid: child.pid,
    startedAt: startOf(child.pid),
    signal: program.signal ?? 'SIGTERM',
  };
}

/** Whether exactly this process runs. */
export function isAlive(process: ProcessRecord): boolean {
  return process.startedAt !== '' && startOf(process.pid) === process.startedAt;
}

/** Ends a process. If it takes longer than ten seconds, it is killed. */
export async function stopProcess(record: ProcessRecord): Promise<void> {
  if (!isAlive(record)) {
    return;
  }
  signal(record.pid, record.signal);
  for (let waited = 0; waited < 10_000 && isAlive(record); waited += 50) {
    await delay(50);
  }
  if (isAlive(record)) {
    signal(-record.pid, 'SIGKILL');
  }
}

/** Sends a signal. A process that has ended gets none. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended by itself.
  }
}

/** Waits until `ready` holds. Fails at once if the process ends first, and fails after `timeoutMs`. */
export async function waitUntil(
  ready: () => Promise<boolean>,
  options: { process: ProcessRecord; logFile: string; timeoutMs: number },
): Promise<void> {
  const end = Date.now() + options.timeoutMs;
  for (let pause = 20; !(await ready()); pause = Math.min(pause * 2, 250)) {
    if (!isAlive(options.process)) {
      throw new Error(`${options.process.name} ended at its start; see ${options.logFile}`);
    }
    if (Date.now() > end) {
      await stopProcess(options.process);
      throw new Error(`${options.process.name} was not ready in time; see ${options.logFile}`);
    }
    await delay(pause);
  }
}
