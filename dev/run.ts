import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FirstStart } from '#src/cli/server/write-first-start.js';
import { describeStartFailure } from '#src/platform/start-failure.js';
import { readConfig } from '#src/read-config.js';
import { type Services, startServices } from './services.js';

const dataDir = resolve(process.env['MUSTER_DATA_DIR'] || '.muster');
const host = process.env['HOST'] ?? '127.0.0.1';
const port = process.env['PORT'] ?? '8080';
const baseUrl = process.env['MUSTER_BASE_URL'] ?? `http://127.0.0.1:${port}`;
const readyWithinMs = 60_000;
/** This module ends its process when `make run` is gone, even if `make run` was killed. */
const endWithParent = new URL('./end-with-parent.mjs', import.meta.url).href;
/** After this time a process hangs, because its own time limit is shorter. */
const stopWithinMs = 60_000;
/** How often the stores are looked at. */
const reviveEveryMs = 1_000;
const programs = { 'The API': 'dist/src/server.js', 'The worker': 'dist/workers/main.js' };

let starting: Promise<Services> | undefined;
const children: ChildProcess[] = [];
let ending: Promise<never> | undefined;
/** The latest look at the stores. It ends before they are stopped. */
let reviving: Promise<void> | undefined;

/**
 * `make run`: starts local services, the first start, the API and the worker in the foreground. Ctrl-C stops all of
 * them.
 */
async function main(): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const given = {
    ...process.env,
    PORT: port,
    MUSTER_BASE_URL: baseUrl,
    MUSTER_MASTER_KEYS: process.env['MUSTER_MASTER_KEYS'] ?? (await masterKeys()),
    // Mail is kept for `/dev/mail`.
    MUSTER_TRY_OUT: process.env['MUSTER_TRY_OUT'] ?? '1',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  };
  // Report wrong settings and a taken port before anything starts.
  readConfig({ MONGODB_URL: 'mongodb://to-be-found', REDIS_URL: 'redis://to-be-found', ...given });
  await requireFreePort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(0));
  // When a terminal closes, this process may get SIGHUP twice: from the terminal and from its shell.
  process.on('SIGHUP', () => void end(0));

  starting = startServices({ dataDir, log: (message) => console.error(message) });
  const services = await starting;
  const env = { ...given, MONGODB_URL: services.mongodbUrl, REDIS_URL: services.redisUrl };
  await rememberRun(env);
  console.error(`MongoDB  ${services.via.mongodb}\nRedis    ${services.via.redis}`);

  const firstStart = join(dataDir, 'first-start.json');
  // Writes the file only if the database has no owner yet.
  const init = start(['dist/src/cli/main.js', 'init', '--output', firstStart], env, 'pipe');
  const initialized = await exitOf(init);
  if (ending) return ending;
  if (initialized.code !== 0) return end(1, initialized.errors.trim());

  for (const [name, script] of Object.entries(programs)) {
    start([script], env, 'inherit').once(
      'exit',
      (code, signal) =>
        void end(1, `${name} (${script}) ended ${signal ? `by ${signal}` : `with code ${code}`}`),
    );
  }
  void watch(services);
  await untilReady();
  console.log(`ready ${baseUrl}`);
  console.log(await whatToTry(firstStart));
}

/** Where `muster doctor` finds the settings of this run. The file ends with it. */
const runFile = join(dataDir, 'run.json');

async function rememberRun(env: NodeJS.ProcessEnv): Promise<void> {
  const names = [
    'MONGODB_URL',
    'REDIS_URL',
    'PORT',
    'MUSTER_BASE_URL',
    'MUSTER_MASTER_KEYS',
    'MUSTER_TRY_OUT',
  ];
  const settings = Object.fromEntries(names.map((name) => [name, env[name]]));
  await rm(runFile, { force: true });
  await writeFile(runFile, `${JSON.stringify({ pid: process.pid, settings })}\n`, { mode: 0o600 });
}

/** Starts local stores again that end while the service runs. */
async function watch(services: Services): Promise<void> {
  while (!ending) {
    await pause(reviveEveryMs);
    if (ending) return;
    reviving = services.revive().catch((error: unknown) => console.error(String(error)));
    await reviving;
  }
}

/**
 * Starts a process that the terminal's Ctrl-C does not reach. The process is told to stop exactly once: by {@link end},
 * or by the end of this process.
 */
function start(args: string[], env: NodeJS.ProcessEnv, stderr: 'inherit' | 'pipe'): ChildProcess {
  const stdout = stderr === 'pipe' ? 'ignore' : 'inherit';
  const child = spawn(process.execPath, ['--import', endWithParent, ...args], {
    env,
    stdio: ['ignore', stdout, stderr, 'ipc'],
    detached: true,
  });
  children.push(child);
  return child;
}

/** Stops the processes, then the services that this run started, then itself. Only the first reason is printed. */
function end(exitCode: number, message?: string): Promise<never> {
  ending ??= (async () => {
    if (message) console.error(message);
    await Promise.all(children.map(stopped));
    await reviving;
    await starting?.then(
      (services) => services.stop(),
      () => undefined,
    );
    // A run whose port was taken leaves the file of the other one.
    if (starting !== undefined) await rm(runFile, { force: true });
    process.exit(exitCode);
  })();
  return ending;
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await exit;
  clearTimeout(force);
}

/**
 * Fails before the services start if the port is taken. Otherwise another server's answer could be taken for this
 * one's.
 */
async function requireFreePort(): Promise<void> {
  const server = createServer().listen({ host, port: Number(port) });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/** Keys for this data folder. They are made once. */
async function masterKeys(): Promise<string> {
  const path = join(dataDir, 'master-keys');
  if (!existsSync(path)) {
    await writeFile(path, `k1:${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  }
  return (await readFile(path, 'utf8')).trim();
}

function exitOf(child: ChildProcess): Promise<{ code: number | null; errors: string }> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  return new Promise((done) => child.once('close', (code) => done({ code, errors })));
}

async function untilReady(): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline && !ending) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
  if (ending) return ending;
  throw new Error(`The API did not get ready within ${readyWithinMs / 1000} s`);
}

async function whatToTry(firstStart: string): Promise<string> {
  if (!existsSync(firstStart)) {
    return `${firstStart} is missing, though the database is not empty: the first start's secrets were kept elsewhere.`;
  }
  const { orgId, adminUserName, adminPassword } = JSON.parse(
    await readFile(firstStart, 'utf8'),
  ) as FirstStart;
  return `
Open the console:  ${baseUrl}/console
  Login name:      ${adminUserName}
  Password:        ${adminPassword}    (of the first start)

Call the API with the first start's token, which is in ${firstStart}:

  TOKEN=$(node -p 'require("${firstStart}").adminToken')
  curl -H "Authorization: Bearer $TOKEN" ${baseUrl}/scim/v2/${orgId}/Users

Mail that would be sent: ${baseUrl}/dev/mail    A sample application to sign in to: make sample

Guides: ${baseUrl}/docs/guides    The API, to read: ${baseUrl}/docs/api
Ctrl-C stops everything.`;
}

main().catch((error: unknown) => end(1, describeStartFailure(error)));
