import { StartError } from '#src/platform/start-error.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { table } from '../terminal/table.js';
import { organizationsToSearch } from './organizations.js';
import { type SeenUser, searchUsers } from './seen-user.js';

export interface UserOptions extends ServiceOptions {
  readonly org?: string | undefined;
}

const mostFound = 100;
const searched = ['userName', 'emails.value', 'name.familyName', 'name.givenName'];

/** Runs `muster users find`. Sets the exit code of the process. */
export async function find(
  text: string,
  options: UserOptions & { readonly limit: string },
  output: Output,
): Promise<void> {
  const limit = readLimit(options.limit);
  if (text.trim() === '') throw new StartError('The text to find is empty.');
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const value = JSON.stringify(text.trim());
  const filter = [`id eq ${value}`, ...searched.map((name) => `${name} sw ${value}`)].join(' or ');
  const found: SeenUser[] = [];
  for (const { id: orgId } of await organizationsToSearch(client, options.org)) {
    // One more than is shown, to know whether there are more.
    const count = limit + 1 - found.length;
    if (count > 0) found.push(...(await searchUsers(client, orgId, { filter, count })));
  }
  const shown = found.slice(0, limit);
  if (shown.length === 0) output.note('Nobody is found.');
  else output.print(table(head, shown.map(rowOf)));
  if (found.length > limit) output.note(`There are more. --limit prints up to ${mostFound}.`);
  output.result({ users: shown, hasMore: found.length > limit });
  if (shown.length === 0) endWith('failed');
}

const head = ['id', 'login name', 'name', 'e-mail address', 'state', 'organization'];

function rowOf({ id, userName, displayName, email, active, orgId }: SeenUser): string[] {
  return [id, userName, displayName, email, active ? 'active' : 'inactive', orgId];
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= mostFound) return limit;
  throw new StartError(`--limit is a number from 1 to ${mostFound}.`);
}
