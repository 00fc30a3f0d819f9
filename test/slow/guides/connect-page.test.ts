import { spawnSync } from 'node:child_process';
import t from 'tap';
import { freePort } from '../../../dev/free-port.js';
import { notRun } from '../../../dev/not-run.js';
import { buildListeningApp } from '../../support/app/listening-app.js';
import { makeHome } from '../../support/app/people.js';
import { makeOwner, signInTo } from '../../support/app/walk-console.js';
import { connectApplication, signInAtApplication } from '../../support/docs/connect-application.js';
import { makeEmptyFolder, startCommand } from '../../support/docs/follow-guide.js';
import { followShown, startingCommand } from '../../support/docs/shown-program.js';
import { launchChromium } from '../../support/network/chromium.js';

/**
 * The programs of the page "Connect" whose packages come from registries, as a developer copies them: npm, Maven Central, PyPI and the
 * module proxy of Go. `browser/console-connect` has those whose packages this repository has.
 */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t);
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const userName = await makeOwner(container, home, 'en');

const programs = [
  { framework: 'nextjs', path: '/api/auth/callback/muster', needs: ['npm --version'] },
  { framework: 'spring-boot', path: '/login/oauth2/code/muster', needs: ['java -version', 'mvn --version'] },
  { framework: 'django', path: '/oidc/callback/', needs: ['python3 -m venv --help'] },
  { framework: 'go', path: '/signed-in/here', needs: ['go version'] },
  // No machine of this project has .NET and reaches NuGet.
  { framework: 'aspnet', path: '/signin-oidc', needs: ['dotnet --version'] },
] as const;

/** Asks the registry of each program for a package. A program that cannot reach its registry is not run. */
const registries = {
  nextjs: 'npm view next version',
  'spring-boot':
    'mvn -q org.apache.maven.plugins:maven-dependency-plugin:3.6.1:get -Dtransitive=false -Dartifact=junit:junit:4.13.2',
  django:
    'python3 -m pip index versions django || python3 -m pip download --no-deps -d "$(mktemp -d)" django',
  go: 'go list -m golang.org/x/oauth2@latest',
  aspnet: 'dotnet package search Microsoft.AspNetCore.Authentication.OpenIdConnect --take 1',
};

const works = (command: string) =>
  spawnSync('bash', ['-c', command], { stdio: 'ignore', timeout: 240_000 }).status === 0;

for (const { framework, path, needs } of programs) {
  t.test(`${framework}: the program of the page signs a person in`, { timeout: 900_000 }, async (t) => {
    for (const command of needs)
      if (!works(command)) return notRun(t, `${command.split(' ', 1)[0]} is not installed`);
    if (!works(registries[framework])) return notRun(t, `no packages: ${registries[framework]}`);
    const page = await signInTo(t, browser, { baseUrl, userName, from: '/console', width: 1280 });
    const port = await freePort();
    const steps = await connectApplication(t, page, {
      form: `${baseUrl}/console/orgs/${home.id}/applications/new?type=web&with=${framework}`,
      name: 'Lindgren "Shop" <b>',
      redirectUri: `http://localhost:${port}${path}`,
    });
    const folder = await makeEmptyFolder(t);
    await followShown(folder, steps, { runs: true });
    await startCommand(t, { command: startingCommand(steps), folder, port });

    const visitor = await page.context().newPage();
    visitor.setDefaultTimeout(120_000);
    await signInAtApplication(visitor, `http://localhost:${port}/`);
    t.equal(visitor.url(), `http://localhost:${port}/`, 'the code is not in the address');
    await visitor.getByRole('button', { name: 'Sign out' }).click();
    await visitor.getByText('Nobody is signed in').waitFor();
    t.equal(visitor.url(), `http://localhost:${port}/`, 'the address after sign-out is allowed too');
  });
}
