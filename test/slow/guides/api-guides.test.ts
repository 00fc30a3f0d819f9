import { spawnSync } from 'node:child_process';
import t, { type Test } from 'tap';
import { notRun } from '../../../dev/not-run.js';
import { openApiGuide } from '../../support/docs/api-guide.js';
import { type ApiLimits, attackApi } from '../../support/docs/attack-api.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';

/**
 * The programs of the guides for APIs, with the packages that their readers install. They need Go and its module proxy, Python and
 * PyPI, Java and Maven, .NET and NuGet.
 */

interface Program {
  readonly name: string;
  /** Commands that must be there. */
  readonly needs: readonly string[];
  readonly limits?: ApiLimits;
}

/** They ask for an unknown key at most once in 30 seconds. */
const learnsWithin = 60_000;

const programs: Program[] = [
  { name: 'api-python.md', needs: ['python3 --version'], limits: { learnsWithin } },
  { name: 'api-go.md', needs: ['go version'], limits: { learnsWithin } },
  // No machine of this project has .NET and reaches NuGet.
  { name: 'api-aspnet.md', needs: ['dotnet --version'], limits: { learnsWithin } },
  {
    name: 'api-spring-boot.md',
    needs: ['java -version', 'mvn --version'],
    limits: { learnsWithin, away: 500 },
  },
];

const works = (command: string, cwd?: string) =>
  spawnSync('bash', ['-c', command], { cwd, stdio: 'ignore', timeout: 300_000 }).status === 0;

/** Runs the commands before the last, which get the packages. @returns false if the registry cannot be reached */
function installs(t: Test, folder: string, commands: readonly string[]): boolean {
  for (const command of commands) {
    if (works(command, folder)) continue;
    notRun(t, `no packages: ${command}`);
    return false;
  }
  return true;
}

for (const { name, needs, limits } of programs) {
  t.test(`${name}: the API refuses what was not made for it`, async (t) => {
    for (const command of needs) {
      if (!works(command)) return notRun(t, `${command.split(' ', 1)[0]} is not installed`);
    }
    const muster = await startMusterOfReader(t, { rateLimitPerAddress: 0, rateLimitRefused: 0 });
    const guide = await openApiGuide(t, muster, { name });
    if (!installs(t, guide.folder, guide.commands.slice(0, -1))) return;
    await guide.start();
    await attackApi(t, muster, guide, limits);
  });
}
