import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { objectOf, objectsIn, textIn } from '../base/answers.js';
import { endWith } from '../base/exit-codes.js';
import { followJob, jobOf } from '../jobs/follow-job.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { adminPolicyPath, policyRequest, readPolicyFile } from './policy-file.js';

/** Runs `muster sign-in-policy try`. Sets the exit code of the process. */
export async function tryPolicy(
  orgId: string,
  options: ServiceOptions & { readonly file: string },
  output: Output,
): Promise<void> {
  const path = `${adminPolicyPath(orgId)}/trial`;
  const { version: _, ...policy } = await readPolicyFile(options.file);
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const trial = await trialOf(client, { path, policy, orgId }, output);
  output.print(trialLines(trial));
  output.result(trial);
  if (objectsIn(trial, 'administrators').some((one) => textIn(one, 'outcome') === 'lockedOut'))
    endWith('failed');
}

/** The answer of the service, or the result of the job that it began. @throws StartError if the job did not complete */
async function trialOf(
  client: AdminClient,
  { path, policy, orgId }: { path: string; policy: JsonObject; orgId: string },
  output: Output,
): Promise<JsonObject> {
  const response = await client.insist(path, policyRequest('POST', policy));
  if (response.status !== 202) return objectOf(response);
  const label = `Looking at the people of ${plainWord(orgId)}`;
  const { state, result } = await followJob(client, { jobId: jobOf(response), label }, output);
  if (state === 'completed' && isJsonObject(result)) return result;
  throw new StartError(`The trial ended as ${plainWord(state)}.`);
}

const outcomes: Readonly<Record<string, string>> = {
  mustEnrol: 'must set up a factor',
  lockedOut: 'locked out',
};

/** Returns what a policy would do, as lines for a person. */
export function trialLines(trial: JsonObject): string {
  const people = isJsonObject(trial['people']) ? trial['people'] : {};
  const count = (name: string) => Number(people[name] ?? 0);
  const administrators = objectsIn(trial, 'administrators').map((one) => [
    textIn(one, 'userName'),
    textIn(one, 'userId'),
    outcomes[textIn(one, 'outcome')] ?? textIn(one, 'outcome'),
  ]);
  const parts = [
    'Nothing was changed.',
    `${count('meets')} people meet the policy.`,
    `${count('mustEnrol')} must set up another factor by the day of a demand.`,
    `${count('lockedOut')} could not sign in at once.`,
    administrators.length === 0
      ? 'Everybody with a role in the organization meets it.'
      : `People with roles who do not meet it:\n${table(['login name', 'id', 'outcome'], administrators)}`,
    ...namesOf(trial, 'applications', 'Applications that people sign in to'),
    ...namesOf(trial, 'serviceUsers', 'Service users that may send passwords, which would be refused'),
  ];
  return parts.join('\n');
}

function namesOf(trial: JsonObject, list: string, title: string): string[] {
  const names = objectsIn(trial, list).map((one) => plainWord(textIn(one, 'name')));
  return names.length === 0 ? [] : [`${title}: ${names.join(', ')}`];
}
