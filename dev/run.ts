import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startServices } from './services.js';

const dataDir = resolve(process.env['MUSTER_DATA_DIR'] ?? '.muster');
const port = process.env['PORT'] ?? '8080';
const baseUrl = process.env['MUSTER_BASE_URL'] ?? `http://127.0.0.1:${port}`;
const readyWithinMs = 60_000;

/** `make run`: local services, first start, API and worker in the foreground; Ctrl-C stops all of it. */
async function main(): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const services = await startServices({ dataDir, log: (message) => console.error(message) });
  const env = {
    ...process.env,
    PORT: port,
    MUSTER_BASE_URL: baseUrl,
    MONGODB_URL: services.mongodbUrl,
    REDIS_URL: services.redisUrl,
    MUSTER_MASTER_KEYS: process.env['MUSTER_MASTER_KEYS'] ?? (await masterKeys()),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
  };
  console.error(`MongoDB  ${services.via.mongodb}\nRedis    ${services.via.redis}`);

  const children: ChildProcess[] = [];
  let stopping = false;
  const stop = async (exitCode: number) => {
    if (stopping) return;
    stopping = true;
    const ended = children.map((child) => new Promise((done) => child.once('exit', done)));
    const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
    for (const child of running) child.kill('SIGTERM');
    if (running.length === children.length) await Promise.all(ended);
    await services.stop();
    process.exit(exitCode);
  };
  process.on('SIGINT', () => void stop(0));
  process.on('SIGTERM', () => void stop(0));

  const firstStart = join(dataDir, 'first-start.json');
  // Writes the file only where the database has no owner yet.
  const cli = ['dist/src/cli/main.js', 'init', '--output', firstStart];
  const initialized = await exitOf(
    spawn(process.execPath, cli, { env, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  if (initialized.code !== 0) {
    console.error(initialized.errors);
    return stop(1);
  }
  for (const script of ['dist/src/server.js', 'dist/workers/main.js']) {
    const child = spawn(process.execPath, [script], { env, stdio: 'inherit', detached: true });
    child.once('exit', (code) => {
      if (!stopping) console.error(`${script} ended with code ${code}`);
      void stop(1);
    });
    children.push(child);
  }
  await untilReady();
  console.log(`ready ${baseUrl}`);
  console.log(await whatToTry(firstStart));
}

/** Keys for this data folder, made once. */
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
  while (Date.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(100);
  }
  throw new Error(`The API did not get ready within ${readyWithinMs / 1000} s`);
}

async function whatToTry(firstStart: string): Promise<string> {
  if (!existsSync(firstStart)) {
    return `${firstStart} is missing, though the database is not empty: the first start's secrets were kept elsewhere.`;
  }
  const { orgId } = JSON.parse(await readFile(firstStart, 'utf8')) as { orgId: string };
  return `
The first start's organization, administrator and token are in ${firstStart}. Try:

  TOKEN=$(node -p 'require("${firstStart}").adminToken')
  curl -H "Authorization: Bearer $TOKEN" ${baseUrl}/scim/v2/${orgId}/Users

API description: ${baseUrl}/openapi.json    Ctrl-C stops everything.`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
