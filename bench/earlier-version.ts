import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Running, startProgram } from './processes.js';
import { startApi, startWorker } from './programs.js';
import type { Setting } from './setting.js';

/** One version: its processes, with a database of their own. */
export interface Version {
  readonly setting: Pick<Setting, 'baseUrl' | 'client'>;
  readonly orgId: string;
  /** An application of the organization, and people who can sign in to it. */
  peopleOf(): ReturnType<typeof import('./measures/oidc-login.js').peopleOf>;
}

/**
 * Starts this version and an earlier one. Both run at the same time, each with its own database on the same engine.
 * @param folder a checkout of the earlier version, with its packages and its `dist`
 */
export async function besideEarlier(
  setting: Setting,
  folder: string,
  work: (now: Version, before: Version) => Promise<void>,
): Promise<void> {
  const program = join(folder, 'dist/src/server.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: build the earlier version first`);
  // The earlier version prepares its database by its own code.
  const load = <T>(file: string) => import(pathToFileURL(join(folder, 'bench', file)).href) as Promise<T>;
  const { openSetting } = await load<{ openSetting(): Promise<Setting> }>('setting.ts');
  const theirs = await openSetting();
  const running: Running[] = [];
  try {
    running.push(await startApi(setting), await startWorker(setting));
    const { env, logFolder, baseUrl } = theirs;
    const start = (name: string, file: string, readyUrl?: string) =>
      startProgram({
        name: `earlier-${name}`,
        args: [join(folder, 'dist', file)],
        env,
        logFolder,
        ...(readyUrl !== undefined && { readyUrl }),
      });
    running.push(await start('api', 'src/server.js', `${baseUrl}/readyz`));
    running.push(await start('worker', 'workers/main.js'));
    type OfPeople = typeof import('./measures/oidc-login.js');
    const version = (of: Setting, login: () => Promise<OfPeople>): Version => ({
      setting: of,
      orgId: of.organization.id,
      peopleOf: async () => (await login()).peopleOf(of, of.organization),
    });
    await work(
      version(setting, () => import('./measures/oidc-login.js')),
      version(theirs, () => load<OfPeople>('measures/oidc-login.ts')),
    );
  } finally {
    for (const one of running.reverse()) await one.stop();
    await theirs.close();
  }
}
