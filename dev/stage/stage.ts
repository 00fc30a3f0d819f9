import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { clearIfLeft, killIfLeft } from '../leftovers.js';
import { type MaySkip, notRun } from '../not-run.js';
import { readRecords } from '../services/record.js';
import { NothingServes } from '../services/search.js';
import { type Services, startServices } from '../services.js';
import { until } from '../until.js';
import { type Client, connect } from './http-client.js';
import { noLimits } from './no-limits.js';
import { linesWithSecrets } from './secret-formats.js';

type TestLike = Pick<Test, 'teardown' | 'comment'> & MaySkip;

/** A process of this service that runs the compiled code. */
export interface Running {
  readonly pid: number;
  readonly exitCode: Promise<number | string>;
  signal(name: NodeJS.Signals): void;
  /** Kills the process as a crash would, and waits until it is gone. */
  crash(): Promise<void>;
  /** The log output so far. */
  log(): string;
}

/** An API process and a client for it. Calls carry the token of the first start unless they state another one. */
export interface Api extends Running, Client {
  readonly address: string;
}

/**
 * Stores, a first start, and the processes of one test. All of them are removed at the end of the test, even if it
 * fails.
 */
export interface Stage {
  readonly orgId: string;
  readonly token: string;
  readonly baseUrl: string;
  startApi(settings?: Record<string, string>): Promise<Api>;
  startWorker(settings?: Record<string, string>): Promise<Running>;
  /** Starts API processes and workers under one supervisor, `muster start`. */
  startSupervised(
    count: { processes: number; workers: number },
    settings?: Record<string, string>,
  ): Promise<Api>;
  /** Runs `muster` with these arguments, such as `['upgrade', '--finish']`. */
  startCommand(args: string[], settings?: Record<string, string>): Running;
  /**
   * Adds a text that no log line may contain, besides texts that look like secrets. The teardown searches every log.
   */
  keepSecret(...secrets: string[]): void;
  /** Kills processes of a store by name (`redis-server`, `postgres`, ...) as a crash would. */
  crashStore(...names: string[]): Promise<void>;
  /** Sends a signal to processes of a store by name: SIGSTOP makes it silent without closing its connections. */
  signalStore(signal: NodeJS.Signals, ...names: string[]): Promise<void>;
  /** Starts the killed processes of a store again. Redis can start without its data. */
  restoreStores(options?: { emptyRedis?: boolean }): Promise<void>;
  readonly storeProcesses: readonly string[];
  /** The database of the stage, for counts that no endpoint offers. */
  readonly mongodb: { readonly url: string; readonly database: string };
  readonly redis: { readonly url: string; readonly prefix: string };
  readonly redisUrl: string;
}

const listening = /Server listening at (http:\/\/[^"\s]+)/;

/**
 * Sets the stage. If a test kills stores, it gets its own. Otherwise it uses the given stores with its own database and
 * prefix.
 * @returns undefined if this machine can start no stores
 */
export async function openStage(
  t: TestLike,
  options: {
    ownStores?: boolean;
    settings?: Record<string, string>;
    /** Options of Node.js for every process of this service. */
    nodeFlags?: readonly string[];
  } = {},
): Promise<Stage | undefined> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-e2e-'));
  const logs = join(dataDir, 'processes');
  await mkdir(logs);
  const log = (message: string) => t.comment(message);
  const cleared = clearIfLeft(dataDir);
  const services = await openStores(t, { dataDir, log, areOwn: options.ownStores === true });
  if (services === undefined) return undefined;
  const secrets = new Set<string>();
  const started: Running[] = [];
  t.teardown(async () => {
    await Promise.all(started.map((running) => running.crash()));
    const leaked = await leaks(logs, secrets);
    await services.stop();
    await rm(dataDir, { recursive: true, force: true });
    cleared();
    if (leaked.length > 0) throw new Error(`Log lines carry secrets:\n${leaked.join('\n')}`);
  });

  const instance = `e2e-${process.pid}-${Date.now().toString(36)}`;
  const baseUrl = 'http://muster.example';
  const masterKey = Buffer.alloc(32, 7).toString('base64url');
  const env = {
    ...process.env,
    MONGODB_URL: services.mongodbUrl,
    REDIS_URL: services.redisUrl,
    MONGODB_DATABASE: instance,
    REDIS_PREFIX: instance,
    MUSTER_MASTER_KEYS: `k1:${masterKey}`,
    MUSTER_BASE_URL: baseUrl,
    PORT: '0',
    LOG_LEVEL: 'trace',
    ...noLimits,
    ...options.settings,
  };
  const { nodeFlags = [] } = options;
  const start: StartProcess = (script, settings = {}, args = []) => {
    const command = [...nodeFlags, resolve('dist', script), ...args];
    const running = run(command, { ...env, ...settings }, join(logs, `${started.length}.log`));
    started.push(running);
    return running;
  };
  const { orgId, adminToken, adminPassword } = await initInstance(env, dataDir, logs);
  secrets.add(adminToken).add(adminPassword).add(masterKey);

  return {
    orgId,
    token: adminToken,
    baseUrl,
    mongodb: { url: services.mongodbUrl, database: instance },
    redis: { url: services.redisUrl, prefix: instance },
    redisUrl: services.redisUrl,
    storeProcesses: Object.values(await readRecords(dataDir)).flatMap(({ processes }) =>
      processes.map(({ name }) => name),
    ),

    ...serviceStarts(start, adminToken),

    startCommand: (args, settings) => start('src/cli/main.js', settings, args),

    keepSecret: (...more) => {
      for (const secret of more) secrets.add(secret);
    },

    ...storeFaults(services, dataDir, log),
  };
}

/** Starts the stores, or uses the given ones. @returns undefined if they must be own ones, and this machine can start none */
async function openStores(
  t: TestLike,
  { dataDir, log, areOwn }: { dataDir: string; log: (message: string) => void; areOwn: boolean },
): Promise<Services | undefined> {
  if (areOwn) {
    delete process.env['MONGODB_URL'];
    delete process.env['REDIS_URL'];
  }
  try {
    return await startServices({ dataDir, log });
  } catch (error) {
    if (!(error instanceof NothingServes) || !areOwn) throw error;
    notRun(t, 'only given stores are to be had, and they are not ours to kill');
    return undefined;
  }
}

/** Makes the first organization and its administrator with `muster init`. */
async function initInstance(env: NodeJS.ProcessEnv, dataDir: string, logs: string) {
  const firstStart = join(dataDir, 'first-start.json');
  const init = run(
    [resolve('dist/src/cli/main.js'), 'init', '--output', firstStart],
    env,
    join(logs, 'init.log'),
  );
  if ((await init.exitCode) !== 0) throw new Error(`init failed: ${init.log()}`);
  const first = JSON.parse(await readFile(firstStart, 'utf8')) as Record<string, string>;
  const { orgId = '', adminToken = '', adminPassword = '' } = first;
  return { orgId, adminToken, adminPassword };
}

/** Runs a script of `dist` for the stage. */
type StartProcess = (script: string, settings?: Record<string, string>, args?: string[]) => Running;

/** Starts processes and waits until they serve. Calls carry the token. */
function serviceStarts(
  start: StartProcess,
  token: string,
): Pick<Stage, 'startApi' | 'startWorker' | 'startSupervised'> {
  const callable = (running: Running): Api => {
    const address = listening.exec(running.log())?.[1] ?? '';
    return { ...running, address, ...connect(address, token) };
  };
  return {
    async startApi(settings) {
      const running = start('src/server.js', settings);
      await until(() => listening.test(alive(running).log()));
      return callable(running);
    },

    async startWorker(settings) {
      const running = start('workers/main.js', settings);
      await until(() => alive(running).log().includes('workers ready'));
      return running;
    },

    async startSupervised({ processes, workers }, settings) {
      const counts = ['--processes', String(processes), '--workers', String(workers)];
      const running = start('src/cli/main.js', settings, ['start', ...counts]);
      const serves = () =>
        [/all processes serve/, listening].every((line) => line.test(alive(running).log()));
      await until(serves, { within: 120_000 });
      return callable(running);
    },
  };
}

/** Kills, stops and starts the processes of the stores. */
function storeFaults(
  services: Services,
  dataDir: string,
  log: (message: string) => void,
): Pick<Stage, 'crashStore' | 'signalStore' | 'restoreStores'> {
  const recorded = async () =>
    Object.values(await readRecords(dataDir)).flatMap(({ processes }) => processes);
  return {
    async crashStore(...names) {
      for (const { name, pid } of await recorded()) {
        if (!names.includes(name)) continue;
        process.kill(-pid, 'SIGKILL');
        await until(() => !exists(pid));
      }
    },

    async signalStore(signal, ...names) {
      for (const { name, pid } of await recorded()) if (names.includes(name)) process.kill(-pid, signal);
    },

    async restoreStores({ emptyRedis = false } = {}) {
      if (emptyRedis) await rm(join(dataDir, 'redis'), { recursive: true, force: true });
      const again = await startServices({ dataDir, log });
      if (again.mongodbUrl !== services.mongodbUrl || again.redisUrl !== services.redisUrl) {
        throw new Error('The stores came back at another address');
      }
    },
  };
}

/** Starts Node.js with these arguments and writes its output to a file. */
function run(args: readonly string[], env: NodeJS.ProcessEnv, logFile: string): Running {
  const file = openSync(logFile, 'a');
  // The process gets its own group: a Ctrl-C at the terminal ends the test, and the test ends this process. tap adds
  // NODE_OPTIONS to its processes. They are removed here.
  const without = process.env['TAP'] === undefined ? [] : ['-u', 'NODE_OPTIONS'];
  const command = [...without, process.execPath, ...args];
  const child = spawn('env', command, {
    env,
    detached: true,
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  killIfLeft(child);
  const exitCode = new Promise<number | string>((done) => {
    child.once('exit', (code, signal) => {
      done(code ?? signal ?? 'unknown');
    });
  });
  return {
    pid: child.pid ?? 0,
    exitCode,
    signal: (name) => void child.kill(name),
    async crash() {
      child.kill('SIGKILL');
      await exitCode;
    },
    log: () => readFileSync(logFile, 'utf8'),
  };
}

function alive(running: Running): Running {
  if (!exists(running.pid)) throw new Error(`A process ended at its start: ${running.log()}`);
  return running;
}

function exists(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Log lines that hold one of these secrets, or a text that looks like a secret. */
async function leaks(folder: string, secrets: ReadonlySet<string>): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder)) {
    const text = await readFile(join(folder, name), 'utf8');
    found.push(...linesWithSecrets(text).map((line) => `${name}: ${line}`));
    for (const line of text.split('\n')) {
      const secret = [...secrets].find((one) => line.includes(one));
      if (secret !== undefined) found.push(`${name}: ${line.replaceAll(secret, '***').slice(0, 500)}`);
    }
  }
  return found;
}
