import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { clearIfLeft, killIfLeft } from '../../../dev/leftovers.js';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { until } from '../../../dev/until.js';
import { listensAt } from './free-port.js';

export interface Balancer {
  /** The server that answered each request, in order, with the path of the request. */
  answered(): Promise<{ path: string; server: string }[]>;
  /** Sends later requests to these servers. It resolves when no other server gets a request. */
  use(servers: readonly string[]): Promise<void>;
}

const within = 60_000;

/**
 * nginx in front of servers. Each request goes to the next server in turn, whichever client sends it, over a kept-alive
 * connection. If a server fails a request, nginx does not try another one, so that clients see the failure.
 * @param servers addresses such as `http://127.0.0.1:8080`
 * @returns undefined if nginx is not installed
 */
export async function startBalancer(
  t: Pick<Test, 'teardown' | 'comment'> & MaySkip,
  { port, servers }: { port: number; servers: readonly string[] },
): Promise<Balancer | undefined> {
  const program = await findProgram('nginx');
  if (program === undefined) {
    notRun(t, 'nginx is not installed');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'));
  const log = join(folder, 'access.log');
  const configure = (servers: readonly string[]) =>
    writeFile(join(folder, 'nginx.conf'), configuration({ folder, log, port, servers }));
  await configure(servers);
  const cleared = clearIfLeft(folder);
  const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')], {
    // nginx gets its own process group, which its worker processes belong to.
    detached: true,
    stdio: 'ignore',
  });
  killIfLeft(child);
  const ended = new Promise((done) => child.once('exit', done));
  t.teardown(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    await rm(folder, { recursive: true, force: true });
    cleared();
  });
  await until(() => child.exitCode !== null || listensAt(port), { within });
  if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  const worker = async () => (await fetch(`http://127.0.0.1:${port}${whoPath}`)).text();
  return {
    async answered() {
      // nginx logs a request after it has answered it. When it answers this one, the earlier ones are logged.
      await worker();
      const lines = (await readFile(log, 'utf8')).trim().split('\n');
      return lines.map((line) => {
        const [server = '', path = ''] = line.split(' ');
        return { server, path };
      });
    },
    async use(servers) {
      const former = await worker();
      await configure(servers);
      child.kill('SIGHUP');
      // A worker process ends when it has answered all its requests.
      await until(() => !existsSync(`/proc/${former}`), { within });
    },
  };
}

/** The path that nginx itself answers, with the process id of its worker. */
const whoPath = '/nginx-worker';

function configuration(of: {
  folder: string;
  log: string;
  port: number;
  servers: readonly string[];
}): string {
  const { folder, log, port, servers } = of;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // Clients use a new connection per request, because nginx closes kept-alive connections when it is reconfigured.
  return `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes 1;
    pid ${folder}/nginx.pid;
    events { worker_connections 512; }
    http {
      ${temporary.join(' ')}
      log_format turns '$upstream_addr $request_uri';
      access_log ${log} turns;
      upstream muster {
        ${servers.map((server) => `server ${new URL(server).host} max_fails=0;`).join(' ')}
        keepalive 16;
      }
      server {
        listen 127.0.0.1:${port};
        keepalive_timeout 0;
        location = ${whoPath} {
          access_log off;
          return 200 $pid;
        }
        location / {
          proxy_pass http://muster;
          proxy_next_upstream off;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_set_header Host $http_host;
          proxy_set_header X-Forwarded-For $remote_addr;
          proxy_set_header X-Forwarded-Proto $scheme;
        }
      }
    }`;
}
