import { Option } from '@commander-js/extra-typings';
import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { dropHashes, each, groups, json, secondFactors, withoutCredentials } from './shared.js';

/** The systems whose exports have one object for each person, and the export that each gives. */
const people = {
  cognito: ['Amazon Cognito', 'aws cognito-idp list-users, or a table with the header of the pool'],
  entra: ['Microsoft Entra', 'GET /v1.0/users of Microsoft Graph'],
  firebase: ['Firebase', 'firebase auth:export users.json --format=JSON, or CSV'],
  fusionauth: ['FusionAuth', 'users from its database'],
  kratos: ['Ory Kratos', 'GET /admin/identities?include_credential=password&include_credential=totp'],
  ldif: ['an LDAP directory', 'LDIF of people and groups, such as from ldapsearch or slapcat'],
  okta: ['Okta', 'GET /api/v1/users'],
} as const;

export function convertCommand(output: Output) {
  const convert = new MusterCommand('convert')
    .helpGroup(groups.migration)
    .summary('turn the export of another system into an import')
    .description(
      'Converts the export of another identity provider into the body of an import. It needs no server of Muster. /docs/guides/migrate of the service says how to ' +
        'get each export.',
    )
    .addCommand(auth0Command(output));
  convert.addCommand(peopleCommand('cognito', output)).addCommand(csvCommand(output));
  for (const system of ['entra', 'firebase', 'fusionauth'] as const)
    convert.addCommand(peopleCommand(system, output));
  convert.addCommand(jsonCommand(output));
  convert.addCommand(keycloakCommand(output));
  for (const system of ['kratos', 'ldif', 'okta'] as const) convert.addCommand(peopleCommand(system, output));
  convert.addCommand(scimCommand(output));
  convert.addCommand(zitadelCommand(output));
  return convert;
}

function auth0Command(output: Output) {
  return intoOrganization('auth0', 'Auth0', 'bulk export of users, and hashes from its support')
    .requiredOption('--users <file>', 'users, one JSON object per line or an array')
    .option('--passwords <file>', 'password hashes, in the same form; leave it out if the users have theirs')
    .addOption(map())
    .addOption(explain())
    .action(async (options) => (await import('../convert/convert.js')).fromAuth0(options, output));
}

function keycloakCommand(output: Output) {
  return intoOrganization('keycloak', 'Keycloak', 'kc.sh export')
    .requiredOption(
      '--realm <path>',
      'realm, as a file or as the folder of kc.sh export --dir; repeat it for each file of one realm',
      each,
    )
    .option('--realm-name <name>', 'realm to convert, if the files have several')
    .addOption(rpId())
    .addOption(map())
    .addOption(explain())
    .action(async (options) => (await import('../convert/convert.js')).fromKeycloak(options, output));
}

function peopleCommand(system: keyof typeof people, output: Output) {
  const [name, given] = people[system];
  return intoOrganization(system, name, given)
    .requiredOption('--users <file>', 'users; repeat it for each file of an export by pages', each)
    .option('--hash-parameters <file>', 'parameters of the password hashes of Firebase')
    .addOption(map())
    .addOption(explain())
    .option(
      '--delimiter <character>',
      'what stands between two cells of a table (default: as in the first line)',
    )
    .addOption(rpId())
    .action(async (options) =>
      (await import('../convert/convert.js')).fromPeople({ ...options, system }, output),
    );
}

function csvCommand(output: Output) {
  return intoOrganization('csv', 'any system', 'a table with the names of the columns in its first line')
    .requiredOption('--users <file>', 'table; repeat it for each file', each)
    .addOption(map())
    .addOption(saveMap())
    .addOption(explain())
    .option('--delimiter <character>', 'what stands between two cells (default: as in the first line)')
    .action(async (options) =>
      (await import('../convert/convert.js')).fromPeople({ ...options, system: 'csv' }, output),
    );
}

function jsonCommand(output: Output) {
  return intoOrganization('json', 'any system', 'JSON: a list or an object of people, or one on each line')
    .requiredOption('--users <file>', 'users; repeat it for each file of an export by pages', each)
    .option('--at <path>', 'where the file has the people, such as data.users (default: found)')
    .addOption(map())
    .addOption(saveMap())
    .addOption(explain())
    .action(async (options) =>
      (await import('../convert/convert.js')).fromPeople({ ...options, system: 'json' }, output),
    );
}

function scimCommand(output: Output) {
  return intoOrganization('scim', 'a SCIM server', '/Users and /Groups, page by page')
    .requiredOption('--url <url>', 'address of the server, before /Users; https, except on this machine')
    .option('--token-file <file>', 'file with the token of the server, instead of SCIM_TOKEN')
    .option('--no-groups', 'read no groups')
    .addOption(map())
    .addOption(explain())
    .action(async (options) => (await import('../convert/from-scim.js')).fromScim(options, output));
}

function zitadelCommand(output: Output) {
  return conversion('zitadel', 'ZITADEL', 'POST /admin/v1/export')
    .requiredOption('--export <file>', 'answer of the export, as it is')
    .addOption(map())
    .addOption(explain())
    .action(async (options) => (await import('../convert/convert.js')).fromZitadel(options, output));
}

const map = () =>
  new Option(
    '--map <file>',
    'what becomes of each attribute, as /docs/mapping.schema.json of the service describes it',
  );

const saveMap = () =>
  new Option('--save-map <file>', 'write the mapping that is guessed without --map to a new file');

const explain = () =>
  new Option('--explain', 'show three records before and after, without their secrets, and write nothing');

const rpId = () =>
  new Option('--rp-id <host>', 'RP ID of the passkeys, such as the host of the login page that made them');

/** Returns the part of a conversion whose export names no organization of Muster. */
function intoOrganization(system: string, name: string, given: string) {
  return conversion(system, name, given).requiredOption('--org <id>', 'organization that gets the users');
}

/** Returns the part of a conversion that all systems share. */
function conversion(system: string, name: string, given: string) {
  return new MusterCommand(system)
    .summary(`convert an export of ${name} (${given})`)
    .description(
      'Converts an export into the body of an import. Prints the first 20 errors with their lines. If there is one, writes nothing; ' +
        '--skip-invalid leaves out the users with errors instead. The exit code is 1 if there were errors. Lists what reaches nothing.',
    )
    .option('--output <file>', 'file for the body of the import', './importBody.json')
    .option('--timeout <duration>', 'longest time that the import may take', '30m')
    .option('--multiline', 'write each user on a line of its own')
    .option('--email-verified', 'treat every e-mail address as verified')
    .option(
      '--strict',
      'write nothing if a value of the export reaches nothing, unless the mapping accepts that',
    )
    .addOption(dropHashes())
    .addOption(withoutCredentials())
    .addOption(secondFactors())
    .option('--skip-invalid', 'leave out what cannot be converted')
    .option(
      '--errors <file>',
      'file for every problem, as a line of JSON each; by default OUTPUT.problems.ndjson if there are more than 20',
    )
    .addOption(json());
}
