import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import { adminPolicyPath } from './policy-file.js';
import { policyLines } from './policy-lines.js';

/** Runs `muster sign-in-policy show`. */
export async function showPolicy(orgId: string, options: ServiceOptions, output: Output): Promise<void> {
  const path = adminPolicyPath(orgId);
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const { body: policy } = await client.read(path);
  output.print(policyLines(policy));
  output.result(policy);
}
