import { createHash } from 'node:crypto';
import { rm, stat, symlink, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { PgConnection } from '../documentdb/pg-connection.js';
import { repository } from '../repository.js';
import { INSIDE, inside, makeCluster, prepareStart } from './cluster.js';
import { pingMongodb } from './ping.js';
import { portFor } from './ports.js';
import { type ProcessRecord, startDetached, waitUntil } from './processes.js';
import type { StartContext, Started } from './record.js';
import { documentdbRootFs } from './rootfs.js';

/** The gateway runs in the same form as this file: from the source, or compiled. */
const GATEWAY = join(import.meta.dirname, '..', 'documentdb', `main${extname(import.meta.filename)}`);
/** The path of a unix socket may have 107 bytes. */
const SOCKET_PATH_LIMIT = 100;
const SOCKET = '.s.PGSQL.5432';

/** Starts PostgreSQL with DocumentDB, and the gateway in front of it. */
export async function startDocumentdb(context: StartContext): Promise<Started> {
  const folder = join(context.dataDir, 'documentdb');
  const socket = await socketPath(folder);
  const postgres = await startPostgres(context, folder, socket);
  const port = await portFor(context.dataDir, 'gateway');
  const topology = gatewayTopology(process.env['GATEWAY_REPLICA_SET']);
  const logFile = join(context.dataDir, 'logs', 'gateway.log');
  const gateway = startDetached({
    name: 'documentdb-gateway',
    command: process.execPath,
    args: [...process.execArgv, GATEWAY, '--socket', socket, '--port', String(port), ...topology.args],
    cwd: repository,
    logFile,
  });
  await context.remember(gateway);
  const url = `mongodb://127.0.0.1:${port}/${topology.query}`;
  await waitUntil(() => pingMongodb(url, 500), { process: gateway, logFile, timeoutMs: 20_000 });
  return { url, processes: [postgres, gateway] };
}

/** What the gateway poses as: a mongos, or the only member of the replica set with this name. */
function gatewayTopology(replicaSet = ''): { args: string[]; query: string } {
  if (replicaSet === '') return { args: [], query: '' };
  return { args: ['--replica-set', replicaSet], query: `?replicaSet=${replicaSet}` };
}

async function startPostgres(context: StartContext, folder: string, socket: string): Promise<ProcessRecord> {
  const rootfs = await documentdbRootFs(context.log);
  const marker = join(folder, 'set-up-with-extended-rum');
  const fresh = (await stat(marker).catch(() => null)) === null;
  if (fresh) {
    await makeCluster(rootfs, folder);
  }
  await prepareStart(folder);
  const logFile = join(context.dataDir, 'logs', 'postgres.log');
  const postgres = startDetached({
    name: 'postgres',
    command: 'unshare',
    args: inside(rootfs, folder, [`${rootfs.bin}/postgres`, '-D', `${INSIDE}/data`]),
    logFile,
    signal: 'SIGINT',
  });
  await context.remember(postgres);
  await waitUntil(() => accepts(socket), { process: postgres, logFile, timeoutMs: 60_000 });
  if (fresh) {
    await setUp(socket);
    await writeFile(marker, '');
  }
  return postgres;
}

/** A path to PostgreSQL's socket that is short enough. If the name of the data folder is long, the path is a link. */
async function socketPath(folder: string): Promise<string> {
  const run = join(folder, 'run');
  if (join(run, SOCKET).length <= SOCKET_PATH_LIMIT) {
    return join(run, SOCKET);
  }
  const link = `/tmp/muster-${createHash('sha256').update(run).digest('hex').slice(0, 16)}`;
  await rm(link, { force: true });
  await symlink(run, link);
  return join(link, SOCKET);
}

async function accepts(path: string): Promise<boolean> {
  try {
    (await PgConnection.open(path, 'postgres', 'postgres')).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * The extended index method also serves sorts, see dev/documentdb/README.md. The gateway builds indexes at once, so the
 * engine's jobs that poll for builds would only cost time. The job that removes expired documents runs more often than
 * once a minute, because tests wait for it.
 */
async function setUp(path: string): Promise<void> {
  const connection = await PgConnection.open(path, 'postgres', 'postgres');
  await connection.query('CREATE EXTENSION IF NOT EXISTS documentdb CASCADE');
  await connection.query('CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum');
  await connection.query(
    "SELECT cron.unschedule(jobid) FROM cron.job WHERE command LIKE '%build_index_concurrently%'",
  );
  await connection.query(
    "SELECT cron.alter_job(jobid, '15 seconds') FROM cron.job WHERE command LIKE '%delete_expired_rows%'",
  );
  connection.close();
}
