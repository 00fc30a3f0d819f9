import { newId } from '#src/platform/ids.js';
import type { Rooms } from '#src/rooms.js';
import type { ScimClient } from './scim-client.js';

/** The most characters of one value of `roles`. */
const valueLength = 480;

/**
 * Adds users with as much text as one may have, or with less.
 * @param given the text of each user, in characters. `character` fills it: one with three bytes makes a user three times as large.
 * `profile` returns more attributes of the n-th user
 * @returns the identifiers, in the order of the numbers
 */
export async function addLargeUsers(
  container: Rooms,
  scim: ScimClient,
  given: {
    readonly count: number;
    readonly text?: number;
    readonly character?: string;
    readonly profile?: (n: number) => object;
  },
): Promise<string[]> {
  const { count, text = 60_000, character = 'x', profile = () => ({}) } = given;
  const name = newId();
  const { orgId } = scim;
  const { id: madeId } = await scim.create({
    userName: `${name}-made`,
    roles: Array.from({ length: Math.floor(text / valueLength) }, (_, n) => ({
      value: `${n} ${character.repeat(valueLength)}`.slice(0, valueLength),
    })),
  });
  const made = await container.users.find(orgId, madeId);
  if (made === undefined) throw new Error('The user is not there');
  const users = Array.from({ length: count }, (_, n) => ({
    user: { ...made, id: newId(), userName: `${name}-${n}`, ...profile(n) },
  }));
  const together = Math.max(1, Math.floor(3_000_000 / (1_500 + 3 * text)));
  for (let from = 0; from < count; from += together) {
    const some = users.slice(from, from + together);
    await container.mongo.transaction((transaction) => container.users.insert(orgId, some, transaction));
  }
  await scim.delete(`/Users/${madeId}`);
  return users.map(({ user }) => user.id);
}
