import type { User } from '#src/directory/index.js';
import { parseUserResource } from '../resources/parse-user.js';
import { changeForCaller, type UserRequest } from './change-for-caller.js';
import type { ScimContext, ScimDeps } from './context.js';

/**
 * Replaces a user (RFC 7644 section 3.5.1). Attributes that the body lacks are cleared, except `active` and `password`,
 * which stay as they are.
 */
export async function replaceUser(
  deps: ScimDeps,
  context: ScimContext,
  { body, ...request }: UserRequest,
): Promise<User> {
  const { profile, password, activeGiven } = parseUserResource(body, context.userSchema);
  return changeForCaller(deps, context, {
    ...request,
    change: (current) => ({
      profile: activeGiven ? profile : { ...profile, active: current.active },
      ...(password !== undefined && context.ignoredPasswords !== 'always' && { password }),
    }),
  });
}
