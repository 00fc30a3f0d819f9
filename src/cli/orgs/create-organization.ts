import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';

/** Runs `muster orgs create`. */
export async function createOrganization(
  name: string,
  options: ServiceOptions & {
    readonly id?: string | undefined;
    readonly domain?: readonly string[] | undefined;
  },
  output: Output,
): Promise<void> {
  const { id, domain: domains } = options;
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const { body: added } = await client.read('/admin/v1/orgs', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ name, ...(id !== undefined && { id }), ...(domains && { domains }) }),
    // Another attempt after a broken connection could create a second organization.
    tries: 1,
  });
  output.print(plainWord(textIn(added, 'id')));
  output.result(added);
}
