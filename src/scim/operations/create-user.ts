import { profileWrittenBy, type User } from '#src/directory/index.js';
import { addUser, type UserDraft } from '#src/people/users/index.js';
import { parseUserResource } from '../resources/parse-user.js';
import type { ScimContext, ScimDeps } from './context.js';

/** Reads the body of a creation (RFC 7644 section 3.3). */
export function parseCreation(context: ScimContext, body: unknown): UserDraft {
  const { profile: given, password } = parseUserResource(body, context.userSchema);
  const profile = profileWrittenBy(given, { client: context.connectionClient });
  return password === undefined || context.ignoredPasswords !== 'never' ? { profile } : { profile, password };
}

/** Creates a user (RFC 7644 section 3.3). */
export async function createUser(deps: ScimDeps, context: ScimContext, body: unknown): Promise<User> {
  const { organization, editor } = context;
  const user = await addUser(deps, { organization, draft: parseCreation(context, body), editor });
  await deps.userCounter.changed(organization.id);
  return user;
}
