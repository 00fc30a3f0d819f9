import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installedProgram } from '../programs.js';
import { runCommand } from './exec.js';
import { withLock } from './lock.js';

const SUITE = 'sid';

/** A Debian root filesystem that contains PostgreSQL and DocumentDB. */
export interface RootFs {
  path: string;
  /** The folder of PostgreSQL's programs, as a path inside the root filesystem. */
  bin: string;
}

function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'muster');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Builds under another name and renames at the end, so that a folder with the final name is complete. */
async function build(path: string, log: (message: string) => void): Promise<void> {
  const mmdebstrap = await installedProgram('mmdebstrap', log);
  log('building a root filesystem with PostgreSQL and DocumentDB (once, about half a minute)');
  for (const entry of await readdir(cacheFolder())) {
    if (entry.startsWith('building-')) {
      await rm(join(cacheFolder(), entry), { recursive: true, force: true });
    }
  }
  const temporary = await mkdtemp(join(cacheFolder(), 'building-'));
  const unneeded = ['doc', 'man', 'locale', 'info'].flatMap((folder) => [
    `--dpkgopt=path-exclude=/usr/share/${folder}/*`,
  ]);
  await runCommand(
    mmdebstrap,
    [
      ...['--variant=essential', '--aptopt=Acquire::Check-Valid-Until "false"', ...unneeded],
      ...[
        '--include=?name(^postgresql-[0-9]+-documentdb$)',
        SUITE,
        join(temporary, 'rootfs'),
        ...(await mirror()),
      ],
    ],
    { timeoutMs: 300_000 },
  );
  await rename(join(temporary, 'rootfs'), path);
  await rm(temporary, { recursive: true, force: true });
}

/** The mirror that apt uses on this machine. Without one, mmdebstrap uses its default. */
async function mirror(): Promise<string[]> {
  const targets = ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages'];
  const found = await runCommand('apt-get', targets, { timeoutMs: 10_000 });
  const main = found.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  return main === undefined ? [] : [main];
}

async function programs(path: string): Promise<string> {
  const versions = (await readdir(join(path, 'usr/lib/postgresql'))).map(Number).sort((a, b) => b - a);
  for (const version of versions) {
    if (await exists(join(path, `usr/share/postgresql/${version}/extension/documentdb.control`))) {
      return `/usr/lib/postgresql/${version}/bin`;
    }
  }
  throw new Error(`${path} has no PostgreSQL with DocumentDB; remove it and start again`);
}

/** The root filesystem in the cache. The first call builds it. Two simultaneous starts build it once. */
export async function documentdbRootFs(log: (message: string) => void): Promise<RootFs> {
  const path = join(cacheFolder(), `documentdb-rootfs-${SUITE}`);
  if (!(await exists(path))) {
    await mkdir(cacheFolder(), { recursive: true });
    await withLock(`${path}.lock`, async () => {
      if (!(await exists(path))) {
        await build(path, log);
      }
    });
  }
  return { path, bin: await programs(path) };
}
