import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { runCommand } from './exec.js';
import type { Started } from './record.js';

const COMPOSE_FILE = join(repository, 'docker-compose.yml');

async function engineAnswers(): Promise<boolean> {
  try {
    await access(COMPOSE_FILE);
    await runCommand('docker', ['info'], { timeoutMs: 3_000 });
    return true;
  } catch {
    return false;
  }
}

/** Starts a service of the compose file if a Docker engine answers. A service that ran before is not stopped later. */
export async function startContainer(service: string, url: string): Promise<Started | null> {
  if (!(await engineAnswers())) {
    return null;
  }
  const compose = ['compose', '--file', COMPOSE_FILE];
  const running = await runCommand('docker', [...compose, 'ps', '--status', 'running', '--services'], {
    timeoutMs: 20_000,
  });
  await runCommand('docker', [...compose, 'up', '-d', '--wait', service], { timeoutMs: 300_000 });
  return running.split('\n').includes(service)
    ? { url, processes: [] }
    : { url, processes: [], container: { project: COMPOSE_FILE, service } };
}
