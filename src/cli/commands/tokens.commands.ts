import { Option } from '@commander-js/extra-typings';
import { isInstanceRole, roles } from '#src/directory/index.js';
import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { baseUrl, groups, json, tokenFile } from './shared.js';

export function tokensCommand(output: Output) {
  return new MusterCommand('tokens')
    .helpGroup(groups.people)
    .summary('create tokens for programs')
    .addCommand(createCommand(output));
}

function createCommand(output: Output) {
  return new MusterCommand('create')
    .summary('create a personal access token of a service user')
    .description(
      'Creates a personal access token of a service user. With --role, it also creates the service user if there is none, and gives it the ' +
        'role. The token goes to the file (mode 0600), or to standard output without one. It is shown only once.',
    )
    .argument('<service-user>', 'name or identifier of the service user')
    .requiredOption('--org <id>', 'organization of the service user')
    .addOption(
      new Option('--role <role>', 'role in the organization').choices(
        roles.filter((role) => !isInstanceRole(role)),
      ),
    )
    .option('--days <count>', 'days until the token expires, up to 366', '90')
    .option('--output <file>', 'file for the token')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (serviceUser, options) =>
      (await import('../tokens/create-token.js')).createToken(serviceUser, options, output),
    );
}
