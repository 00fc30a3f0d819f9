import { isJsonObject } from '#src/platform/json/json-object.js';
import type { ScimResource } from '../resources/scim-resource.js';
import type { PatchOperation } from './operation.js';

/**
 * `displayName` and `name.formatted` are one stored text. If the client sends neither, the directory makes it of given and
 * family name. This function removes the values that the client did not set, so that the directory makes them again. A
 * new `formatted` then takes effect, and a display name that was made of the old names follows the new names.
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
  const isNamed = operations.some(({ path }) => path.attribute.name === 'displayName');
  const wasMadeOfNames = before['displayName'] === `${nameBefore['givenName']} ${nameBefore['familyName']}`;
  const stays = displayName !== undefined && (isNamed || !(isNewFormatted || wasMadeOfNames));
  return {
    ...others,
    ...(stays && { displayName }),
    name: isNewFormatted ? { ...name, formatted } : name,
  };
}

function partsOfName({ name }: ScimResource): Record<string, unknown> {
  return isJsonObject(name) ? name : {};
}
