import { requireText } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import type { GroupProfile } from './group.js';

/**
 * Returns the attributes of a group after checking them.
 * @throws AppError `directory.valueMissing`, `directory.valueInvalid`
 */
export function normalizeGroup({ displayName, externalId }: GroupProfile): GroupProfile {
  const name = requireName('displayName', displayName);
  if (externalId === undefined) return { displayName: name };
  requireText('externalId', externalId);
  return { displayName: name, externalId };
}
