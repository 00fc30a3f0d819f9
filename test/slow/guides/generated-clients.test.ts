import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { notRun } from '../../../dev/not-run.js';
import { repository } from '../../../dev/repository.js';
import { openGuide } from '../../support/docs/follow-guide.js';
import { commandsIn } from '../../support/docs/guide-blocks.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';

/**
 * generated-clients.md: openapi-generator makes libraries, compilers take them, and programs use them. It needs Java 17, Maven and its
 * central repository, Python with `venv` and PyPI, and Go.
 */

const muster = await startMusterOfReader(t);
const guide = await openGuide(t, muster, { name: 'generated-clients.md', ports: [] });
const text = await readFile('docs/guides/generated-clients.md', 'utf8');
const env = {
  ...process.env,
  ...muster.env,
  PATH: `${join(repository, 'node_modules/.bin')}:${process.env['PATH']}`,
};

/** Runs a command of the guide in a terminal of its own. @returns what it prints @throws Error with that */
async function run(command: string): Promise<string> {
  const given = ['-c', command];
  const { stdout } = await promisify(execFile)('bash', given, {
    cwd: guide.folder,
    env,
    maxBuffer: 2 ** 26,
    timeout: 300_000,
  }).catch(({ stdout, stderr }) => {
    throw new Error(`${command}: ${String(stdout).slice(-3_000)} ${String(stderr).slice(-3_000)}`);
  });
  return stdout.trim();
}

const works = (command: string) =>
  run(command).then(
    () => true,
    () => false,
  );

/** The commands of a section. The packages of npm are those of this repository. */
function commandsOf(heading: string): string[] {
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  return commandsIn(section.split('\n## ')[0] ?? '').filter((command) => !command.startsWith('npm install'));
}

const languages = [
  { name: 'Python', needs: 'python3 -m venv --help' },
  { name: 'Go', needs: 'go version' },
  { name: 'TypeScript', needs: 'node --version' },
];

t.test('generated-clients.md: the libraries compile and make calls', { timeout: 900_000 }, async (t) => {
  for (const command of ['java -version', 'mvn --version'])
    if (!(await works(command))) return notRun(t, `${command.split(' ', 1)[0]} is not installed`);
  for (const command of commandsOf('Get the generator and the description'))
    if (!(await works(command))) return notRun(t, `no packages: ${command}`);
  for (const { name, needs } of languages) {
    if (!(await works(needs))) {
      notRun(t, `${name} is not installed`);
      continue;
    }
    const commands = commandsOf(name);
    t.ok(commands.length > 2, name);
    let printed = '';
    for (const command of commands) printed = await run(command);
    const user = `maria.${name.toLowerCase()}`;
    t.same(printed.split('\n'), [
      `created ${user} Berg`,
      `found 1 ${user}@example.com`,
      'changed Engineer',
      'organizations 1 Muster',
      'refused 404 directory.userNotFound',
    ]);
  }
});
