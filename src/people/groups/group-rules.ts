import { requireText } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import type { GroupProfile } from './group.js';

/**
 * Returns the attributes of a group after checking them.
 * @throws AppError `directory.valueMissing`, `directory.valueInvalid`
 */
export function normalizeGroup({ displayName, externalId }: GroupProfile): GroupProfile {
  if (externalId === undefined) return { displayName: requireName('displayName', displayName) };
  const { name } = checkEach({
    name: () => requireName('displayName', displayName),
    externalId: () => requireText('externalId', externalId),
  });
  return { displayName: name, externalId };
}
