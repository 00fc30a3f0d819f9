import { readFile } from 'node:fs/promises';
import { onPath, runCommand } from './exec.js';

/** Whether this is Debian or a derivative, and this process may install packages. */
export async function isDebianWithRoot(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return (
    process.getuid?.() === 0 && /^ID(_LIKE)?=.*debian/m.test(release) && (await onPath('apt-get')) !== null
  );
}

/** Installs Debian packages. Their services are neither started nor enabled for the next boot. */
export async function installPackages(
  packages: readonly string[],
  services: readonly string[],
): Promise<void> {
  // RUNLEVEL=1 stops the package scripts from starting services.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  await runCommand('apt-get', ['update'], { timeoutMs: 120_000, env });
  await runCommand('apt-get', install, { timeoutMs: 600_000, env });
  for (const service of services) {
    await runCommand('systemctl', ['disable', '--now', service], { timeoutMs: 20_000 }).catch(() => '');
  }
}
