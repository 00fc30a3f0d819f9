import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ownKinds, processesOf } from './process-kinds.js';

/**
 * Gives the processes of a kind the last core of this machine while some work is done. This process, which has the
 * clients, and all others get the other cores.
 * @param kind one of {@link ownKinds}
 * @param work is not called on a machine with one core
 */
export async function withCoreOfItsOwn(kind: string, work: () => Promise<void>): Promise<void> {
  const cores = availableParallelism();
  if (cores === 1) return;
  const others = cores === 2 ? '0' : `0-${cores - 2}`;
  try {
    await place(kind, { own: String(cores - 1), others });
    await work();
  } finally {
    await place(kind, { own: `0-${cores - 1}`, others: `0-${cores - 1}` });
  }
}

/** Says on which cores the processes may run, with all of their threads. */
async function place(apart: string, cores: { own: string; others: string }): Promise<void> {
  const pin = (list: string, pid: string) => {
    try {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, pid], { stdio: 'ignore' });
    } catch (error) {
      // PostgreSQL has a process for each connection, which may end.
      if (existsSync(`/proc/${pid}`)) throw error;
    }
  };
  pin(cores.others, String(process.pid));
  for (const { kind, pid } of await processesOf(ownKinds))
    pin(kind === apart ? cores.own : cores.others, pid);
}
