import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function take(path: string): Promise<boolean> {
  // The lock appears with the holder in it. A process that is killed here leaves no lock without a holder, which would stay forever.
  const own = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw error;
    }
  } finally {
    await rm(own, { force: true });
  }
  const holder = await readFile(path, 'utf8').catch(() => undefined);
  if (holder === '' || (holder !== undefined && !isRunning(Number(holder)))) {
    await rm(path, { force: true });
  }
  return false;
}

/** Runs `work` while no other process holds the lock file. The lock of a dead process is taken over. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await take(path))) {
    await delay(100);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
