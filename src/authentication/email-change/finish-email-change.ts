import type { Editor } from '#src/audit/event.js';
import { foldCase, type MultiValue, type Organization } from '#src/directory/index.js';
import { sameSecretHash } from '#src/keys/secret-hash.js';
import { asInput, type ChangeUserDeps, changeUser } from '#src/people/users/index.js';
import { type EmailChangeDeps, emailCodeHash, emailSubjects } from './begin-email-change.js';

/** `ended`: no address waits, or too many codes were wrong. */
type FinishedEmailChange = 'changed' | 'wrong' | 'ended';

/**
 * Changes the primary address of a user to the one that waits, if the code is right. The address is then verified: the user read its
 * mail. One-time links that were mailed to the former address become invalid.
 * @throws the errors of {@link changeUser}
 */
export async function finishEmailChange(
  deps: ChangeUserDeps & EmailChangeDeps,
  request: { organization: Organization; id: string; code: string; editor: Editor },
): Promise<FinishedEmailChange> {
  const { organization, id, code, editor } = request;
  const pending = await deps.pendingEmails.begin(id);
  if (pending === undefined) return 'ended';
  const hash = emailCodeHash(id, code);
  if (hash === undefined || !sameSecretHash(hash, pending.hash)) return 'wrong';
  if (!(await deps.pendingEmails.take(id, hash))) return 'ended';
  const { email } = pending;
  await changeUser(deps, {
    organization,
    id,
    editor,
    change: (current) => ({
      profile: { ...asInput(current), emails: withPrimary(current.emails, email) },
      provenEmail: email,
    }),
    alongside: (transaction) => deps.oneTimeLinks.removeAllOf(id, transaction),
  });
  await Promise.all(emailSubjects(id, email).map((subject) => deps.codeAttempts.forget(subject)));
  return 'changed';
}

/** Replaces the primary address. The new one gets its type. */
function withPrimary(emails: readonly MultiValue[], email: string): MultiValue[] {
  const former = emails.find(({ primary }) => primary);
  const same = emails.find(({ value }) => foldCase(value) === foldCase(email));
  const type = (same ?? former)?.type;
  const others = emails.filter((one) => one !== former && one !== same);
  return [{ value: email, primary: true, ...(type !== undefined && { type }) }, ...others];
}
