import { installPackages, isDebianWithRoot } from './services/debian.js';
import { onPath } from './services/exec.js';
import { withLock } from './services/lock.js';

interface Program {
  /** The Debian package that contains the program. */
  readonly package: string;
  /** What else is installed with it, for the same tests. */
  readonly besides?: readonly string[];
  /** The service that the package would start. Nothing here uses that service. */
  readonly service?: string;
  readonly neededBy: string;
  /** Whether `make test-slow` alone needs it. */
  readonly isSlow?: true;
}

/**
 * Every program that `make run`, `make lint`, `make test` and `make test-slow` install. Each is optional: a step that needs a missing
 * program reports it and is skipped.
 */
const programs = {
  'redis-server': {
    package: 'redis-server',
    service: 'redis-server',
    neededBy: 'make run, and tests that stop or restart Redis',
  },
  mmdebstrap: { package: 'mmdebstrap', neededBy: 'DocumentDB, where no mongod is on the PATH' },
  // It needs less processor time than the package chromium.
  'chromium-headless-shell': {
    package: 'chromium-headless-shell',
    neededBy: 'tests of pages in a browser',
  },
  nginx: {
    package: 'nginx-light',
    service: 'nginx',
    neededBy: 'tests and make bench-hostile, for API processes behind a balancer',
  },
  apache2: {
    // It brings the program without the service.
    package: 'libapache2-mod-auth-openidc',
    neededBy: 'the test of the guide for Apache',
  },
  faketime: { package: 'faketime', neededBy: 'tests in which the clocks of processes differ' },
  zsh: { package: 'zsh', neededBy: 'the test of completion in zsh' },
  fish: { package: 'fish', neededBy: 'the test of completion in fish' },
  zstd: { package: 'zstd', neededBy: 'the test of imports that zstd compressed' },
  python3: {
    package: 'python3',
    neededBy: 'tests and make bench-hostile, for clients that read no response',
  },
  mvn: { package: 'maven', neededBy: 'the tests of Java clients and of generated clients', isSlow: true },
  javac: {
    package: 'default-jdk-headless',
    neededBy: 'the tests of Java clients and of generated clients',
    isSlow: true,
  },
  xmlsec1: { package: 'xmlsec1', neededBy: 'the test of a SAML provider in Python', isSlow: true },
  php: {
    package: 'php-cli',
    besides: ['php-xml', 'php-mbstring', 'simplesamlphp'],
    neededBy: 'the test of a SAML provider in PHP',
    isSlow: true,
  },
  promtool: { package: 'prometheus', service: 'prometheus', neededBy: 'the tests of the alerts' },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

/** The programs that `make test-slow` installs. */
export const slowProgramNames = Object.keys(programs) as ProgramName[];

/** The programs that `make test` installs. */
export const programNames = slowProgramNames.filter((name) => !('isSlow' in programs[name]));

/** The path of a program. @returns undefined if it is not installed */
export async function findProgram(name: ProgramName): Promise<string | undefined> {
  return (await onPath(name)) ?? undefined;
}

/**
 * Installs the missing programs with one call of `apt-get install`. Only root on Debian can do that. On other machines
 * nothing happens.
 * @throws Error if `apt-get` fails
 */
export async function installPrograms(
  names: readonly ProgramName[],
  log: (message: string) => void,
): Promise<void> {
  if (!(await isDebianWithRoot())) return;
  await withLock('/var/tmp/muster-apt.lock', async () => {
    const missing: Program[] = [];
    for (const name of names) {
      if ((await onPath(name)) === null) missing.push(programs[name]);
    }
    if (missing.length === 0) return;
    for (const { package: name, neededBy } of missing) log(`installing ${name} for ${neededBy}`);
    const services = missing.flatMap(({ service }) => service ?? []);
    await installPackages(
      missing.flatMap(({ package: name, besides = [] }) => [name, ...besides]),
      services,
    );
  });
}

/** The path of a program. A missing program is installed first. @throws Error if it cannot be installed */
export async function installedProgram(name: ProgramName, log: (message: string) => void): Promise<string> {
  await installPrograms([name], log);
  const path = await findProgram(name);
  if (path === undefined) throw new Error(`${name} is not on the PATH, and it cannot be installed`);
  return path;
}
