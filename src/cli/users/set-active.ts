import { openAdminClient } from '../base/admin-client.js';
import type { Output } from '../terminal/output.js';
import type { UserOptions } from './find.js';
import { requireUser } from './require-user.js';
import { nameOf, patchActive } from './seen-user.js';

/** Runs `muster users enable` and `muster users disable`. */
export async function setActive(
  { user: text, active }: { readonly user: string; readonly active: boolean },
  options: UserOptions,
  output: Output,
): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const user = await requireUser(client, text, options.org);
  const isChanged = user.active !== active;
  if (isChanged) await patchActive(client, user, active);
  output.print(`${nameOf(user)}, ${isChanged ? 'is' : 'was already'} ${active ? 'active' : 'inactive'}.`);
  output.result({ ...user, active, changed: isChanged });
}
