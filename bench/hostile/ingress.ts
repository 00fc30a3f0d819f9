import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { NginxFolder } from '../../dev/stage/nginx.js';

const file = join('k8s', 'overlays', 'prod', 'ingress.yaml');
const prefix = 'nginx.ingress.kubernetes.io/';

/** The directive that ingress-nginx writes for each annotation. */
const directives: Readonly<Record<string, (value: string) => string>> = {
  'proxy-body-size': (value) => `client_max_body_size ${value};`,
  'client-body-buffer-size': (value) => `client_body_buffer_size ${value};`,
  'proxy-request-buffering': (value) => `proxy_request_buffering ${value};`,
  // Without buffering, nginx uses one buffer. It still wants the others to be as large.
  'proxy-buffer-size': (value) => `proxy_buffer_size ${value}; proxy_buffers 4 ${value};`,
  'proxy-buffering': (value) => `proxy_buffering ${value};`,
  'proxy-read-timeout': (value) => `proxy_read_timeout ${value}s;`,
  'proxy-send-timeout': (value) => `proxy_send_timeout ${value}s;`,
};

interface Ingress {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: { readonly rules: readonly { readonly http: { readonly paths: readonly IngressPath[] } }[] };
}

interface IngressPath {
  readonly path: string;
  readonly pathType: 'Exact' | 'Prefix';
}

/** The ports of the balancer: one as the shipped Ingress, and one that neither limits nor keeps bodies. */
export interface BalancerPorts {
  readonly port: number;
  readonly streamingPort: number;
}

/**
 * The configuration of nginx that the Ingress of `k8s/overlays/prod` leads to, with the defaults of ingress-nginx, but
 * without TLS. A second server passes bodies on while they arrive. docs/operations.md allows that to balancers that
 * cannot distinguish paths.
 *
 * @throws Error if the Ingress has an annotation that this does not know
 */
export function ingressConfiguration(
  { main, http, folder }: NginxFolder,
  { port, streamingPort, servers }: BalancerPorts & { servers: readonly string[] },
): string {
  return `
    ${main}
    worker_processes auto;
    worker_rlimit_nofile 16384;
    events { worker_connections 8192; multi_accept on; }
    http {
      ${http}
      access_log ${folder}/access.log;
      client_header_buffer_size 1k;
      large_client_header_buffers 4 8k;
      client_header_timeout 60s;
      client_body_timeout 60s;
      keepalive_timeout 75s;
      keepalive_requests 1000;
      reset_timedout_connection on;
      upstream muster {
        ${servers.map((server) => `server ${new URL(server).host} max_fails=0;`).join(' ')}
        keepalive 320;
        keepalive_requests 10000;
        keepalive_timeout 60s;
      }
      proxy_http_version 1.1;
      proxy_connect_timeout 5s;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      server {
        listen 127.0.0.1:${port} backlog=4096;
        ${shippedLocations().join('\n        ')}
      }
      server {
        listen 127.0.0.1:${streamingPort} backlog=4096;
        location / {
          client_max_body_size 0; proxy_request_buffering off; proxy_buffering off;
          proxy_pass http://muster;
        }
      }
    }`;
}

function shippedLocations(): string[] {
  const shipped = parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as Ingress);
  return shipped.flatMap(({ metadata, spec }) => {
    const settings = Object.entries(metadata.annotations ?? {}).map(([name, value]) => {
      const directive = directives[name.slice(prefix.length)];
      if (!name.startsWith(prefix) || directive === undefined)
        throw new Error(`${file} has the annotation ${name}, which the bench does not know`);
      return directive(value);
    });
    const body = `{ ${settings.join(' ')} proxy_pass http://muster; }`;
    const paths = spec.rules.flatMap(({ http }) => http.paths);
    return paths.flatMap((path) => patterns(path)).map((pattern) => `location ${pattern} ${body}`);
  });
}

function patterns({ path, pathType }: IngressPath): string[] {
  if (pathType === 'Exact') return [`= ${path}`];
  return path === '/' ? ['/'] : [`= ${path}`, `${path}/`];
}
