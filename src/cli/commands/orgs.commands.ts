import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { baseUrl, each, groups, json, tokenFile } from './shared.js';

export function orgsCommand(output: Output) {
  return new MusterCommand('orgs')
    .helpGroup(groups.people)
    .summary('create organizations')
    .addCommand(createCommand(output));
}

function createCommand(output: Output) {
  return new MusterCommand('create')
    .summary('create an organization')
    .description(
      'Creates an organization and prints its identifier. The token must be of an owner of the instance.',
    )
    .argument('<name>', 'name of the organization')
    .option('--id <id>', 'identifier to keep, instead of a random one')
    .option('--domain <name>', 'verified domain, the first is the primary one; may be repeated', each)
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (name, options) =>
      (await import('../orgs/create-organization.js')).createOrganization(name, options, output),
    );
}
