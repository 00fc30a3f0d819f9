import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { freePort } from '../../dev/free-port.js';
import { killIfLeft } from '../../dev/leftovers.js';
import { INSIDE, inside, makeCluster } from '../../dev/services/cluster.js';
import { runCommand } from '../../dev/services/exec.js';
import { documentdbRootFs } from '../../dev/services/rootfs.js';
import { fetchKeycloak, missingForKeycloak } from '../../dev/stage/fetch-keycloak.js';
import { until } from '../../dev/until.js';

export const keycloakVersion = '26.7.3';
/** The most memory of its objects. Otherwise Java takes a part of what the machine has. */
export const heapOfKeycloak = '1g';
export const adminOfKeycloak = { userName: 'admin', password: 'admin-of-keycloak' } as const;

const features = ['scim-api'];
const clusterFolder = 'keycloak-database';
/** As the engine of Muster is set up here: nothing waits for a disk, and everything fits in memory. */
const databaseSettings = (port: number) => `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${INSIDE}/run'
fsync = off
max_wal_size = 512MB
checkpoint_timeout = 15min
max_connections = 150
shared_buffers = 256MB
autovacuum = on
jit = off
log_min_messages = error
`;

/** A Keycloak with a PostgreSQL of its own. */
export interface StartedKeycloak {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Which processes are Keycloak and its database. */
export const kindsOfKeycloak = {
  keycloak: (line: string) => line.includes('/java') && line.includes(`keycloak-${keycloakVersion}`),
  'its database': (line: string, mounts: string) =>
    (line.startsWith('postgres') || line.includes('/postgres ')) && mounts.includes(clusterFolder),
};

/**
 * Starts Keycloak in its production mode, with an empty database.
 * @throws Error if a program that it needs is missing
 */
export async function startKeycloak(logFolder: string): Promise<StartedKeycloak> {
  const missing = await missingForKeycloak();
  if (missing !== undefined) throw new Error(`${missing} is not installed`);
  const folder = await fetchKeycloak(keycloakVersion);
  const program = join(folder, 'bin', 'kc.sh');
  const built = ['build', '--db=postgres', '--cache=local', `--features=${features.join()}`];
  await runCommand('sh', [program, ...built], { timeoutMs: 300_000 });
  const databasePort = await freePort();
  const database = await startDatabase(databasePort, logFolder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = [
    ...['start', '--optimized', '--http-enabled=true', '--http-host=127.0.0.1', `--http-port=${port}`],
    ...[`--hostname=${url}`, '--log-level=warn'],
    ...[
      `--db-url=jdbc:postgresql://127.0.0.1:${databasePort}/postgres`,
      '--db-username=postgres',
      '--db-password=none',
    ],
  ];
  const child = spawnLogged('sh', [program, ...options], {
    log: join(logFolder, 'bench-keycloak.log'),
    env: {
      KC_BOOTSTRAP_ADMIN_USERNAME: adminOfKeycloak.userName,
      KC_BOOTSTRAP_ADMIN_PASSWORD: adminOfKeycloak.password,
      JAVA_OPTS_KC_HEAP: `-Xms${heapOfKeycloak} -Xmx${heapOfKeycloak}`,
    },
  });
  const stop = async () => {
    await endGroup(child);
    await endGroup(database);
  };
  const isUp = () =>
    fetch(`${url}/realms/master`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(isUp, { within: 180_000, every: 500 }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { url, stop };
}

/** The PostgreSQL of the root filesystem that also has the engine of Muster, as a server of its own. */
async function startDatabase(port: number, logFolder: string): Promise<ChildProcess> {
  const rootfs = await documentdbRootFs((message) => console.error(message));
  const folder = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), clusterFolder);
  await makeCluster(rootfs, folder);
  await writeFile(join(folder, 'data', 'postgresql.conf'), databaseSettings(port));
  const command = inside(rootfs, folder, [`${rootfs.bin}/postgres`, '-D', `${INSIDE}/data`]);
  const child = spawnLogged('unshare', command, { log: join(logFolder, 'bench-keycloak-database.log') });
  await until(() => accepts(port), { within: 30_000, every: 100 });
  return child;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Starts a program as a group of processes, which ends with this process. */
function spawnLogged(
  command: string,
  args: readonly string[],
  { log: file, env }: { log: string; env?: NodeJS.ProcessEnv },
): ChildProcess {
  mkdirSync(join(file, '..'), { recursive: true });
  const log = openSync(file, 'w');
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  closeSync(log);
  killIfLeft(child);
  return child;
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}
