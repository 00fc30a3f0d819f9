import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Test } from 'tap';
import { freePort, listensAt } from '../../../dev/free-port.js';
import { clearIfLeft, killIfLeft } from '../../../dev/leftovers.js';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { until } from '../../../dev/until.js';
import type { Certificate } from '../network/certificate.js';

type TestLike = Pick<Test, 'teardown' | 'comment'> & MaySkip;

/** A Redis server or a Sentinel that the test may stop. */
export interface RedisServer {
  readonly port: number;
  /** A connection for the test itself. */
  readonly client: Redis;
  /** Pauses the server in the middle of its work, as on a frozen machine. Then lets it continue. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
}

export interface Topology {
  /** The value for `REDIS_URL`. */
  readonly url: string;
  readonly servers: readonly RedisServer[];
}

const host = '127.0.0.1';
const within = 120_000;

/** A Cluster of masters, each with the given number of replicas. Undefined if Redis cannot be started. */
export async function startCluster(
  t: TestLike,
  options: { masters?: number; replicas?: number; certificate?: Certificate } = {},
): Promise<Topology | undefined> {
  const { masters = 3, replicas = 0, certificate } = options;
  const settings = ['cluster-enabled yes', 'cluster-node-timeout 2000', 'cluster-replica-validity-factor 0'];
  const servers = await startServers(t, masters * (1 + replicas), { settings, certificate });
  if (servers === undefined) return undefined;
  const [first] = servers as [RedisServer];
  const share = Math.ceil(16384 / masters);
  for (const [index, { client }] of servers.slice(0, masters).entries()) {
    const last = Math.min((index + 1) * share, 16384) - 1;
    await client.call('CLUSTER', 'ADDSLOTSRANGE', index * share, last);
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
  }
  for (const { client } of servers.slice(1)) {
    await client.call('CLUSTER', 'MEET', host, first.port, first.port + busOffset);
  }
  const ids = await Promise.all(
    servers.map(async ({ client }) => String(await client.call('CLUSTER', 'MYID'))),
  );
  const everybodyKnowsAll = async () => {
    const views = await Promise.all(
      servers.map(async ({ client }) => String(await client.call('CLUSTER', 'NODES'))),
    );
    return views.every((view) => ids.every((id) => view.includes(id)) && !view.includes('handshake'));
  };
  await until(everybodyKnowsAll, { within });
  for (const [index, { client }] of servers.slice(masters).entries()) {
    await client.call('CLUSTER', 'REPLICATE', ids[index % masters] ?? '');
  }
  await until(
    async () => {
      const states = await Promise.all(
        servers.map(async ({ client }) => String(await client.call('CLUSTER', 'INFO'))),
      );
      return states.every((state) => state.includes('cluster_state:ok'));
    },
    { within },
  );
  await Promise.all(servers.slice(masters).map(replicates));
  return {
    url: `${schemeOf(options)}-cluster://${servers.map(({ port }) => `${host}:${port}`).join(',')}`,
    servers,
  };
}

/** Collects the keys that are written on any server from this call on, and the channels that are published to. */
export async function watchNames(
  t: Pick<Test, 'teardown'>,
  { servers }: Pick<Topology, 'servers'>,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const { client } of servers) {
    await client.config('SET', 'notify-keyspace-events', 'EA');
    const listener = client.duplicate();
    listener.on('error', () => undefined);
    t.teardown(() => listener.disconnect());
    listener.on('pmessage', (_pattern: string, channel: string, message: string) => {
      names.add(channel.startsWith('__keyevent@') ? message : channel);
    });
    await listener.psubscribe('*');
  }
  return names;
}

/** One server. */
export async function startSingle(
  t: TestLike,
  options: { certificate?: Certificate } = {},
): Promise<Topology | undefined> {
  const servers = await startServers(t, 1, options);
  const [server] = servers ?? [];
  if (servers === undefined || server === undefined) return undefined;
  return { url: `${schemeOf(options)}://${host}:${server.port}`, servers };
}

/** A master, its replica, and three Sentinels, in this order. */
export async function startSentinels(
  t: TestLike,
  options: { certificate?: Certificate } = {},
): Promise<Topology | undefined> {
  const masters = await startServers(t, 1, options);
  const [master] = masters ?? [];
  if (master === undefined) return undefined;
  const settings = [`replicaof ${host} ${master.port}`];
  const [replica] = (await startServers(t, 1, { ...options, settings })) ?? [];
  if (replica === undefined) return undefined;
  await replicates(replica);
  const watched = [
    `sentinel monitor mymaster ${host} ${master.port} 2`,
    'sentinel down-after-milliseconds mymaster 4000',
    'sentinel failover-timeout mymaster 5000',
  ];
  const sentinels = (await startServers(t, 3, { ...options, settings: watched, sentinel: true })) ?? [];
  await until(
    async () => {
      const views = await Promise.all(
        sentinels.map(async ({ client }) =>
          String(await client.call('SENTINEL', 'CKQUORUM', 'mymaster').catch(() => '')),
        ),
      );
      const replicas = await Promise.all(
        sentinels.map(async ({ client }) => String(await client.call('SENTINEL', 'REPLICAS', 'mymaster'))),
      );
      return (
        views.every((view) => /^OK 3/.test(view)) &&
        replicas.every((text) => text.includes(String(replica.port)))
      );
    },
    { within },
  );
  const hosts = sentinels.map(({ port }) => `${host}:${port}`).join(',');
  const url = `${schemeOf(options)}-sentinel://${hosts}/mymaster`;
  return { url, servers: [master, replica, ...sentinels] };
}

function schemeOf({ certificate }: { certificate?: Certificate }): string {
  return certificate === undefined ? 'redis' : 'rediss';
}

async function replicates({ client }: RedisServer): Promise<void> {
  await until(async () => /master_link_status:up/.test(await client.info('replication')), { within });
}

/** The distance from a server's client port to its Cluster bus port. */
const busOffset = 10_000;

interface ServerOptions {
  /** Lines of the configuration. */
  readonly settings?: readonly string[];
  readonly sentinel?: boolean;
  readonly certificate?: Certificate | undefined;
}

async function startServers(
  t: TestLike,
  count: number,
  options: ServerOptions = {},
): Promise<RedisServer[] | undefined> {
  const program = await findProgram('redis-server');
  if (program === undefined) {
    notRun(t, 'redis-server is not installed');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-redis-'));
  const children: ChildProcess[] = [];
  const clients: Redis[] = [];
  const cleared = clearIfLeft(folder);
  t.teardown(async () => {
    for (const client of clients) client.disconnect();
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    cleared();
  });
  return Promise.all(
    Array.from({ length: count }, async (_, index): Promise<RedisServer> => {
      const { port, child } = await startOne(program, join(folder, String(index)), options);
      children.push(child);
      const tls = options.certificate && { tls: { ca: options.certificate.cert } };
      const client = new Redis({ host, port, ...tls, retryStrategy: () => 200, maxRetriesPerRequest: null });
      client.on('error', () => undefined);
      clients.push(client);
      return {
        port,
        client,
        freeze: () => void child.kill('SIGSTOP'),
        thaw: () => void child.kill('SIGCONT'),
        async kill() {
          client.disconnect();
          const gone = new Promise((done) => child.once('exit', done));
          if (child.exitCode === null && child.kill('SIGKILL')) await gone;
        },
      };
    }),
  );
}

/** A replica has its own user, so that a test can lock it out. */
const replicated = [
  'save ""',
  'user replica on >secret ~* &* +@all',
  'masteruser replica',
  'masterauth secret',
];

/** Starts a server at a free port. If another process takes the port first, it tries another port. */
async function startOne(
  program: string,
  folder: string,
  { settings = [], sentinel = false, certificate }: ServerOptions,
): Promise<{ port: number; child: ChildProcess }> {
  await mkdir(folder, { recursive: true });
  for (let attempt = 0; attempt < 10; attempt++) {
    const port = await freePort(busOffset);
    const listens =
      certificate === undefined
        ? [`port ${port}`]
        : [
            'port 0',
            `tls-port ${port}`,
            `tls-cert-file ${certificate.certFile}`,
            `tls-key-file ${certificate.keyFile}`,
            `tls-ca-cert-file ${certificate.certFile}`,
            'tls-auth-clients no',
            'tls-cluster yes',
            'tls-replication yes',
          ];
    const file = join(folder, 'redis.conf');
    const usual = [`bind ${host}`, `dir ${folder}`, 'daemonize no', ...listens];
    const lines = [...usual, ...(sentinel ? [] : replicated), ...settings];
    await writeFile(file, lines.join('\n'));
    const child = spawn(program, [file, ...(sentinel ? ['--sentinel'] : [])], { stdio: 'ignore' });
    killIfLeft(child);
    let ended = false;
    child.once('exit', () => {
      ended = true;
    });
    await until(async () => ended || (await listensAt(port)), { within });
    if (!ended) return { port, child };
  }
  throw new Error('redis-server could not be started');
}
