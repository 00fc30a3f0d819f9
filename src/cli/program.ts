import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { MusterCommand } from './base/command.js';
import { completionCommand } from './commands/completion.command.js';
import { connectionsCommand } from './commands/connections.commands.js';
import { convertCommand } from './commands/convert.commands.js';
import {
  exportCommand,
  importCommand,
  migrateCommand,
  verifyCommand,
} from './commands/migration.commands.js';
import { orgsCommand } from './commands/orgs.commands.js';
import {
  doctorCommand,
  initCommand,
  newMasterKeyCommand,
  recoverCommand,
  resealCommand,
  startCommand,
  upgradeCommand,
} from './commands/server.commands.js';
import { groups } from './commands/shared.js';
import { signInPolicyCommand } from './commands/sign-in-policy.commands.js';
import { tokensCommand } from './commands/tokens.commands.js';
import { usersCommand } from './commands/users.commands.js';
import type { Output } from './terminal/output.js';
import { readVersion } from './version.js';

/**
 * Returns the tree of all commands. Their modules are loaded when they run: some need the stores, others need almost nothing.
 * @param output where the commands print
 */
export function createProgram(output: Output): CommandUnknownOpts {
  const program = new MusterCommand('muster')
    .description('Identity service: SCIM 2.0, OpenID Connect, and migration of users')
    .version(readVersion(), '-V, --version', 'print the version')
    .addCommand(initCommand(output))
    .addCommand(startCommand())
    .addCommand(upgradeCommand(output))
    .addCommand(newMasterKeyCommand(output))
    .addCommand(resealCommand(output))
    .addCommand(recoverCommand(output))
    .addCommand(doctorCommand(output))
    .addCommand(orgsCommand(output))
    .addCommand(signInPolicyCommand(output))
    .addCommand(usersCommand(output))
    .addCommand(connectionsCommand(output))
    .addCommand(tokensCommand(output))
    .addCommand(convertCommand(output))
    .addCommand(importCommand(output))
    .addCommand(verifyCommand(output))
    .addCommand(migrateCommand(output))
    .addCommand(exportCommand(output))
    .addCommand(completionCommand(output))
    .addCommand(helpCommand())
    .addHelpText('after', () => `\n${places}`);
  settle(program);
  return program;
}

/** For the list of commands. The program answers it itself: see `helpWanted`. */
function helpCommand() {
  return new MusterCommand('help')
    .helpGroup(groups.shell)
    .summary('show the help of a command')
    .argument('[command...]', 'the command');
}

const places = `A server reads its settings from the environment. Commands that call a
service take its address from MUSTER_BASE_URL and a token from MUSTER_TOKEN.
The service has the guides at /docs/guides: /docs/configuration lists every
setting, and /docs/cli describes every command and the exit codes.`;

/** Gives a command and all below it the behaviour that all share. */
function settle(command: CommandUnknownOpts): void {
  command
    .exitOverride()
    .showSuggestionAfterError(false)
    .allowExcessArguments(false)
    .helpOption('-h, --help', 'show this help');
  command.helpCommand(false);
  for (const one of command.commands) settle(one);
}
