import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Running, startProgram } from './processes.js';
import { startApi, startWorker } from './programs.js';
import type { Setting } from './setting.js';

/** One version: its processes, with a database of their own. */
export interface Version {
  readonly setting: Pick<Setting, 'baseUrl' | 'client'>;
  readonly orgId: string;
  /** The path of the `muster` command. */
  readonly command: string;
  /** An application of the organization, and people who can sign in to it. */
  peopleOf(): ReturnType<typeof import('./measures/oidc-login.js').peopleOf>;
}

export interface BesideOptions {
  /** A checkout of the earlier version, with its packages and its `dist`. */
  readonly folder: string;
  /** So often are the processes of both versions started. The databases stay. */
  readonly starts?: number;
}

/**
 * Starts this version and an earlier one. Both run at the same time, each with its own database on the same engine.
 * @param work called after each start. `start` counts from 0
 */
export async function besideEarlier(
  setting: Setting,
  { folder, starts = 1 }: BesideOptions,
  work: (now: Version, before: Version, start: number) => Promise<void>,
): Promise<void> {
  const program = join(folder, 'dist/src/server.js');
  if (!existsSync(program)) throw new Error(`${program} is missing: build the earlier version first`);
  // The earlier version prepares its database by its own code.
  const load = <T>(file: string) => import(pathToFileURL(join(folder, 'bench', file)).href) as Promise<T>;
  const { openSetting } = await load<{ openSetting(): Promise<Setting> }>('setting.ts');
  const theirs = await openSetting();
  const startNow = async () => [await startApi(setting), await startWorker(setting)];
  const startBefore = async () => {
    const { env, logFolder, baseUrl } = theirs;
    const start = (name: string, file: string, readyUrl?: string) =>
      startProgram({
        name: `earlier-${name}`,
        args: [join(folder, 'dist', file)],
        env,
        logFolder,
        ...(readyUrl !== undefined && { readyUrl }),
      });
    return [
      await start('api', 'src/server.js', `${baseUrl}/readyz`),
      await start('worker', 'workers/main.js'),
    ];
  };
  type OfPeople = typeof import('./measures/oidc-login.js');
  const version = (of: Setting, within: string, login: () => Promise<OfPeople>): Version => ({
    setting: of,
    orgId: of.organization.id,
    command: resolve(within, 'dist/src/cli/main.js'),
    peopleOf: async () => (await login()).peopleOf(of, of.organization),
  });
  const now = version(setting, '.', () => import('./measures/oidc-login.js'));
  const before = version(theirs, folder, () => load<OfPeople>('measures/oidc-login.ts'));
  try {
    for (let start = 0; start < starts; start++) {
      const running: Running[] = [];
      try {
        const inOrder = start % 2 === 0 ? [startNow, startBefore] : [startBefore, startNow];
        for (const startOne of inOrder) running.push(...(await startOne()));
        await work(now, before, start);
      } finally {
        for (const one of running.reverse()) await one.stop();
      }
    }
  } finally {
    await theirs.close();
  }
}
