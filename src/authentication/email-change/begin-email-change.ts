import { foldCase, requireEmail, type User } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { LoginAttempts } from '../login-attempts.store.js';
import { newTypedCode, readTypedCode } from '../typed-code.js';
import type { PendingEmailsStore } from './pending-emails.store.js';

/** 40 random bits, and five tries. */
const emailCodeLength = 8;

/** How many codes a user, and an address, get before they must wait. The wait doubles from then on, up to a day. */
const mostMails = 3;

/** A code that the caller mails to the address, or how long the user must wait. `isOfUser`: whether the codes of this user were too many. */
export type BegunEmailChange =
  | { readonly kind: 'begun'; readonly email: string; readonly code: string }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number; readonly isOfUser: boolean };

export interface EmailChangeDeps {
  readonly pendingEmails: PendingEmailsStore;
  /** Its locks grow. So neither a user nor an address gets many mails, even in weeks. */
  readonly codeAttempts: LoginAttempts;
}

/**
 * Begins a change of the primary address of a user, or the proof of the present one. Nothing changes until the user has entered the code
 * that was mailed to the address. Returns the code this once. The store has only its hash.
 * @throws AppError `directory.valueInvalid` if the text is no address
 */
export async function beginEmailChange(
  { pendingEmails, codeAttempts }: EmailChangeDeps,
  user: Pick<User, 'id'>,
  address: string,
): Promise<BegunEmailChange> {
  const email = requireEmail(address);
  for (const [index, subject] of emailSubjects(user.id, email).entries()) {
    const { allowed, retryAfterSeconds } = await codeAttempts.begin(subject, mostMails);
    if (!allowed) return { kind: 'locked', retryAfterSeconds, isOfUser: index === 0 };
  }
  const code = newTypedCode(emailCodeLength);
  await pendingEmails.put(user.id, { email, hash: emailCodeHash(user.id, code) ?? '' });
  return { kind: 'begun', email, code };
}

/** Returns the hash of a code as a user typed it. Undefined if the text cannot be a code. */
export function emailCodeHash(userId: string, text: string): string | undefined {
  const code = readTypedCode(text, emailCodeLength);
  return code === undefined ? undefined : hashSecret(`email ${userId} ${code}`);
}

/** The names under which mails to a user and to an address are counted. */
export function emailSubjects(userId: string, email: string): string[] {
  return [`email-change:${userId}`, `mail-to:${hashSecret(foldCase(email))}`];
}
