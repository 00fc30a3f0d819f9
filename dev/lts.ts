import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { runCommand } from './services/exec.js';

/** A version of Node.js that `make test-lts` tests. The npm registry has it as a package for each platform. */
interface LtsVersion {
  readonly version: string;
  /** The integrity of the package, by platform. */
  readonly integrity: Readonly<Record<string, string>>;
}

/** The newest LTS version of Node.js, which the image has. docs/decisions/0013-node-versions.md says when it changes. */
export const newestLts: LtsVersion = {
  version: '24.21.0',
  integrity: {
    'linux-x64':
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    'linux-arm64':
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};

/** The LTS version before it, which gets security fixes until April 2027. */
export const earlierLts: LtsVersion = {
  version: '22.23.3',
  integrity: {
    'linux-x64':
      'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
    'linux-arm64':
      'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
};

/**
 * Fetches a version once, into a folder that npm scripts do not have on their PATH.
 * @returns the path of its `node`
 * @throws Error if the registry has no package for this platform, or another one than expected
 */
export async function fetchLts(lts: LtsVersion, log: (message: string) => void): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const cache = resolve('node_modules/.cache/muster-node');
  const home = join(cache, `${lts.version}-${platform}`);
  const node = join(home, 'package/bin/node');
  if (existsSync(node)) return node;
  const expected = lts.integrity[platform];
  if (expected === undefined) throw new Error(`No Node.js ${lts.version} for ${platform} is known here`);
  const name = `node-${platform}@${lts.version}`;
  log(`fetching ${name}`);
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'fetching-'));
  try {
    const pack = ['pack', name, '--pack-destination', folder, '--loglevel=error'];
    const file = join(folder, (await runCommand('npm', pack, { timeoutMs: 300_000 })).trim());
    const hash = createHash('sha512')
      .update(await readFile(file))
      .digest('base64');
    if (`sha512-${hash}` !== expected) throw new Error(`${name} is not what it was: sha512-${hash}`);
    await runCommand('tar', ['-xzf', file, '-C', folder], { timeoutMs: 60_000 });
    await rename(folder, home);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return node;
}
