import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';

/** Who has a login name, and whom it means at the login page. */
export interface NameHolders {
  /** The identifier of the user who is meant. '' if nobody is. */
  readonly meant: string;
  readonly holders: readonly NameHolder[];
}

interface NameHolder {
  readonly id: string;
  readonly orgId: string;
  readonly userName: string;
  readonly displayName: string;
  /** The name of the organization. '' if it is being removed. */
  readonly orgName: string;
}

/**
 * Asks for the users with a login name in all organizations.
 * @returns undefined if the token is not of an owner of the instance
 */
export async function nameHolders(client: AdminClient, loginName: string): Promise<NameHolders | undefined> {
  const { status, body: found } = await client.read('/admin/v1/login-names/_search', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify({ loginName }),
    accepted: [403],
  });
  if (status === 403) return undefined;
  const { meant } = found;
  const holders = objectsIn(found, 'holders').map((holder) => ({
    id: textIn(holder, 'userId'),
    orgId: textIn(holder, 'orgId'),
    userName: textIn(holder, 'userName'),
    displayName: textIn(holder, 'displayName'),
    orgName: textIn(holder, 'orgName'),
  }));
  return {
    meant: typeof meant === 'object' && meant !== null ? textIn({ ...meant }, 'userId') : '',
    holders,
  };
}
