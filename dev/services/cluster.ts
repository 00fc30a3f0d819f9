import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from './exec.js';
import { signal } from './processes.js';
import type { RootFs } from './rootfs.js';

/** The path of the data folder inside the root filesystem. */
export const INSIDE = '/srv';

/**
 * fsync=off: a killed process loses nothing, because the operating system has the pages. Only a crash of the whole
 * machine may lose data. Autovacuum runs often, because the planner uses an index for a sort only if statistics exist.
 */
const SETTINGS = `
listen_addresses = ''
unix_socket_directories = '${INSIDE}/run'
shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb,pg_documentdb_extended_rum'
cron.database_name = 'postgres'
cron.use_background_workers = on
cron.log_run = off
cron.log_statement = off
documentdb.alternate_index_handler_name = 'extended_rum'
documentdb.localhost_connection_string = 'host=${INSIDE}/run'
documentdb.useFileBasedPersistedCursors = on
documentdb.defaultCursorExpiryTimeLimitSeconds = 600
fsync = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 512MB
checkpoint_timeout = 15min
max_connections = 100
max_worker_processes = 16
shared_buffers = 256MB
work_mem = 16MB
autovacuum = on
autovacuum_naptime = 10s
autovacuum_analyze_threshold = 200
autovacuum_analyze_scale_factor = 0.2
jit = off
log_checkpoints = off
log_min_messages = error
log_min_error_statement = panic
`;

/** The arguments for `unshare` that run a program as postgres in the root filesystem with the data folder mounted. */
export function inside(rootfs: RootFs, folder: string, command: readonly string[]): string[] {
  const script = `mount --rbind /dev "$1/dev" && mount --bind "$2" "$1${INSIDE}" && r=$1 && shift 2 &&
    exec chroot --userspec=postgres:postgres "$r" "$@"`;
  return ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', rootfs.path, folder, ...command];
}

async function postgresUser(rootfs: RootFs): Promise<{ uid: number; gid: number }> {
  const passwd = await readFile(join(rootfs.path, 'etc/passwd'), 'utf8');
  const [, , uid, gid] = /^postgres:.*$/m.exec(passwd)?.[0].split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Makes the cluster. It replaces the remains of an interrupted start. */
export async function makeCluster(rootfs: RootFs, folder: string): Promise<void> {
  const { uid, gid } = await postgresUser(rootfs);
  await rm(join(folder, 'data'), { recursive: true, force: true });
  for (const path of [folder, join(folder, 'run')]) {
    await mkdir(path, { recursive: true });
    await chown(path, uid, gid);
  }
  const initdb = [`${rootfs.bin}/initdb`, '-D', `${INSIDE}/data`, '-U', 'postgres', '-A', 'trust'];
  await runCommand(
    'unshare',
    inside(rootfs, folder, [...initdb, '--no-sync', '--locale=C.UTF-8', '--encoding=UTF8']),
    { timeoutMs: 60_000 },
  );
}

/** The processes of PostgreSQL that work on these data. Their working folder is the data folder. */
async function serversOf(folder: string): Promise<number[]> {
  const data = await stat(join(folder, 'data'));
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
      if (name !== 'postgres\n') return [];
      const cwd = await stat(`/proc/${pid}/cwd/`).catch(() => null);
      return cwd?.ino === data.ino && cwd.dev === data.dev ? [pid] : [];
    }),
  );
  return found.flat();
}

/** The server that the lock file names, if it runs on these data. In an old lock file, the pid may be of another process. */
async function leftServer(folder: string): Promise<number | null> {
  const lock = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(lock.split('\n')[0]);
  return (await serversOf(folder)).includes(pid) ? pid : null;
}

/**
 * Writes the settings. Stops a server that was left running, and removes the lock file of a killed one. Kills the
 * sessions of a killed server: each is a process in a group of its own and may go on until its statement ends. While one
 * of them uses the shared memory, a new server refuses to start.
 */
export async function prepareStart(folder: string): Promise<void> {
  await writeFile(join(folder, 'data', 'postgresql.conf'), SETTINGS);
  for (let pid = await leftServer(folder), tries = 0; pid !== null; pid = await leftServer(folder)) {
    signal(pid, tries > 50 ? 'SIGQUIT' : 'SIGINT');
    tries += 1;
    await delay(100);
  }
  for (let left = await serversOf(folder); left.length > 0; left = await serversOf(folder)) {
    for (const pid of left) signal(pid, 'SIGKILL');
    await delay(20);
  }
  await rm(join(folder, 'data', 'postmaster.pid'), { force: true });
}
