import { foldCase, primaryEmail, receivesMail } from '#src/directory/index.js';
import { sameSecretHash } from '#src/keys/secret-hash.js';
import { codeSubject } from '../attempt-subjects.js';
import { type CheckDeps, knownSince } from '../check-password.js';
import { type CheckOutcome, checkWithinLimits } from '../check-within-limits.js';
import { type CheckOrigin, type EarlierSignIn, recordCheck } from '../record-check.js';
import {
  type CodedSignIn,
  type MailCodeDeps,
  mailCodeHash,
  mailCodeKey,
  mailCodeSubjects,
} from './mail-code.js';

type CheckMailCodeDeps = Omit<CheckDeps, 'passwords' | 'caches'> & MailCodeDeps;

/** The outcome of a check. `ended`: no code waits at this browser, which counts as no try. */
type MailCodeOutcome =
  | { readonly kind: 'right' | 'wrong' | 'ended' }
  | Extract<CheckOutcome, { readonly kind: 'locked' }>;

/** A mailed code that a person typed. */
interface TypedMailCode extends CodedSignIn, CheckOrigin {
  readonly code: string;
  /** The latest sign-in of the person at this browser, if there was one. */
  readonly earlier?: EarlierSignIn | undefined;
}

/**
 * Checks a code that was mailed to the person. It counts once, at the browser that asked for it, and only while the address is that of the
 * person. Wrong codes count together with those of an authenticator app, in all browsers and processes, and lock the person for longer and
 * longer.
 */
export async function checkMailCode(deps: CheckMailCodeDeps, typed: TypedMailCode): Promise<MailCodeOutcome> {
  const { account, agentHash: _agentHash, code: _code, earlier, ...from } = typed;
  const { user } = account;
  const pending = await deps.mailCodes.find(mailCodeKey(typed));
  if (pending === undefined || !isPresentAddress(typed, pending.email)) return { kind: 'ended' };
  const address = knownSince(account, earlier) ? undefined : from.address;
  const counted = { shown: codeSubject(user.id), by: deps.codeAttempts, address };
  const { outcome, last } = await checkWithinLimits(deps, counted, () => takeMailCode(deps, typed));
  deps.measures?.loginChecked('code', outcome.kind);
  if (outcome.kind === 'right') {
    const subjects = mailCodeSubjects(account, pending.email);
    await Promise.all(subjects.map((subject) => deps.codeAttempts.forget(subject)));
    await recordCheck(deps, user, { happened: ['user.human.mfa.mail.check.succeeded'], from });
    return { kind: 'right' };
  }
  if (outcome.kind === 'wrong') {
    const failed = 'user.human.mfa.mail.check.failed';
    const happened = last ? ([failed, 'user.locked'] as const) : ([failed] as const);
    await recordCheck(deps, user, { happened, from, reason: 'codeWrong' });
  }
  return outcome;
}

function isPresentAddress({ account: { user } }: CodedSignIn, email: string): boolean {
  const present = primaryEmail(user)?.value;
  return present !== undefined && receivesMail(user) && foldCase(present) === foldCase(email);
}

async function takeMailCode({ mailCodes }: MailCodeDeps, typed: TypedMailCode): Promise<boolean> {
  const key = mailCodeKey(typed);
  const waiting = await mailCodes.begin(key);
  const hash = mailCodeHash(typed, typed.code);
  if (waiting === undefined || hash === undefined || !sameSecretHash(hash, waiting.hash)) return false;
  return mailCodes.take(key, hash);
}
