import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import t from 'tap';
import { helpWanted, pathOf, UsageError } from '#src/cli/base/command.js';
import { exitCodes } from '#src/cli/base/exit-codes.js';
import { createProgram } from '#src/cli/program.js';
import { createOutput } from '#src/cli/terminal/output.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';

const nowhere = { write: () => true };
const newProgram = () => createProgram(createOutput({ stdout: nowhere, stderr: nowhere }, false));

function all(command: CommandUnknownOpts): CommandUnknownOpts[] {
  return [command, ...command.commands.flatMap(all)];
}

const commands = all(newProgram()).map((command) => pathOf(command).slice(1));
const leaves = all(newProgram()).filter((one) => one.commands.length === 0 && one.name() !== 'help');

t.test('every command has help, in three ways', async (t) => {
  for (const path of commands) {
    for (const words of [
      [...path, '--help'],
      [...path, '-h'],
      ['help', ...path],
    ]) {
      const asked = helpWanted(newProgram(), words);
      t.ok(asked, words.join(' '));
      if (asked !== undefined && path[0] !== 'help') t.same(pathOf(asked), ['muster', ...path]);
    }
  }
  t.same(pathOf(helpWanted(newProgram(), []) as CommandUnknownOpts), ['muster'], 'without any word');
  t.equal(helpWanted(newProgram(), ['import', '--', '-h']), undefined, 'after -- it is a file');
  t.equal(helpWanted(newProgram(), ['import', 'x']), undefined);
});

t.test('a help names the arguments, every option, and what each is', async (t) => {
  for (const leaf of leaves) {
    const path = pathOf(leaf).join(' ');
    const text = leaf.helpInformation();
    t.match(text, `Usage: ${path} `);
    t.ok(leaf.summary(), `${path} has a summary`);
    for (const { long, description } of leaf.options) {
      t.match(text, `${long}`);
      t.ok(description, `${path} ${long}`);
    }
    for (const argument of leaf.registeredArguments) t.ok(argument.description, `${path} ${argument.name()}`);
  }
});

t.test('the help of every command, and of every group of commands, says what it is for', async (t) => {
  for (const command of all(newProgram())) {
    const [usage = '', about = ''] = command.helpInformation().split('\n\n');
    t.match(usage, /^Usage: muster/);
    // The heading of a list ends with a colon.
    t.match(about.split('\n')[0], /^[A-Z].*[^:]$/, pathOf(command).join(' '));
  }
  const users = all(newProgram()).find((command) => command.name() === 'users');
  t.match(users?.helpInformation(), 'Find users, and mend what keeps them from signing in.');
});

t.test('every command takes --json', async (t) => {
  for (const leaf of leaves) {
    t.ok(
      leaf.options.some(({ long }) => long === '--json'),
      pathOf(leaf).join(' '),
    );
  }
});

t.test('a help is no wider than the terminal', async (t) => {
  for (const leaf of leaves) {
    leaf.configureHelp({ helpWidth: 80 });
    for (const line of leaf.helpInformation().split('\n')) t.ok(line.length <= 80, line);
  }
});

t.test('what is wrong is answered with the nearest', async (t) => {
  const cases: [words: string[], message: string][] = [
    [['imprt', 'x'], "muster: unknown command 'imprt'. Did you mean import? See muster --help."],
    [['help', 'imprt'], "muster: unknown command 'imprt'. Did you mean import? See muster --help."],
    [['imprt', '-h'], "muster: unknown command 'imprt'. Did you mean import? See muster --help."],
    [['users', 'fnd'], "muster users: unknown command 'fnd'. Did you mean find? See muster users --help."],
    [
      ['convert', 'octa'],
      "muster convert: unknown command 'octa'. Did you mean okta? See muster convert --help.",
    ],
    [
      ['convert', 'constructor'],
      "muster convert: unknown command 'constructor'. It knows auth0, cognito, csv, entra, firebase, fusionauth, json, keycloak, kratos, ldif, okta, scim, zitadel.",
    ],
    [
      ['import', 'x', '--dryrun'],
      "muster import: unknown option '--dryrun'. Did you mean --dry-run? See muster import --help.",
    ],
    [
      ['convert', 'auth0', '--users', 'x', '--password', 'y'],
      "muster convert auth0: unknown option '--password'. Did you mean --passwords? See muster convert auth0 --help.",
    ],
    [['--verison'], "muster: unknown option '--verison'. Did you mean --version? See muster --help."],
    [['import'], 'muster import: a file, --bucket or --url-file is required. See muster import --help.'],
    [
      ['migrate', 'plan'],
      "muster migrate plan: missing required argument 'file'. See muster migrate plan --help.",
    ],
    [['import', 'a', 'b'], 'muster import: too many arguments'],
    [
      ['export', '--output'],
      "muster export: option '--output <file>' argument missing. See muster export --help.",
    ],
    [
      ['tokens', 'create', 'x', '--org', '1', '--role', 'ORG_USER_MANGER'],
      "muster tokens create: option '--role <role>' argument 'ORG_USER_MANGER' is invalid. Allowed choices are ORG_OWNER",
    ],
    [
      ['completion', 'bsh'],
      "muster completion: command-argument value 'bsh' is invalid for argument 'shell'.",
    ],
  ];
  for (const [words, message] of cases) {
    const run = async () => {
      const program = newProgram();
      helpWanted(program, words);
      await program.parseAsync(words, { from: 'user' });
    };
    const error = await run().catch((thrown: unknown) => thrown);
    t.type(error, UsageError, words.join(' '));
    t.equal((error as Error).message.slice(0, message.length), message);
  }
});

t.test('each system that can be converted has a command', async (t) => {
  const convert = newProgram().commands.find((one) => one.name() === 'convert');
  t.same(
    convert?.commands.map((one) => one.name()),
    ['auth0', 'keycloak', 'scim', 'zitadel', ...Object.keys(peopleFormats)].sort(),
  );
});

t.test('each exit code has one meaning', async (t) => {
  const codes = Object.values(exitCodes).map(({ code }) => code);
  t.same(codes, [...new Set(codes)]);
});
