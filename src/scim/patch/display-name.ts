import { isJsonObject } from '../protocol/json.js';
import type { ScimResource } from '../resources/scim-resource.js';

/**
 * `displayName` and `name.formatted` are one stored text, made of given and family name when the client gives
 * neither. Leaves in a patched resource only what its client wrote, so that the directory makes the rest anew:
 * a new `formatted` takes effect, and a display name that was made of the old names follows the new ones.
 */
export function settleDisplayName(before: ScimResource, after: ScimResource): ScimResource {
  const { displayName, ...others } = after;
  const { formatted, ...name } = partsOf(after);
  const nameBefore = partsOf(before);
  const isNewFormatted = formatted !== undefined && formatted !== nameBefore['formatted'];
  const isNewDisplayName = displayName !== before['displayName'];
  const wasMadeOfNames = before['displayName'] === `${nameBefore['givenName']} ${nameBefore['familyName']}`;
  const keepsDisplayName = isNewDisplayName || !(isNewFormatted || wasMadeOfNames);
  return {
    ...others,
    ...(keepsDisplayName && displayName !== undefined && { displayName }),
    name: isNewFormatted ? { ...name, formatted } : name,
  };
}

function partsOf({ name }: ScimResource): Record<string, unknown> {
  return isJsonObject(name) ? name : {};
}
