import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { installed, isDebianWithRoot } from '../../dev/services/debian.js';
import { onPath } from '../../dev/services/exec.js';
import { listensAt } from './free-port.js';
import { until } from './processes.js';

export interface Balancer {
  /** The server that answered each request, in order, with the path of the request. */
  answered(): Promise<{ path: string; server: string }[]>;
}

/**
 * nginx at a port of this machine before servers that take turns: each request goes to the next one, whoever sends it.
 * @param servers addresses such as `http://127.0.0.1:8080`
 * @returns undefined where nginx is not to be had
 */
export async function startBalancer(
  t: Pick<Test, 'teardown' | 'comment'>,
  { port, servers }: { port: number; servers: readonly string[] },
): Promise<Balancer | undefined> {
  const program = await findProgram(t);
  if (program === undefined) {
    t.comment('nginx is not to be had here');
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'));
  const log = join(folder, 'access.log');
  await writeFile(join(folder, 'nginx.conf'), configuration({ folder, log, port, servers }));
  const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')], {
    stdio: 'ignore',
  });
  const ended = new Promise((done) => child.once('exit', done));
  const kill = () => void child.kill('SIGTERM');
  process.on('exit', kill);
  t.teardown(async () => {
    process.off('exit', kill);
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await until(() => child.exitCode !== null || listensAt(port), { within: 60_000 });
  if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  return {
    async answered() {
      const lines = (await readFile(log, 'utf8')).trim().split('\n');
      return lines.map((line) => {
        const [server = '', path = ''] = line.split(' ');
        return { server, path };
      });
    },
  };
}

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
      }
      server {
        listen 127.0.0.1:${port};
        keepalive_requests 1000000;
        location / {
          proxy_pass http://muster;
          proxy_set_header Host $http_host;
        }
      }
    }`;
}

async function findProgram(t: Pick<Test, 'comment'>): Promise<string | undefined> {
  const found = await onPath('nginx');
  if (found !== null) return found;
  if (!(await isDebianWithRoot())) return undefined;
  const log = (message: string) => t.comment(message);
  return installed('nginx', { package: 'nginx-light', service: 'nginx', log });
}
