import { StartError } from '#src/platform/start-error.js';
import type { AdminClient } from '../base/admin-client.js';
import { plainWord } from '../terminal/plain-text.js';
import { organizationsToSearch } from './organizations.js';
import { nameOf, type SeenUser, searchUsers } from './seen-user.js';

/** More users with one name or address are not told apart here. */
const mostNamed = 20;

/**
 * Returns the users with this identifier, login name or e-mail address. As at the login page, the primary domain or the identifier of the
 * organization may stand behind the login name.
 */
export async function usersNamed(
  client: AdminClient,
  text: string,
  org: string | undefined,
): Promise<SeenUser[]> {
  const name = text.trim();
  const found: SeenUser[] = [];
  for (const { id, domain } of await organizationsToSearch(client, org)) {
    const places = [id, domain].filter((place) => place !== '');
    const names = [name, ...places.flatMap((place) => withoutPlace(name, place))];
    const filter = [`id eq ${JSON.stringify(name)}`, `emails.value eq ${JSON.stringify(name)}`]
      .concat(names.map((one) => `userName eq ${JSON.stringify(one)}`))
      .join(' or ');
    found.push(...(await searchUsers(client, id, { filter, count: mostNamed })));
  }
  return found;
}

function withoutPlace(name: string, place: string): string[] {
  const suffix = `@${place}`.toLowerCase();
  return name.toLowerCase().endsWith(suffix) ? [name.slice(0, -suffix.length)] : [];
}

/**
 * Returns the one user with this identifier, login name or e-mail address.
 * @throws StartError if there is none, or several
 */
export async function requireUser(
  client: AdminClient,
  text: string,
  org: string | undefined,
): Promise<SeenUser> {
  const found = await usersNamed(client, text, org);
  const [first, ...others] = found;
  if (first === undefined)
    throw new StartError(`Nobody has the name, address or identifier ${plainWord(text)}.`);
  if (others.length === 0) return first;
  const list = found.map((user) => `  ${nameOf(user)}, organization ${plainWord(user.orgId)}`);
  throw new StartError(
    `${found.length} users have this name. Give the identifier of one:\n${list.join('\n')}`,
  );
}
