import { openAdminClient } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import type { UserOptions } from './find.js';
import { requireUser } from './require-user.js';
import { nameOf } from './seen-user.js';
import { adminUserPath } from './sign-in-state.js';

/** Runs `muster users unlock`. */
export async function unlock(text: string, options: UserOptions, output: Output): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const user = await requireUser(client, text, options.org);
  await client.insist(`${adminUserPath(user)}/unlock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => '{}',
  });
  output.print(`${nameOf(user)}, is not locked.`);
  output.result({ ...user, unlocked: true });
}
