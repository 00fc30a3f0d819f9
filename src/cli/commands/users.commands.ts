import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { baseUrl, groups, json, organization, tokenFile } from './shared.js';

export function usersCommand(output: Output) {
  return new MusterCommand('users')
    .helpGroup(groups.people)
    .summary('find users, and mend what keeps them from signing in')
    .addCommand(findCommand(output))
    .addCommand(whyCommand(output))
    .addCommand(activeCommand('disable', output))
    .addCommand(activeCommand('enable', output))
    .addCommand(unlockCommand(output));
}

function findCommand(output: Output) {
  return new MusterCommand('find')
    .summary('find users by the beginning of a name or an address')
    .description(
      'Finds users whose login name, e-mail address, given name or family name begins with the text, or whose identifier it is. Searches the ' +
        'organizations that the token reaches, at most 20, or the named one. The exit code is 1 if there is none.',
    )
    .argument('<text>', 'beginning of a name or an address')
    .option('--limit <count>', 'most users to print, up to 100', '20')
    .addOption(organization())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (text, options) => (await import('../users/find.js')).find(text, options, output));
}

function whyCommand(output: Output) {
  return new MusterCommand('why')
    .summary('say why a person cannot sign in')
    .description(
      'Says whom a login name means, what keeps that person from signing in, how to mend it, and which sign-ins were refused. The exit code is 1 ' +
        'if something keeps the person out. An owner of the instance may ask about a login name of any organization. Others name the ' +
        'organization if their token reaches several.',
    )
    .argument('<user>', 'login name as the person types it, e-mail address, or identifier of the user')
    .addOption(organization())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (user, options) => (await import('../users/why.js')).why(user, options, output));
}

const actives = {
  disable: 'Makes a user inactive. The user cannot sign in, and its sessions and tokens end.',
  enable: 'Makes an inactive user active again.',
};

function activeCommand(name: keyof typeof actives, output: Output) {
  return new MusterCommand(name)
    .summary(name === 'disable' ? 'keep a user out' : 'let a user in again')
    .description(actives[name])
    .argument('<user>', 'login name, e-mail address or identifier of the user')
    .addOption(organization())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (user, options) =>
      (await import('../users/set-active.js')).setActive(
        { user, active: name === 'enable' },
        options,
        output,
      ),
    );
}

function unlockCommand(output: Output) {
  return new MusterCommand('unlock')
    .summary('forget the failed sign-ins of a user')
    .description('Ends the locks of a user: of the account, of its login names and of its second factor.')
    .argument('<user>', 'login name, e-mail address or identifier of the user')
    .addOption(organization())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (user, options) => (await import('../users/unlock.js')).unlock(user, options, output));
}
