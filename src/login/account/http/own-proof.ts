import type { FastifyReply } from 'fastify';
import { type CheckOutcome, checkPassword } from '#src/authentication/index.js';
import { checkSecondFactor } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import type { Html } from '#src/http/pages/html.js';
import { answerLocked } from '../../http/locked.js';
import { originOf } from '../../http/origin.js';
import { passwordField } from '../../http/password-field.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { type Member, signInOf } from './member.js';

/** The messages about the proofs in a form of the account pages, by field. */
export interface ProofErrors {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** Checks the present password in a form of the account pages. Returns what is wrong. A lock sets the status. */
export async function checkOwnPassword(
  deps: Pick<
    LoginNeeds,
    'accounts' | 'caches' | 'clock' | 'config' | 'events' | 'logger' | 'loginAttempts' | 'passwords'
  >,
  { request, reply }: HttpExchange,
  member: Member,
): Promise<string | undefined> {
  const { account, visit } = member;
  const outcome = await checkPassword(deps, {
    account,
    loginName: account.user.userName,
    password: formText(request.body, 'password'),
    earlier: signInOf(member),
    ...originOf(request),
  });
  return errorOf(reply, outcome, { visit, wrong: visit.texts.wrongCurrentPassword });
}

/**
 * Checks the password, then the one-time code or recovery code, in a form of the account pages. A wrong password uses up no code.
 * Returns what is wrong. A lock sets the status.
 */
export async function checkOwnProofs(
  deps: Pick<
    LoginNeeds,
    | 'accounts'
    | 'caches'
    | 'clock'
    | 'codeAttempts'
    | 'config'
    | 'events'
    | 'logger'
    | 'loginAttempts'
    | 'passwords'
    | 'totpSealer'
  >,
  exchange: HttpExchange,
  member: Member,
): Promise<ProofErrors> {
  const password = await checkOwnPassword(deps, exchange, member);
  if (password !== undefined) return { password };
  const code = await checkOwnCode(deps, exchange, member);
  return code === undefined ? {} : { code };
}

/**
 * Like {@link checkOwnProofs}. A person whose password does not sign in proves the code alone: the caller has made sure that this person signed in a
 * moment ago.
 */
export async function checkHeldProofs(
  deps: Parameters<typeof checkOwnProofs>[0],
  exchange: HttpExchange,
  member: Member,
): Promise<ProofErrors> {
  if (member.hasPassword) return checkOwnProofs(deps, exchange, member);
  const code = await checkOwnCode(deps, exchange, member);
  return code === undefined ? {} : { code };
}

/**
 * Checks the one-time code or recovery code in a form of the account pages. Call it when all else is right, because it uses up the code.
 * Returns what is wrong. A lock sets the status.
 */
export async function checkOwnCode(
  deps: Pick<
    LoginNeeds,
    'accounts' | 'clock' | 'codeAttempts' | 'config' | 'events' | 'logger' | 'loginAttempts' | 'totpSealer'
  >,
  { request, reply }: HttpExchange,
  member: Member,
): Promise<string | undefined> {
  const { account, visit } = member;
  const code = formText(request.body, 'code');
  const earlier = signInOf(member);
  const outcome = await checkSecondFactor(deps, { account, code, earlier, ...originOf(request) });
  return errorOf(reply, outcome, { visit, wrong: visit.texts.wrongCode });
}

function errorOf(
  reply: FastifyReply,
  outcome: CheckOutcome,
  { visit, wrong }: { visit: Member['visit']; wrong: string },
): string | undefined {
  if (outcome.kind === 'right') return undefined;
  return outcome.kind === 'wrong' ? wrong : answerLocked(reply, visit.language, outcome);
}

/** The field for the present password. Nothing for a person whose password does not sign in. */
export function ownPasswordField(
  { visit: { texts: t }, hasPassword }: Member,
  error: string | undefined,
): Html | false {
  if (!hasPassword) return false;
  return passwordField(t, {
    name: 'password',
    label: t.currentPassword,
    autocomplete: 'current-password',
    error,
    isFocused: error !== undefined,
  });
}

/** The field for a one-time code or a recovery code. */
export function ownCodeField({ visit: { texts: t } }: Member, error: string | undefined): Html {
  const label = t.eitherCode;
  const isFocused = error !== undefined;
  return field({ name: 'code', label, autocomplete: 'one-time-code', isTypedCode: true, error, isFocused });
}
