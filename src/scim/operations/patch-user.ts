import { changeUser } from '#src/directory/users/change-user.js';
import type { User } from '#src/directory/users/user.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { applyPatchToUser } from '../patch/apply-patch-to-user.js';
import { parsePatch } from '../patch/parse-patch.js';
import { requireOverCredentials, type ScimContext, type ScimDeps } from './context.js';

/** Changes parts of a user (RFC 7644 section 3.5.2). Applies all operations or none. */
export async function patchUser(
  deps: ScimDeps,
  context: ScimContext,
  request: { id: string; body: unknown; alongside?: (transaction: Transaction, user: User) => Promise<void> },
): Promise<User> {
  const { id, alongside } = request;
  const operations = parsePatch(request.body);
  const user = await changeUser(deps, {
    organization: context.organization,
    id,
    editor: context.editor,
    change: (current) => {
      const { profile, password, passwordRemoved } = applyPatchToUser(current, operations);
      if (passwordRemoved) return { profile, password: null };
      return password === undefined ? { profile } : { profile, password };
    },
    beforeCredentials: () => requireOverCredentials(deps, context, id),
    ...(alongside && { alongside }),
  });
  await deps.userCounter.changed(context.organization.id);
  return user;
}
