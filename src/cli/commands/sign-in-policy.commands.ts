import { MusterCommand } from '../base/command.js';
import type { Output } from '../terminal/output.js';
import { baseUrl, groups, json, tokenFile } from './shared.js';

export function signInPolicyCommand(output: Output) {
  return new MusterCommand('sign-in-policy')
    .helpGroup(groups.people)
    .summary('read, try and set how the people of an organization must sign in')
    .addCommand(showCommand(output))
    .addCommand(tryCommand(output))
    .addCommand(setCommand(output));
}

const owner = 'The token must be of an owner of the organization.';
const fileDescription =
  'JSON file with the whole policy, as `show --json` prints it and /docs/guides/sign-in-policy describes it. - reads standard input';

function showCommand(output: Output) {
  return new MusterCommand('show')
    .summary('print the policy')
    .description(
      'Prints the sign-in policy of an organization. What it does not name is as the service has it.',
    )
    .argument('<org>', 'identifier of the organization')
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, options) =>
      (await import('../sign-in-policy/show-policy.js')).showPolicy(orgId, options, output),
    );
}

function tryCommand(output: Output) {
  return new MusterCommand('try')
    .summary('say what a policy would do, and change nothing')
    .description(
      `Says how many people meet the policy, how many must set up another factor, and whom it would lock out at once. Waits for the answer if the service must look at many people. The exit code is 1 if somebody with a role would be locked out. ${owner}`,
    )
    .argument('<org>', 'identifier of the organization')
    .requiredOption('--file <file>', fileDescription)
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, options) =>
      (await import('../sign-in-policy/try-policy.js')).tryPolicy(orgId, options, output),
    );
}

function setCommand(output: Output) {
  return new MusterCommand('set')
    .summary('replace the policy')
    .description(
      `Replaces the sign-in policy of an organization. Try it first. With \`version\` in the file, only the policy of that version is replaced. A policy under which no owner could sign in is refused. ${owner}`,
    )
    .argument('<org>', 'identifier of the organization')
    .requiredOption('--file <file>', fileDescription)
    .addOption(baseUrl())
    .addOption(tokenFile())
    .addOption(json())
    .action(async (orgId, options) =>
      (await import('../sign-in-policy/set-policy.js')).setPolicy(orgId, options, output),
    );
}
