import { readFile } from 'node:fs/promises';
import { onPath, runCommand } from './exec.js';
import { withLock } from './lock.js';

/** Whether this is Debian, or made from it, and we may install packages. */
export async function isDebianWithRoot(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return (
    process.getuid?.() === 0 && /^ID(_LIKE)?=.*debian/m.test(release) && (await onPath('apt-get')) !== null
  );
}

/**
 * The path of a program, its Debian package installed when it is missing. A service that the package brings
 * is neither started nor left for the next boot, since we run a process of our own.
 */
export async function installed(
  program: string,
  options: { package: string; service?: string; log: (message: string) => void },
): Promise<string> {
  return withLock('/var/tmp/muster-apt.lock', async () => {
    const before = await onPath(program);
    if (before !== null) {
      return before;
    }
    options.log(`installing ${options.package}`);
    // RUNLEVEL=1 keeps the package's scripts from starting its service.
    const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    await runCommand('apt-get', ['update'], { timeoutMs: 120_000, env });
    await runCommand('apt-get', ['install', '-y', '--no-install-recommends', options.package], {
      timeoutMs: 180_000,
      env,
    });
    if (options.service !== undefined) {
      await runCommand('systemctl', ['disable', '--now', options.service], { timeoutMs: 20_000 }).catch(
        () => '',
      );
    }
    const path = await onPath(program);
    if (path === null) {
      throw new Error(`${options.package} was installed, but ${program} is not on the PATH`);
    }
    return path;
  });
}
