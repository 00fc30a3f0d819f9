import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { onPath } from '../../../dev/services/exec.js';
import { withLock } from '../../../dev/services/lock.js';
import { until } from '../../../dev/until.js';
import type { Certificate } from '../network/certificate.js';
import { createWalker } from '../oidc/walk-provider.js';

const run = promisify(execFile);
const version = 'v0.0.0-20250505155116-6cafcd3f9b48';
const program = 'github.com/dexidp/dex/cmd/dex';

/** bcrypt of `password`, as the example of dex has it. */
const hash = '$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W';

/** A dex by https, which its makers wrote: an OpenID provider in Go, with a database of passwords. */
export interface Dex {
  readonly issuer: string;
  /** Signs a person in on its pages. @returns the address to which the browser goes back */
  signIn(address: string, login: string): Promise<string>;
}

/** A client of dex, and the people who have an account there. */
interface DexSettings {
  readonly client: { readonly id: string; readonly secret: string; readonly redirectUri: string };
  readonly people: readonly string[];
}

/** The path of dex, which comes from the proxy of Go once. @returns undefined if Go is missing */
export async function findDex(): Promise<string | undefined> {
  const go = await onPath('go');
  if (go === null) return undefined;
  const folder = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), 'dex', version);
  const path = join(folder, 'dex');
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, 'install.lock'), async () => {
    if (existsSync(path)) return;
    // Without the database that is written in C.
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' };
    await run(go, ['install', `${program}@${version}`], { env, maxBuffer: 10_000_000 });
  });
  return path;
}

/** Starts dex at a port that is free. It ends with the test. */
export async function startDex(
  t: Pick<Test, 'teardown'>,
  { cert, certFile, keyFile }: Certificate,
  { path, port, client, people }: DexSettings & { path: string; port: number },
): Promise<Dex> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-dex-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const origin = `https://127.0.0.1:${port}`;
  const issuer = `${origin}/dex`;
  const config = {
    issuer,
    storage: { type: 'memory' },
    web: { https: `127.0.0.1:${port}`, tlsCert: certFile, tlsKey: keyFile },
    telemetry: { http: `127.0.0.1:${await freePort()}` },
    logger: { level: 'error' },
    oauth2: { skipApprovalScreen: true },
    enablePasswordDB: true,
    staticClients: [
      { id: client.id, secret: client.secret, name: 'Muster', redirectURIs: [client.redirectUri] },
    ],
    staticPasswords: people.map((name) => ({
      ...{ email: `${name}@dex.example`, hash, username: name },
      userID: `id-of-${name}`,
    })),
  };
  const file = join(folder, 'config.yaml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify(config));
  const child = spawn(path, ['serve', file], { stdio: ['ignore', 'ignore', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const walker = createWalker({ origin, ca: cert });
  await until(async () => (await walker.get(`${issuer}/.well-known/openid-configuration`)) === 200, {
    within: 30_000,
    every: 100,
  });
  return {
    issuer,
    signIn: (address, login) =>
      walker.walk(address, ({ action }) =>
        action === ''
          ? undefined
          : { action, fields: { login: `${login}@dex.example`, password: 'password' } },
      ),
  };
}
