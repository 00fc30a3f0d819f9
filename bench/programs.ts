import { freePort } from '../dev/free-port.js';
import { imageNodeOptions, type Running, startProgram } from './processes.js';
import type { Setting } from './setting.js';

const typescript = ['--import=tsx', '--conditions=muster-source'];
/** Options of Node.js for the product's processes, such as `--cpu-prof` for a profile. Usually empty. */
const nodeOptions = (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter((option) => option !== '');

/**
 * @param name tells processes and their logs apart
 * @param node the program of Node.js, if it is not that of the bench
 */
export function startApi(
  { env, baseUrl, logFolder }: Setting,
  name = 'api',
  node = process.execPath,
): Promise<Running> {
  const args = [...nodeOptions, 'dist/src/server.js'];
  return startProgram({ name, node, args, env, logFolder, readyUrl: `${baseUrl}/readyz` });
}

/** @param name tells workers and their logs apart */
export function startWorker({ env, logFolder }: Setting, name = 'worker'): Promise<Running> {
  return startProgram({ name, args: [...nodeOptions, 'dist/workers/main.js'], env, logFolder });
}

/** A peer program of `bench/peers`, and its port. */
export interface Peer extends Running {
  readonly url: string;
}

export async function startOidcProvider({ client, logFolder }: Setting): Promise<Peer> {
  const env = { CLIENT_ID: client.id, CLIENT_SECRET: client.secret };
  return startPeer('oidc-provider', { env, logFolder, readyPath: '/.well-known/openid-configuration' });
}

/** @param env settings of the client and its authorization codes */
export async function startOidcPerson(logFolder: string, env: Record<string, string>): Promise<Peer> {
  return startPeer('oidc-person', { env, logFolder, readyPath: '/.well-known/openid-configuration' });
}

export async function startHashAlone({ env, logFolder }: Setting): Promise<Peer> {
  return startPeer('hash-alone', { env, logFolder, readyPath: '/' });
}

/** A provider at which people of an organization sign in. It speaks https at its issuer. */
export async function startCompanyProvider(
  { logFolder }: Pick<Setting, 'logFolder'>,
  { certFile, keyFile }: { certFile: string; keyFile: string },
): Promise<Peer & { readonly issuer: string }> {
  const tlsPort = String(await freePort());
  const env = { TLS_PORT: tlsPort, CERT_FILE: certFile, KEY_FILE: keyFile };
  const peer = await startPeer('company-provider', { env, logFolder, readyPath: '/' });
  return { ...peer, issuer: `https://127.0.0.1:${tlsPort}` };
}

export async function startBareFastify({ organization, env, container, logFolder }: Setting): Promise<Peer> {
  return startPeer('bare-fastify', {
    env: {
      MONGODB_URL: env['MONGODB_URL'] ?? '',
      MONGODB_DATABASE: env['MONGODB_DATABASE'] ?? '',
      ORG_ID: organization.id,
      POOL_SIZE: String(container.config.mongodbPoolSize),
    },
    logFolder,
    readyPath: '/ready',
  });
}

async function startPeer(
  name: string,
  { env, logFolder, readyPath }: { env: Record<string, string>; logFolder: string; readyPath: string },
): Promise<Peer> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await startProgram({
    name,
    args: [...typescript, `bench/peers/${name}.ts`],
    env: { ...env, PORT: String(port), NODE_OPTIONS: imageNodeOptions },
    logFolder,
    readyUrl: url + readyPath,
  });
  return { ...running, url };
}
