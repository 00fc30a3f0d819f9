import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { clearIfLeft, killIfLeft } from '../leftovers.js';
import { until } from '../until.js';

export interface Nginx {
  /** Replaces the configuration. Requests in progress end with the former one. */
  reconfigure(text: string): Promise<void>;
}

/** The folder of one nginx. Everything that it writes belongs there. */
export interface NginxFolder {
  readonly folder: string;
  /** Directives of the main context that every configuration needs. */
  readonly main: string;
  /** Directives of the context `http` that every configuration needs. */
  readonly http: string;
}

const within = 60_000;

/**
 * Starts nginx in the foreground with a folder of its own, and resolves when it listens. The teardown of the test ends
 * it and removes the folder.
 * @param program the path of nginx
 * @param configure makes the configuration
 * @throws Error with what nginx says, if it ends
 */
export async function startNginx(
  t: Pick<Test, 'teardown'>,
  { program, configure }: { program: string; configure: (of: NginxFolder) => string },
): Promise<Nginx & NginxFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-nginx-'));
  const pidFile = join(folder, 'nginx.pid');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const of: NginxFolder = {
    folder,
    main: `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${pidFile};`,
    http: temporary.join(' '),
  };
  const write = (text: string) => writeFile(join(folder, 'nginx.conf'), text);
  await write(configure(of));
  const cleared = clearIfLeft(folder);
  const child = spawn(program, ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log')], {
    // nginx gets its own process group, which its worker processes belong to.
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
  // nginx opens its ports before it writes this file.
  const listens = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '';
  await until(() => child.exitCode !== null || listens(), { within });
  if (child.exitCode !== null) throw new Error(await readFile(join(folder, 'error.log'), 'utf8'));
  return {
    ...of,
    async reconfigure(text) {
      await write(text);
      child.kill('SIGHUP');
    },
  };
}
