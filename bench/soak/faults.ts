import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './service.js';

const pausedMs = 5_000;
/** Longer than the lock of a job, so that another worker takes over what the paused one holds. */
const workerPausedMs = 10_000;

export interface Fault {
  readonly name: string;
  run(): Promise<void>;
}

/** Everything that is done to the service, in turn. Each repairs what it broke. */
export function faultsOf({ stage, apis, workers }: Service): Fault[] {
  const database = stage.storeProcesses.filter((name) => name !== 'redis-server');
  const redis = stage.storeProcesses.filter((name) => name === 'redis-server');
  const killed = async (names: readonly string[], emptyRedis = false) => {
    await stage.crashStore(...names);
    await stage.restoreStores({ emptyRedis });
  };
  const paused = async (names: readonly string[]) => {
    await stage.signalStore('SIGSTOP', ...names);
    await pause(pausedMs);
    await stage.signalStore('SIGCONT', ...names);
  };
  return [
    {
      name: 'a worker is killed',
      async run() {
        await workers.pop()?.crash();
        workers.push(await stage.startWorker());
      },
    },
    { name: 'Redis is killed and comes back empty', run: () => killed(redis, true) },
    { name: 'MongoDB is killed', run: () => killed(database) },
    {
      name: 'an API process is killed',
      async run() {
        await apis.pop()?.crash();
        apis.push(await stage.startApi());
      },
    },
    { name: 'Redis is paused', run: () => paused(redis) },
    { name: 'MongoDB is paused', run: () => paused(database) },
    {
      name: 'a worker is paused',
      async run() {
        workers.at(-1)?.signal('SIGSTOP');
        await pause(workerPausedMs);
        workers.at(-1)?.signal('SIGCONT');
      },
    },
    {
      name: 'an API process is paused',
      async run() {
        apis.at(-1)?.signal('SIGSTOP');
        await pause(pausedMs);
        apis.at(-1)?.signal('SIGCONT');
      },
    },
  ];
}
