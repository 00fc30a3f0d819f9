import type { ExtensionSchemas, User } from '#src/directory/index.js';

/** The name of the claim, and of the scope that asks for it. */
export const extensionsClaim = 'urn:service:iam:user:extensions';

/** Servers and browsers limit the length of headers and addresses, in which tokens travel. */
const mostBytes = 8_192;

/**
 * The claim with the values of the attributes that the organization has registered: an object for each schema, under its URN. At most
 * 8 KiB of JSON. If there are more, `…:truncated` is true. Absent if the user has no value.
 */
export function extensionClaims(
  user: User,
  registered: ExtensionSchemas | undefined,
): Record<string, unknown> {
  if (user.extensions === undefined || registered === undefined) return {};
  const claim: Record<string, Record<string, unknown>> = {};
  let bytes = 0;
  for (const { id, attributes } of registered.schemas) {
    for (const { name, key } of attributes) {
      const value = user.extensions[key];
      if (value === undefined) continue;
      bytes += Buffer.byteLength(JSON.stringify({ [name]: value })) + (claim[id] ? 0 : id.length + 6);
      if (bytes > mostBytes) return { [extensionsClaim]: claim, [`${extensionsClaim}:truncated`]: true };
      claim[id] = { ...claim[id], [name]: value };
    }
  }
  return bytes === 0 ? {} : { [extensionsClaim]: claim };
}
