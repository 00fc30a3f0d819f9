import type { Account } from '#src/accounts/index.js';
import { foldCase, primaryEmail, receivesMail } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import type { PendingEmailsStore } from '../email-change/index.js';
import type { LoginAttempts } from '../login-attempts.store.js';
import { newTypedCode, readTypedCode } from '../typed-code.js';

/** 40 random bits, and five tries. */
const codeLength = 8;

/** How many codes a person, and an address, get before a wait that doubles, up to a day. A right code begins the count anew. */
const mostMails = 3;

/** A sign-in at one browser, for which a code counts. Another browser cannot use it. */
export interface CodedSignIn {
  readonly account: Account;
  /** The hash of the browser that asks for the code. */
  readonly agentHash: string;
}

/** A code that the caller mails to the address, or why there is none. */
export type BegunMailCode =
  | { readonly kind: 'begun'; readonly email: string; readonly code: string }
  | { readonly kind: 'locked'; readonly retryAfterSeconds: number }
  | { readonly kind: 'noAddress' };

export interface MailCodeDeps {
  /** The codes that were mailed, for 15 minutes and five tries each. */
  readonly mailCodes: PendingEmailsStore;
  /** Its locks grow. So neither a person nor an address gets many mails, even in weeks. */
  readonly codeAttempts: LoginAttempts;
  readonly dailyMails: LoginAttempts;
}

/** The count of mails of the organization in a day. */
interface DayBound {
  readonly subject: string;
  readonly most: number;
}

/**
 * Makes a code for the second factor of a sign-in. It replaces the one that the browser asked for before. Returns the code this once. The
 * store has only its hash. A refused code counts nowhere, so that one person cannot use up the mails of the organization.
 */
export async function beginMailCode(
  { mailCodes, codeAttempts, dailyMails }: MailCodeDeps,
  signIn: CodedSignIn,
  day: DayBound,
): Promise<BegunMailCode> {
  const { user } = signIn.account;
  const email = primaryEmail(user)?.value;
  if (email === undefined || !receivesMail(user)) return { kind: 'noAddress' };
  const counts = [
    ...mailCodeSubjects(signIn.account, email).map((subject) => ({
      by: codeAttempts,
      subject,
      most: mostMails,
    })),
    { by: dailyMails, ...day },
  ];
  for (const [index, { by, subject, most }] of counts.entries()) {
    const { allowed, retryAfterSeconds } = await by.begin(subject, most);
    if (allowed) continue;
    await Promise.all(counts.slice(0, index).map((count) => count.by.takeBack(count.subject)));
    return { kind: 'locked', retryAfterSeconds };
  }
  const code = newTypedCode(codeLength);
  await mailCodes.put(mailCodeKey(signIn), { email, hash: mailCodeHash(signIn, code) ?? '' });
  return { kind: 'begun', email, code };
}

/** The name under which the store keeps the code of a sign-in. */
export function mailCodeKey({ account: { user }, agentHash }: CodedSignIn): string {
  return hashSecret(`${user.orgId} ${user.id} ${agentHash}`);
}

/** Returns the hash of a code as a person typed it. Undefined if the text cannot be a code. */
export function mailCodeHash(signIn: CodedSignIn, text: string): string | undefined {
  const code = readTypedCode(text, codeLength);
  return code === undefined ? undefined : hashSecret(`second factor ${mailCodeKey(signIn)} ${code}`);
}

/**
 * The names under which mails to a person and to an address are counted. Another organization that names the same address does not use up
 * those of this one.
 */
export function mailCodeSubjects({ user }: Account, email: string): string[] {
  return [`mail-code:${user.id}`, `mail-code-to:${hashSecret(`${user.orgId} ${foldCase(email)}`)}`];
}
