import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { baseUrl, each, groups, json, tokenFile } from './shared.js';

export function orgsCommand(output: Output) {
  return new MusterCommand('orgs')
    .helpGroup(groups.people)
    .summary('create organizations, and set the pepper of their hashes')
    .addCommand(createCommand(output))
    .addCommand(pepperCommand(output));
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

function pepperCommand(output: Output) {
  return new MusterCommand('pepper')
    .summary('set or remove the pepper of imported password hashes')
    .description(
      'Sets the secret that the former system hashed together with each password (/docs/password-hashes of the service), or says when it was set. ' +
        'The token must be of an owner of the organization.',
    )
    .argument('<org>', 'identifier of the organization')
    .option('--file <file>', 'file with the pepper. A line feed at its end is no part of it')
    .option('--remove', 'remove the pepper')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, options) =>
      (await import('../orgs/password-pepper.js')).passwordPepper(orgId, options, output),
    );
}
