import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import bcrypt from 'bcryptjs';
import type { Test } from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { withLock } from '../../../dev/services/lock.js';
import { until } from '../../../dev/until.js';
import type { Certificate } from '../network/certificate.js';
import { createWalker } from '../oidc/walk-provider.js';

const run = promisify(execFile);
/** One commit. Its module for gRPC has a version of its own, and no release of dex since 2018 is one of Go's modules. */
const commit = '20260806151424-ab64ed778070';
const needed = {
  'github.com/dexidp/dex': `v0.0.0-${commit}`,
  'github.com/dexidp/dex/api/v2': `v2.4.1-0.${commit}`,
};

/** The client that dex knows, and the password of its person. */
export const dexClient = { id: 'muster', secret: 'a-secret-of-dex' } as const;
const person = { email: 'anna@acme.example', password: 'Of-dex-7' } as const;

/** A dex by https, with a person in its own list of passwords. */
interface Dex {
  readonly issuer: string;
  /** Starts it. */
  start(redirectURIs: readonly string[]): Promise<void>;
  /** Signs the person in on its pages. @param address of the authorization request. @returns the address to which the browser goes back */
  signIn(address: string, password?: string): Promise<string>;
}

/**
 * Builds dex with Go, from its module proxy, and chooses a port for it. The program stays in the data folder.
 * @param go the path of `go`
 */
export async function prepareDex(
  t: Pick<Test, 'teardown'>,
  go: string,
  { certFile, keyFile, cert }: Certificate,
): Promise<Dex> {
  const program = await buildDex(go);
  const port = await freePort();
  const origin = `https://127.0.0.1:${port}`;
  const issuer = `${origin}/dex`;
  const walker = createWalker({ origin, ca: cert });
  return {
    issuer,
    async start(redirectURIs) {
      const folder = await mkdtemp(join(tmpdir(), 'muster-dex-'));
      t.teardown(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'config.json');
      const hash = await bcrypt.hash(person.password, 10);
      // JSON is YAML too.
      await writeFile(
        file,
        JSON.stringify({
          ...{ issuer, storage: { type: 'memory' }, logger: { level: 'error' } },
          web: { https: `127.0.0.1:${port}`, tlsCert: certFile, tlsKey: keyFile },
          oauth2: { skipApprovalScreen: true },
          enablePasswordDB: true,
          staticClients: [{ ...dexClient, name: 'Muster', redirectURIs }],
          staticPasswords: [{ email: person.email, hash, username: 'Anna Lind', userID: 'anna-of-dex' }],
        }),
      );
      const child = spawn(program, ['serve', file], { stdio: ['ignore', 'ignore', 'inherit'] });
      t.teardown(() => child.kill());
      const isUp = async () => (await walker.get(`${issuer}/.well-known/openid-configuration`)) === 200;
      await until(isUp, { within: 20_000, every: 100 });
    },
    signIn(address, password = person.password) {
      let isTyped = false;
      return walker.walk(address, ({ action }) => {
        if (action === '' || isTyped) return undefined;
        isTyped = true;
        return { action, fields: { login: person.email, password } };
      });
    },
  };
}

async function buildDex(go: string): Promise<string> {
  const folder = join(resolve(process.env['MUSTER_DATA_DIR'] || '.muster'), 'dex', commit);
  const program = join(folder, 'dex');
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, 'build.lock'), async () => {
    if (existsSync(program)) return;
    const required = Object.entries(needed).map(([name, version]) => `require ${name} ${version}\n`);
    await writeFile(join(folder, 'go.mod'), `module dex-of-tests\n\n${required.join('')}`);
    const built = join(folder, 'built');
    // Without C, it has no SQLite, which the test does not need.
    const env = { ...process.env, GOFLAGS: '-mod=mod', CGO_ENABLED: '0' };
    await run(go, ['build', '-o', built, 'github.com/dexidp/dex/cmd/dex'], { cwd: folder, env });
    await rename(built, program);
  });
  return program;
}
