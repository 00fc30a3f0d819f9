import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { listensAt } from '../../../dev/free-port.js';
import { clearIfLeft, killIfLeft } from '../../../dev/leftovers.js';
import { type MaySkip, notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { until } from '../../../dev/until.js';

const modulesFolder = '/usr/lib/apache2/modules';
const modules = ['mpm_event', 'alias', 'auth_openidc', 'authn_core', 'authz_core', 'authz_user', 'headers'];
const within = 30_000;

/**
 * Starts Apache with a folder of its own, and ends it with the test.
 * @param site the directives of the site
 * @param variables the environment that the directives read
 * @returns false if Apache or mod_auth_openidc is not installed; the report then says so
 * @throws Error with the log of Apache, if it ends
 */
export async function startApache(
  t: Pick<Test, 'teardown'> & MaySkip,
  { port, site, variables }: { port: number; site: string; variables: Record<string, string> },
): Promise<boolean> {
  const program = await findProgram('apache2');
  const hasModule = await stat(join(modulesFolder, 'mod_auth_openidc.so')).catch(() => undefined);
  if (program === undefined || hasModule === undefined) {
    notRun(t, 'apache2 with mod_auth_openidc is not installed');
    return false;
  }
  const folder = await mkdtemp(join(tmpdir(), 'muster-apache-'));
  const cleared = clearIfLeft(folder);
  await writeFile(join(folder, 'apache2.conf'), configuration(folder, { port, site }));
  const child = spawn(program, ['-d', folder, '-f', 'apache2.conf', '-DFOREGROUND'], {
    env: { ...process.env, ...variables },
    // Apache signals its whole group when it ends.
    detached: true,
    stdio: 'ignore',
  });
  killIfLeft(child);
  const ended = new Promise((done) => child.once('exit', done));
  t.teardown(async () => {
    if (child.exitCode === null && child.kill('SIGTERM')) await ended;
    await rm(folder, { recursive: true, force: true });
    cleared();
  });
  await until(async () => child.exitCode !== null || (await listensAt(port)), { within });
  if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  return true;
}

function configuration(folder: string, { port, site }: { port: number; site: string }): string {
  const loaded = [...modules, 'proxy', 'proxy_http'].map(
    (name) => `LoadModule ${name}_module ${modulesFolder}/mod_${name}.so`,
  );
  return `
    ServerName localhost:${port}
    Listen 127.0.0.1:${port}
    PidFile ${folder}/apache2.pid
    DefaultRuntimeDir ${folder}
    ErrorLog ${folder}/error.log
    ${loaded.join('\n')}
    ${process.getuid?.() === 0 ? 'User www-data\nGroup www-data' : ''}
    ${site}
  `;
}
