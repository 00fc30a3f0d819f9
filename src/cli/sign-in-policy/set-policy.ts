import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { Refused } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { adminPolicyPath, policyRequest, readPolicyFile } from './policy-file.js';
import { policyLines } from './policy-lines.js';

/** Runs `muster sign-in-policy set`. */
export async function setPolicy(
  orgId: string,
  options: ServiceOptions & { readonly file: string },
  output: Output,
): Promise<void> {
  const path = adminPolicyPath(orgId);
  const policy = await readPolicyFile(options.file);
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const { body: stored } = await client.read(path, policyRequest('PUT', policy)).catch((error: unknown) => {
    if (error instanceof Refused && error.errorId === 'directory.lastAbleOwner')
      output.note('Nothing was changed. `muster sign-in-policy try` names the owners who do not meet it.');
    throw error;
  });
  output.note('The policy was saved.');
  output.print(policyLines(stored));
  output.result(stored);
}
