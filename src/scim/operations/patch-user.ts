import type { User } from '#src/directory/index.js';
import { applyPatchToUser } from '../patch/apply-patch-to-user.js';
import { parsePatch } from '../patch/parse-patch.js';
import { changeForCaller, type UserRequest } from './change-for-caller.js';
import type { ScimContext, ScimDeps } from './context.js';

/** Changes parts of a user (RFC 7644 section 3.5.2). Applies all operations or none. */
export async function patchUser(
  deps: ScimDeps,
  context: ScimContext,
  { body, ...request }: UserRequest,
): Promise<User> {
  const operations = parsePatch(body, context.userSchema);
  return changeForCaller(deps, context, {
    ...request,
    change: (current) => {
      const { profile, password, passwordRemoved } = applyPatchToUser(
        current,
        operations,
        context.userSchema,
      );
      if (context.ignoredPasswords === 'always') return { profile };
      if (passwordRemoved) return { profile, password: null };
      return password === undefined ? { profile } : { profile, password };
    },
  });
}
