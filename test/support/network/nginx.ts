import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { type NginxFolder, startNginx } from '../../../dev/stage/nginx.js';
import { until } from '../../../dev/until.js';

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
  const configure = (of: NginxFolder, servers: readonly string[]) => configuration(of, { port, servers });
  const nginx = await startNginx(t, { program, configure: (of) => configure(of, servers) });
  const worker = async () => (await fetch(`http://127.0.0.1:${port}${whoPath}`)).text();
  return {
    async answered() {
      // nginx logs a request after it has answered it. When it answers this one, the earlier ones are logged.
      await worker();
      const lines = (await readFile(logOf(nginx), 'utf8')).trim().split('\n');
      return lines.map((line) => {
        const [server = '', path = ''] = line.split(' ');
        return { server, path };
      });
    },
    async use(servers) {
      const former = await worker();
      await nginx.reconfigure(configure(nginx, servers));
      // A worker process ends when it has answered all its requests.
      await until(() => !existsSync(`/proc/${former}`), { within });
    },
  };
}

/** The path that nginx itself answers, with the process id of its worker. */
const whoPath = '/nginx-worker';

const logOf = ({ folder }: NginxFolder) => join(folder, 'access.log');

function configuration(
  of: NginxFolder,
  { port, servers }: { port: number; servers: readonly string[] },
): string {
  // Clients use a new connection per request, because nginx closes kept-alive connections when it is reconfigured.
  return `
    ${of.main}
    worker_processes 1;
    events { worker_connections 512; }
    http {
      ${of.http}
      log_format turns '$upstream_addr $request_uri';
      access_log ${logOf(of)} turns;
      upstream muster {
        ${servers.map((server) => `server ${new URL(server).host} max_fails=0;`).join(' ')}
        keepalive 16;
      }
      # As docs/operations.md says for long addresses.
      large_client_header_buffers 4 32k;
      proxy_buffer_size 32k;
      proxy_buffers 4 32k;
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
