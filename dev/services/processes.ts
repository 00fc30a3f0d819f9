import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that was started, told apart from a later one with the same pid by when it started. */
export interface ProcessRecord {
  name: string;
  pid: number;
  startedAt: string;
  /** What makes it end in good order. */
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

/** Starts a program as a group of its own that outlives this process, its output appended to a log file. */
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

/** Whether exactly this process still runs. */
export function isAlive(process: ProcessRecord): boolean {
  return process.startedAt !== '' && startOf(process.pid) === process.startedAt;
}

/** Ends a process, by force when its good order takes longer than ten seconds. */
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}

/** Waits until `ready` holds; fails at once when the process ends before, or after `timeoutMs`. */
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
