import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import {
  baseUrl,
  bucket,
  dropHashes,
  each,
  external,
  groups,
  json,
  objectPath,
  ownerOf,
  serviceAccount,
  storage,
  tokenFile,
  urlFile,
  withoutCredentials,
} from './shared.js';

export function importCommand(output: Output) {
  return new MusterCommand('import')
    .helpGroup(groups.migration)
    .summary('send an import and follow it to its end')
    .description(
      'Sends a file as an import and follows the import to its end. The file is the body of an import, what muster export wrote, an array of ' +
        'organizations, or one organization or record on each line. After an interruption, the same command finds the import again. ' +
        'Otherwise it sends the file again, and users that exist are skipped. With --update, they take over the attributes that the file ' +
        'mentions. Prints the first errors. The exit code is 1 if a record ' +
        'was not imported. Names the values that the import had no use for. With --bucket or --url-file, the service reads the object of a bucket or an https ' +
        'address instead. With --owner-of, the owner of an organization imports into that organization alone.',
    )
    .argument('[file]', 'body of an import, export, array or lines; may be compressed with gzip or zstd')
    .option('--dry-run', 'say what an import would do, and change nothing')
    .option('--strict', 'make it an error when a record has values that the import has no use for')
    .option(
      '--update',
      'let what exists take over the values of the file, for a last delta before the cut-over',
    )
    .addOption(dropHashes())
    .addOption(withoutCredentials())
    .option('--errors <file>', 'file for every error, as a line of JSON each')
    .option('--timeout <duration>', 'longest time that the import may take, if the file is no body (24h)')
    .addOption(ownerOf())
    .addOption(bucket())
    .addOption(objectPath())
    .addOption(urlFile())
    .addOption(external())
    .addOption(storage())
    .addOption(serviceAccount())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (file, options) => (await import('../jobs/import.js')).importFile(file, options, output));
}

export function verifyCommand(output: Output) {
  return new MusterCommand('verify')
    .helpGroup(groups.migration)
    .summary('compare the body of an import with what the service has')
    .description(
      'Compares each attribute of each record of the file with what the service has, and changes nothing. Counts the records that are ' +
        'the same, missing or different, those that the service refuses, and what the organizations have beside the file (extra). Names the ' +
        'attributes that differ, never their values. Two digests, of the file and of the service, are equal only if both have the same. ' +
        'With --bucket or --url-file, the service reads the object of a bucket or an https address instead. ' +
        'With --owner-of, the owner of an organization compares a file with that organization alone. ' +
        'With --passwords, says for each sample whether the stored hash confirms the password; nobody is signed in or locked. The exit code ' +
        'is 1 unless all records are the same and all samples are confirmed.',
    )
    .argument('[file]', 'as in muster import')
    .addOption(dropHashes())
    .addOption(withoutCredentials())
    .option('--extra', 'name what the organizations have beside the file, and make it an error')
    .option(
      '--passwords <file>',
      'samples: a login name, a tab or space, and its password on each line; at most 1,000',
    )
    .option('--org <id>', 'organization in which the login names are looked up (as at the login page)')
    .option('--timeout <duration>', 'longest time that the comparison may take, if the file is no body (24h)')
    .option('--differences <file>', 'file for every difference, as a line of JSON each')
    .addOption(ownerOf())
    .addOption(bucket())
    .addOption(objectPath())
    .addOption(urlFile())
    .addOption(external())
    .addOption(storage())
    .addOption(serviceAccount())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (file, options) => (await import('../jobs/verify.js')).verifyFile(file, options, output));
}

export function migrateCommand(output: Output) {
  return new MusterCommand('migrate')
    .helpGroup(groups.migration)
    .summary('plan a migration')
    .addCommand(planCommand(output));
}

function planCommand(output: Output) {
  return new MusterCommand('plan')
    .summary('say what a migration will need, lose and take, and its steps')
    .description(
      'Reads a file as muster import takes it, and prints the steps of the migration. It counts the records of each list, the password hashes of ' +
        'each kind, and the people who need a link. A dry run tells what the service would refuse, and what would reach nothing. For the time, at most 2,000 invented people are imported into an organization of their own, which is ' +
        'removed at once. No mail is sent.',
    )
    .argument('<file>', 'file that muster import takes')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (file, options) => (await import('../jobs/plan.js')).planMigration(file, options, output));
}

export function exportCommand(output: Output) {
  return new MusterCommand('export')
    .helpGroup(groups.migration)
    .summary('write organizations to a file or a bucket')
    .description(
      'Writes all organizations, or the named ones, to a file (mode 0600), to an object of a bucket, or to both. The file appears when it ' +
        'is complete. After an interruption, the same command finds the export again. With --owner-of, the owner of an organization exports that organization, without hashes and secrets.',
    )
    .option('--output <file>', 'file for the export')
    .option('--org <id>', 'organization to export; may be repeated', each, [] as string[])
    .option('--exclude-org <id>', 'organization to leave out; may be repeated', each, [] as string[])
    .option('--with-passwords', 'export password hashes too')
    .option('--with-otp', 'export second factors too')
    .option('--passkeys', 'export only the passkeys, which no other export has; muster import takes the file')
    .option('--timeout <duration>', 'longest time that the export may take', '30m')
    .addOption(ownerOf())
    .addOption(bucket())
    .addOption(objectPath())
    .addOption(storage())
    .addOption(serviceAccount())
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (options) => (await import('../jobs/export.js')).exportFile(options, output));
}
