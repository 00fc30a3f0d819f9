import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { bucket, groups, json, serviceAccount, storage } from './shared.js';

export function initCommand(output: Output) {
  return new MusterCommand('init')
    .helpGroup(groups.server)
    .summary('create the first organization, administrator and token')
    .description(
      'On an empty database, creates the indexes, an organization, a human administrator, and a service user with the role ' +
        'IAM_OWNER and a personal access token. Writes them to the output file (mode 0600), or to standard output without one. If ' +
        'an owner exists, does nothing.',
    )
    .option('--output <file>', 'file for the results')
    .option('--org-name <name>', 'name of the organization', 'Muster')
    .option('--admin-user-name <name>', 'login name of the administrator', 'admin')
    .option('--admin-email <address>', 'e-mail address of the administrator', 'admin@example.com')
    .addOption(json())
    .action(async (options) => (await import('../server/init.js')).init(options, output));
}

export function startCommand() {
  return new MusterCommand('start')
    .helpGroup(groups.server)
    .summary('run API processes and workers')
    .description(
      'Runs API processes that share PORT, and workers. Starts a process again when it dies. SIGHUP replaces the processes one ' +
        'after another, without a failed request. SIGTERM ends them. The log is lines of JSON, with --json too.',
    )
    .option('--processes <count>', 'API processes', '1')
    .option('--workers <count>', 'workers', '1')
    .addOption(json())
    .action(async (options) => (await import('../server/start.js')).start(options));
}

export function upgradeCommand(output: Output) {
  return new MusterCommand('upgrade')
    .helpGroup(groups.server)
    .summary('prepare the database for this version')
    .description(
      'Prepares the database for this version while processes of the earlier version keep serving. Run it again with --finish ' +
        'when none of them is left: it drops what only they needed.',
    )
    .option('--finish', 'drop what only the earlier version needed')
    .addOption(json())
    .action(async (options) => (await import('../server/upgrade.js')).upgrade(options, output));
}

export function newMasterKeyCommand(output: Output) {
  return new MusterCommand('new-master-key')
    .helpGroup(groups.server)
    .summary('print a new key for MUSTER_MASTER_KEYS')
    .option('--id <id>', 'identifier of the key: 1 to 16 of A-Z a-z 0-9 _ -', 'k1')
    .addOption(json())
    .action(async (options) => (await import('../server/new-master-key.js')).newMasterKey(options, output));
}

export function resealCommand(output: Output) {
  return new MusterCommand('reseal')
    .helpGroup(groups.server)
    .summary('seal all secrets with the first master key')
    .description(
      'Seals all stored secrets again with the first of MUSTER_MASTER_KEYS. Says until when the other keys are still needed.',
    )
    .addOption(json())
    .action(async () => (await import('../server/reseal.js')).reseal(output));
}

export function recoverCommand(output: Output) {
  return new MusterCommand('recover')
    .helpGroup(groups.server)
    .summary('give an owner of the instance a way back')
    .description(
      'Without options, lists the owners of the instance. With one, makes a one-time link with which an owner, or a new one, sets a ' +
        'password. It asks for the login name first. Every session and token of the owner ends, and other owners see the event. It needs ' +
        'the settings of a process, with the right MUSTER_MASTER_KEYS, and a terminal. Processes may run meanwhile.',
    )
    .option('--owner <name>', 'login name or identifier of an owner')
    .option('--remove-second-factor', 'remove the second factor of this owner')
    .option(
      '--new-owner <name>',
      'login name of another person, who gets the role IAM_OWNER. The person is added if nobody has it',
    )
    .option('--org <id>', 'organization of the new owner, instead of that of the first owner')
    .option('--email <address>', 'e-mail address of the new owner')
    .addOption(json())
    .action(async (options) => (await import('../recover/recover.js')).recover(options, output));
}

export function doctorCommand(output: Output) {
  return new MusterCommand('doctor')
    .helpGroup(groups.server)
    .summary('check settings, stores, clock, mail and bucket')
    .description(
      'Checks what a server needs, with the settings of the environment, or else of the trial that make run runs in this folder, and says how ' +
        'to mend what is wrong. It changes nothing, but ' +
        'writes one small object if you name a bucket. The exit code is 1 if a check failed.',
    )
    .addOption(bucket())
    .option('--path <path>', 'object that the check writes', 'muster-doctor.txt')
    .addOption(storage())
    .addOption(serviceAccount())
    .addOption(json())
    .action(async (options) => (await import('../doctor/doctor.js')).doctor(options, output));
}
