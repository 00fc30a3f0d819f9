import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { finishEmailChange } from '#src/authentication/email-change/index.js';
import { allowedFirstFactors, allowedSecondFactors, type User } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { countAttempt } from '../../http/count-attempt.js';
import { answerLocked } from '../../http/locked.js';
import { showVisit } from '../../http/pages.js';
import { type FormRefusal, readRefusal } from '../../http/refused-form.js';
import { loginToAccount } from '../../http/to-account.js';
import type { Mailer } from '../../mail/mail.js';
import type { LoginNeeds } from '../../needs/needs.js';
import {
  accountAddress,
  type Member,
  readMemberPost,
  readSignedInMember,
  refuseMember,
} from '../http/member.js';
import { checkOwnPassword } from '../http/own-proof.js';
import { goToAccount } from '../http/show-account.js';
import { confirmAddress, isFreshMember, mayProve } from '../passkeys/fresh-member.js';
import { emailCodePage, emailPage } from './email-pages.js';
import { sendEmailCode } from './send-email-code.js';

/** What these routes use. */
type Needs = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'mongo'
  | 'oneTimeLinks'
  | 'passwords'
  | 'pendingEmails'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'batchChangedUser'
>;

/** What the functions of the forms use: the needs, and the mailer, without which these routes do not exist. */
interface Deps extends Needs {
  readonly mailer: Mailer;
}

const changePath = '/account/email';
const confirmPath = '/account/email/confirm';

/**
 * The pages on which a person changes the e-mail address, or proves to read its mail. A code goes to the new address. The person enters it
 * where the person is signed in, so that a typing error gives a stranger nothing.
 */
export function emailRoutes(needs: Needs, mailer: Mailer): FastifyPluginAsync {
  const deps: Deps = { ...needs, mailer };
  const login = loginToAccount(needs);
  return async (app) => {
    app.get(changePath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (!mayChange(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: changePath }));
      return showForm(deps, { request, reply }, member);
    });

    app.post(changePath, { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'email');
      if (member === undefined) return goTo(reply, login);
      if (!mayChange(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: changePath }));
      return requestCode(deps, { request, reply }, member);
    });

    app.get(confirmPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      const pending = await deps.pendingEmails.find(member.account.user.id);
      if (pending === undefined) return goTo(reply, accountAddress(deps, changePath, member));
      return showCodeForm(deps, { request, reply }, { member, email: pending.email });
    });

    app.post(confirmPath, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'email-code');
      return member === undefined ? goTo(reply, login) : confirmCode(deps, { request, reply }, member);
    });
  };
}

/**
 * Whether the person may change the address now. Where mail is a factor, a new address is a new factor, so the person must have proved all
 * factors not long ago: a password alone must not be enough. So must a person whose password does not sign in.
 */
function mayChange(deps: Deps, member: Member): boolean {
  const { signInPolicy } = member.organization;
  const isFactor =
    allowedSecondFactors(signInPolicy).includes('mailCode') ||
    allowedFirstFactors(signInPolicy, deps.clock.now()).includes('mailLink');
  return isFactor ? isFreshMember(deps, member) : mayProve(deps, member);
}

/** Mails a code to the address of the form, if the person proves to know the password. */
async function requestCode(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { texts: t, language } = member.visit;
  const { user } = member.account;
  const address = formText(request.body, 'email').trim();
  const showAgain = (refusal: FormRefusal) =>
    refuseMember(deps, reply, { member, path: changePath }, { typed: { email: address }, ...refusal });
  reply.code(400);
  if (hasVerified(user, address)) return showAgain({ errors: { email: t.emailChange.same } });
  const password = member.hasPassword ? await checkOwnPassword(deps, exchange, member) : undefined;
  if (password !== undefined) return showAgain({ errors: { password } });
  // Apart from the count of mails that people ask for without a sign-in, which anybody can use up.
  const counted = await countAttempt(deps, exchange, { form: 'member-mail-address', language });
  if ('locked' in counted) return showAgain({ alert: counted.locked });
  const sent = await sendEmailCode(deps, { user, address, language });
  if (sent.kind === 'wrong') return showAgain({ errors: { email: t.wrongEmail } });
  if (sent.kind === 'locked') return showAgain({ alert: answerLocked(reply, language, sent) });
  if (sent.kind === 'sent') return goTo(reply, accountAddress(deps, confirmPath, member));
  reply.code(503);
  return showAgain({ alert: t.emailChange.notSent });
}

/** Changes the address, if the code is right. */
async function confirmCode(
  deps: Deps,
  { request, reply }: HttpExchange,
  member: Member,
): Promise<FastifyReply> {
  const { visit, account, organization } = member;
  const { user } = account;
  const pending = await deps.pendingEmails.find(user.id);
  const code = formText(request.body, 'code');
  const editor = { userId: user.id, service: 'account' };
  const outcome = await finishEmailChange(deps, { organization, id: user.id, code, editor });
  if (outcome === 'changed') {
    await deps.userCounter.changed(organization.id);
    return goToAccount(deps, reply, { session: member.session, done: 'email' });
  }
  reply.code(400);
  const { wrongCode, ended } = visit.texts.emailChange;
  return outcome === 'wrong' && pending !== undefined
    ? refuseMember(deps, reply, { member, path: confirmPath }, { errors: { code: wrongCode } })
    : refuseMember(deps, reply, { member, path: changePath }, { alert: ended });
}

async function showForm(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { visit } = member;
  const { typed = {}, ...said } = readRefusal(deps, exchange, { visit, path: changePath }) ?? {};
  const address = typed['email'];
  const hasCode = (await deps.pendingEmails.find(member.account.user.id)) !== undefined;
  const page = emailPage(deps, member, { ...said, hasCode, ...(address !== undefined && { address }) });
  return showVisit(deps, exchange, { visit, ...page });
}

function showCodeForm(
  deps: Deps,
  exchange: HttpExchange,
  { member, email }: { member: Member; email: string },
): FastifyReply {
  const { visit } = member;
  const error = readRefusal(deps, exchange, { visit, path: confirmPath })?.errors['code'];
  return showVisit(deps, exchange, { visit, ...emailCodePage(deps, member, { email, error }) });
}

/** Whether the address is the primary one that the user has already, and is verified. */
function hasVerified({ emails }: User, address: string): boolean {
  return emails.some(({ primary, value, verified }) => primary && verified === true && value === address);
}
