import { Option } from '@commander-js/extra-typings';
import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { baseUrl, groups, json, tokenFile } from './shared.js';

export function connectionsCommand(output: Output) {
  return new MusterCommand('connections')
    .helpGroup(groups.people)
    .summary('let people sign in with the account of their company')
    .addCommand(listCommand(output))
    .addCommand(showCommand(output))
    .addCommand(addCommand(output))
    .addCommand(changeCommand(output))
    .addCommand(removeCommand(output))
    .addCommand(testCommand(output))
    .addCommand(previewCommand(output))
    .addCommand(exportCommand(output))
    .addCommand(linkMetadataCommand(output));
}

const settingsFile = () =>
  new Option(
    '--file <file>',
    'JSON file with settings, as the body of POST /admin/v1/orgs/{orgId}/connections (/docs/guides/connections of the service)',
  );
const secretFile = () =>
  new Option('--secret-file <file>', 'file with the client secret. A line feed at its end is no part of it');

function listCommand(output: Output) {
  return new MusterCommand('list')
    .summary('list the connections of an organization, and whether each is used')
    .description(
      'Lists the connections of an organization with the last sign-in and the last refusal of each.',
    )
    .argument('<org>', 'identifier of the organization')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, options) =>
      (await import('../connections/list.js')).listConnections(orgId, options, output),
    );
}

function showCommand(output: Output) {
  return new MusterCommand('show')
    .summary('show a connection, and why sign-ins by it were refused')
    .description(
      'Shows the settings of a connection without its secret, the address to register at the provider, and its health.',
    )
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/show.js')).showConnection({ orgId, connection }, options, output),
    );
}

function addCommand(output: Output) {
  return new MusterCommand('add')
    .summary('add a connection to a provider')
    .description(
      'Adds a connection and prints its identifier and the address to register at the provider. The provider is read at once. The token must be ' +
        'of an owner of the organization. Options replace what the file says.',
    )
    .argument('<org>', 'identifier of the organization')
    .option('--name <name>', 'what people see on the button')
    .option('--issuer <url>', 'issuer of the provider, exactly as its ID tokens have it')
    .option('--client-id <id>', 'client identifier of this service at the provider')
    .option('--off', 'do not let people use it yet')
    .addOption(secretFile())
    .addOption(settingsFile())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, options) =>
      (await import('../connections/add.js')).addConnectionTo(orgId, options, output),
    );
}

function changeCommand(output: Output) {
  return new MusterCommand('change')
    .summary('change a connection, or switch it on or off')
    .description(
      'Changes what the options and the file name, and nothing else. A connection that is switched off ends its sessions and tokens at once.',
    )
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .option('--name <name>', 'what people see on the button')
    .option('--client-id <id>', 'client identifier of this service at the provider')
    .option('--on', 'let people use it')
    .option('--off', 'end its sessions and tokens, and let nobody use it')
    .addOption(secretFile())
    .addOption(settingsFile())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/change.js')).changeNamedConnection(
        { orgId, connection },
        options,
        output,
      ),
    );
}

function removeCommand(output: Output) {
  return new MusterCommand('remove')
    .summary('remove a connection with its secret')
    .description('Removes a connection. Its sessions and tokens end at once. People stay.')
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/remove.js')).removeConnectionOf({ orgId, connection }, options, output),
    );
}

function testCommand(output: Output) {
  return new MusterCommand('test')
    .summary('say whether a provider can be used, or try the sign-in')
    .description(
      'Reads what the provider says of itself, and its keys. The exit code is 1 if it cannot be used. With --sign-in it prints an address at which ' +
        'you sign in at the provider, waits up to half an hour, and then prints each claim and where it goes. Nobody is signed in here.',
    )
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .option('--sign-in', 'try a sign-in, too')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/test.js')).testNamedConnection({ orgId, connection }, options, output),
    );
}

function previewCommand(output: Output) {
  return new MusterCommand('preview')
    .summary('say what an answer of the provider would do')
    .description(
      'Says who a sign-in with these claims would be, with which values and groups. Nothing is written. Without --claims, the claims are those of the ' +
        'last sign-in of the last 24 hours. The exit code is 1 if the sign-in would be refused.',
    )
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .option('--claims <file>', 'JSON file with the claims to try, and sub among them')
    .option(
      '--file <file>',
      'JSON file with the settings mapping and claims to try instead of the stored ones',
    )
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/preview.js')).previewNamedConnection(
        { orgId, connection },
        options,
        output,
      ),
    );
}

function exportCommand(output: Output) {
  return new MusterCommand('export')
    .summary('print a connection for another organization, without its secret')
    .description(
      'Prints the settings as JSON, as muster connections add --file takes them. It has no secret, no domain, no service user and no group, because ' +
        'another organization has its own. The new connection is switched off.',
    )
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/export.js')).exportConnection({ orgId, connection }, options, output),
    );
}

function linkMetadataCommand(output: Output) {
  return new MusterCommand('link-metadata')
    .summary('link the identities that an import left waiting')
    .description(
      'Links identities of one provider that another system told to a connection: those that wait as links, and those in metadata ' +
        '"identity:PROVIDER". Metadata links nobody with a role. Try it with --dry-run first. It may be repeated.',
    )
    .argument('<org>', 'identifier of the organization')
    .argument('<connection>', 'identifier or name of the connection')
    .requiredOption('--provider <name>', 'alias or issuer of the provider in the former system')
    .option('--dry-run', 'only say what would be linked')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, connection, options) =>
      (await import('../connections/link-metadata.js')).linkMetadata({ orgId, connection }, options, output),
    );
}
