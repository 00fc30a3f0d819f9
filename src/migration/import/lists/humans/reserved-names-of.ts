import type { Account } from '#src/accounts/index.js';
import { uniqueValueKeys } from '#src/directory/index.js';
import { reservedName } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';

/** The names that a user reserves in a dry run: see reservations.ts. */
export function reservedNamesOf(
  { orgId }: Pick<SectionContext, 'orgId'>,
  { user }: Account,
  kind: 'created' | 'updated',
): string[] {
  const { id, userName } = user;
  return [
    // The store has the others of a user that is updated.
    ...(kind === 'created' ? [reservedName.user(id), reservedName.humanUserOf(orgId, id)] : []),
    reservedName.userOf(orgId, id),
    reservedName.userName(orgId, userName),
    ...uniqueValueKeys(user).map((key) => reservedName.uniqueValue(orgId, key)),
  ];
}
