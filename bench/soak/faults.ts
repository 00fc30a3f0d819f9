import { setTimeout as pause } from 'node:timers/promises';
import { fakeClocks } from '../../dev/stage/fake-clock.js';
import { startTcpProxy } from '../../dev/stage/tcp-proxy.js';
import type { Service } from './service.js';

const pausedMs = 5_000;
/** Longer than the lock of a job, so that another worker takes over the jobs of the paused one. */
const workerPausedMs = 10_000;
/** Shorter than the time limit of an import. */
const jumpSeconds = 300;

interface Fault {
  readonly name: string;
  /** Injects the fault, and repairs it. */
  run(): Promise<void>;
}

export interface Faults {
  readonly faults: readonly Fault[];
  /** Faults that cannot be injected here, with the reason. */
  readonly leftOut: readonly string[];
}

interface TestLike {
  teardown(end: () => unknown): void;
  comment(message: string): void;
}

/** All faults, in the order in which they are injected. */
export async function faultsOf(service: Service, t: TestLike): Promise<Faults> {
  const { stage, apis, workers } = service;
  const database = stage.storeProcesses.filter((name) => name !== 'redis-server');
  const redis = stage.storeProcesses.filter((name) => name === 'redis-server');
  const found = [
    {
      name: 'a worker is killed',
      async run() {
        await workers.pop()?.crash();
        await service.startWorker();
      },
    },
    ofStore('Redis is killed and comes back empty', redis, (names) => killed(names, true)),
    ofStore('MongoDB is killed', database, killed),
    {
      name: 'an API process is killed',
      async run() {
        await apis.pop()?.crash();
        await service.startApi();
      },
    },
    await networkIsCut(service, t),
    ofStore('Redis is paused', redis, paused),
    ofStore('MongoDB is paused', database, paused),
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
    await clocksJump(service, t),
  ];
  return {
    faults: found.filter((one) => typeof one !== 'string'),
    leftOut: found.filter((one) => typeof one === 'string'),
  };

  function ofStore(name: string, names: readonly string[], run: (names: readonly string[]) => Promise<void>) {
    return names.length > 0 ? { name, run: () => run(names) } : `${name}: it is no process of ours here`;
  }

  async function killed(names: readonly string[], emptyRedis = false) {
    await stage.crashStore(...names);
    await stage.restoreStores({ emptyRedis });
  }

  async function paused(names: readonly string[]) {
    await stage.signalStore('SIGSTOP', ...names);
    await pause(pausedMs);
    await stage.signalStore('SIGCONT', ...names);
  }
}

/** Two processes join that reach Redis over a proxy. */
async function networkIsCut(service: Service, t: TestLike): Promise<Fault | string> {
  const name = 'the network between two processes and Redis is cut';
  const redis = new URL(service.stage.redisUrl);
  if (redis.protocol !== 'redis:') return `${name}: only one Redis without TLS can be put behind a proxy`;
  const proxy = await startTcpProxy(t, { host: redis.hostname, port: Number(redis.port || 6379) });
  redis.hostname = '127.0.0.1';
  redis.port = String(proxy.port);
  return {
    name,
    async run() {
      const leave = await service.join({ REDIS_URL: redis.href });
      await pause(pausedMs);
      proxy.cut();
      await pause(pausedMs);
      proxy.heal();
      await service.untilReady();
      await leave();
    },
  };
}

/** Two processes join that have a fake clock. */
async function clocksJump(service: Service, t: TestLike): Promise<Fault | string> {
  const name = 'the clock of two processes jumps ahead, back, and is right again';
  const clocks = await fakeClocks(t);
  if ('missing' in clocks) return `${name}: ${clocks.missing}`;
  const clock = await clocks.make('soak');
  return {
    name,
    async run() {
      const leave = await service.join(clock.settings);
      for (const seconds of [jumpSeconds, -jumpSeconds, 0]) {
        await clock.set(seconds);
        await pause(pausedMs);
      }
      await service.untilReady();
      await leave();
    },
  };
}
