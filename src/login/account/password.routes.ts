import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { checkPassword, setPassword } from '#src/authentication/index.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { beginAnew } from '../http/begin-anew.js';
import { answerLocked } from '../http/locked.js';
import { newPasswordErrors } from '../http/new-password.js';
import { originOf } from '../http/origin.js';
import type { FormRefusal } from '../http/refused-form.js';
import { loginToAccount } from '../http/to-account.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type Member, readMemberPost, refuseMember, signInOf } from './http/member.js';
import { checkOwnCode } from './http/own-proof.js';
import { goToAccount } from './http/show-account.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'applications'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'consents'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'mailer'
  | 'mongo'
  | 'oneTimeLinks'
  | 'passwords'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'revocations'
  | 'sessions'
  | 'totpSealer'
  | 'users'
  | 'batchChangedUser'
>;

/** The form in which a person changes the own password. */
export function ownPasswordRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.post('/account/password', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'password');
      if (member === undefined) return goTo(reply, loginToAccount(deps));
      return changePassword(deps, { request, reply }, member);
    });
  };
}

interface EnteredPasswords {
  readonly current: string;
  readonly password: string;
  readonly repeated: string;
}

async function changePassword(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { visit, account, organization, session } = member;
  const entered = readEntered(request.body);
  const errors = newPasswordErrors(entered, organization.passwordPolicy, visit.language);
  if (Object.keys(errors).length > 0) {
    return refuseMember(deps, reply.code(400), { member, path: '/account' }, { errors: { ...errors } });
  }
  const refusal = await checkProofs(deps, exchange, { member, entered });
  if (refusal !== undefined) return refuseMember(deps, reply, { member, path: '/account' }, refusal);
  const { id } = account.user;
  const editor = { userId: id, service: 'account' };
  await setPassword(deps, { organization, id, password: entered.password, editor });
  const proofs: Proof[] = [{ kind: 'password' }, ...(account.totp ? [{ kind: 'code' } as const] : [])];
  const renewed = await beginAnew(deps, exchange, { session, proofs });
  return goToAccount(deps, reply, { session: renewed, done: 'password' });
}

function readEntered(body: unknown): EnteredPasswords {
  return {
    current: formText(body, 'current'),
    password: formText(body, 'password'),
    repeated: formText(body, 'repeated'),
  };
}

/**
 * Checks the current password, and then the second factor, if there is one. Sets the status of a refusal. Returns what the page says about it, or
 * undefined if the password may be changed.
 */
async function checkProofs(
  deps: Deps,
  { request, reply }: HttpExchange,
  { member, entered }: { member: Member; entered: EnteredPasswords },
): Promise<FormRefusal | undefined> {
  const { visit, account } = member;
  const outcome = await checkPassword(deps, {
    account,
    loginName: account.user.userName,
    password: entered.current,
    earlier: signInOf(member),
    ...originOf(request),
  });
  if (outcome.kind === 'locked') return { alert: answerLocked(reply, visit.language, outcome) };
  reply.code(400);
  if (outcome.kind === 'wrong') return { errors: { current: visit.texts.wrongCurrentPassword } };
  if (entered.current === entered.password) return { errors: { password: visit.texts.samePassword } };
  // The session begins anew, and so counts as a fresh sign-in. That takes the second factor too.
  const code = account.totp && (await checkOwnCode(deps, { request, reply }, member));
  return code === undefined ? undefined : { errors: { code } };
}
