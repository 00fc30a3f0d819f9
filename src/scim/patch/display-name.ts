import { isJsonObject } from '#src/platform/json/json-object.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { PatchOperation } from './operation.js';

/**
 * `displayName` and `name.formatted` are one stored text, made of given and family name when the client gives
 * neither. Leaves in a patched resource only what its client meant, so that the directory makes the rest anew:
 * a new `formatted` takes effect, and a display name that was made of the old names follows the new ones.
 */
export function settleDisplayName(
  before: ScimResource,
  after: ScimResource,
  operations: readonly PatchOperation[],
): ScimResource {
  const { displayName, ...others } = after;
  const { formatted, ...name } = partsOfName(after);
  const nameBefore = partsOfName(before);
  const isNewFormatted = formatted !== undefined && formatted !== nameBefore['formatted'];
  const isSpokenOf = operations.some(({ path }) => path.attribute.name === 'displayName');
  const wasMadeOfNames = before['displayName'] === `${nameBefore['givenName']} ${nameBefore['familyName']}`;
  const stays = displayName !== undefined && (isSpokenOf || !(isNewFormatted || wasMadeOfNames));
  return {
    ...others,
    ...(stays && { displayName }),
    name: isNewFormatted ? { ...name, formatted } : name,
  };
}

function partsOfName({ name }: ScimResource): Record<string, unknown> {
  return isJsonObject(name) ? name : {};
}
