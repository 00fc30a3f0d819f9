import type { User, UserProfileInput } from '#src/directory/index.js';
import { Refusals } from '#src/platform/check-each.js';
import { scimErrors } from '../protocol/errors.js';
import { missingValue } from '../protocol/missing-value.js';
import { missingAttributes, parsePatchedUser } from '../resources/parse-user.js';
import { renderGiven } from '../resources/render-user.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import { applyPatch } from './apply-patch.js';
import type { PatchOperation } from './operation.js';

/** A user after a PATCH. */
interface PatchedUser {
  readonly profile: UserProfileInput;
  readonly password?: string;
  readonly passwordRemoved?: true;
}

/**
 * Applies PATCH operations to a user, then checks the resulting user as a whole (RFC 7644 section 3.5.2). Writes nothing.
 * @throws AppError with the scimType of the client's mistake
 */
export function applyPatchToUser(
  user: User,
  operations: readonly PatchOperation[],
  schema: ResourceSchema,
): PatchedUser {
  const before = renderGiven(user, schema);
  const refusals = new Refusals();
  const after = applyPatch(before, operations, refusals);
  // An attribute may have become required after the user was written.
  const missedBefore = new Set(missingAttributes(before, schema));
  const missing = missingAttributes(after, schema).filter((name) => !missedBefore.has(name));
  const unnamed = missing.filter((name) => !refusals.names(name));
  if (unnamed.length > 0) refusals.add(missingValue(unnamed, scimErrors.requiredRemoved));
  const { profile, password } = parsePatchedUser(after, schema, refusals);
  return {
    profile,
    ...(password !== undefined && { password }),
    ...(after['password'] === null && { passwordRemoved: true }),
  };
}
