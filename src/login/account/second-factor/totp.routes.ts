import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { newTotpSecret } from '#src/accounts/index.js';
import { guardFactors, type Proof } from '#src/authentication/proofs/index.js';
import { changeTotp } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import type { Session } from '#src/sessions/session.js';
import { beginAnew } from '../../http/begin-anew.js';
import { showVisit } from '../../http/pages.js';
import { readRefusal } from '../../http/refused-form.js';
import { loginToAccount } from '../../http/to-account.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { isLastFactor } from '../http/last-factor.js';
import {
  accountAddress,
  type Member,
  readMemberPost,
  readSignedInMember,
  refuseMember,
} from '../http/member.js';
import { checkHeldProofs, checkOwnPassword, type ProofErrors } from '../http/own-proof.js';
import { goToAccount } from '../http/show-account.js';
import { confirmAddress, mayProve } from '../passkeys/fresh-member.js';
import { enrolTotp } from './enrol-totp.js';
import { unsealEnrolment } from './totp-enrolment.js';
import { totpRemovalPage, totpSetUpPage } from './totp-pages.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'ableOwners'
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'events'
  | 'formSealer'
  | 'groupMembers'
  | 'identityLinks'
  | 'logger'
  | 'loginAttempts'
  | 'mongo'
  | 'passwords'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'revocations'
  | 'sessions'
  | 'shownCodes'
  | 'totpSealer'
>;

const setUpPath = '/account/totp';
const removalPath = '/account/totp/remove';

/**
 * The pages that set up and remove the second factor. Both ask for the password and then a code, so that neither an
 * unattended browser nor a stolen password is enough. Of a person whose password does not sign in they ask for a sign-in of a moment ago instead. The factor of a person who lost the device and the recovery codes is
 * removed by an administrator. Either change ends the other sessions of the person.
 */
export function totpRoutes(deps: Deps): FastifyPluginAsync {
  const login = loginToAccount(deps);
  return async (app) => {
    app.get(setUpPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp !== undefined) return goToAccount(deps, reply, member);
      if (!mayProve(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: setUpPath }));
      return showSetUp(deps, { request, reply }, member);
    });

    app.post(setUpPath, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'totp');
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp !== undefined) return goToAccount(deps, reply, member);
      if (!mayProve(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: setUpPath }));
      return setUp(deps, { request, reply }, member);
    });

    app.get(removalPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goToAccount(deps, reply, member);
      if (!mayProve(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: removalPath }));
      const { visit } = member;
      const { errors, alert } = readRefusal(deps, { request, reply }, { visit, path: removalPath }) ?? {};
      return showVisit(deps, { reply }, { visit, ...totpRemovalPage(deps, member, errors), alert });
    });

    app.post(removalPath, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'totp-remove');
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goToAccount(deps, reply, member);
      if (!mayProve(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: removalPath }));
      return remove(deps, { request, reply }, member);
    });
  };
}

/** Sets up the second factor whose secret the page showed. The next page shows the recovery codes. */
async function setUp(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { user } = member.account;
  const carried = formText(request.body, 'sealed');
  const secret = unsealEnrolment(deps, { userId: user.id, sealed: carried });
  if (secret === undefined) return goTo(reply, accountAddress(deps, setUpPath, member));
  reply.code(400);
  const refuse = (errors: ProofErrors) =>
    refuseMember(deps, reply, { member, path: setUpPath }, { errors: { ...errors }, carried });
  const password = member.hasPassword ? await checkOwnPassword(deps, exchange, member) : undefined;
  if (password !== undefined) return refuse({ password });
  const codes = await enrolTotp(deps, {
    user,
    secret,
    code: formText(request.body, 'code'),
    showsCodes: true,
  });
  if (codes === undefined) return refuse({ code: member.visit.texts.wrongCode });
  const session = await renewSession(deps, exchange, member);
  await deps.shownCodes.put(session.id, codes);
  return goTo(reply, accountAddress(deps, '/account/recovery-codes', { session, done: 'totpAdded' }));
}

/** Removes the second factor of a person who proves the password and a code. */
async function remove(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { reply } = exchange;
  const { user } = member.account;
  reply.code(400);
  const errors = await checkHeldProofs(deps, exchange, member);
  if (Object.keys(errors).length > 0) {
    return refuseMember(deps, reply, { member, path: removalPath }, { errors: { ...errors } });
  }
  const editor = { userId: user.id, service: 'account' };
  const guard = await guardFactors(deps, user);
  try {
    await changeTotp(deps, { orgId: user.orgId, id: user.id, totp: undefined, editor, guard });
  } catch (error) {
    if (!isLastFactor(error)) throw error;
    const alert = member.visit.texts.lastFactor;
    return refuseMember(deps, reply, { member, path: removalPath }, { alert });
  }
  const session = await renewSession(deps, exchange, member);
  return goToAccount(deps, reply, { session, done: 'totpRemoved' });
}

/** What the person has proved lately, if that was not the password, counts from now on. */
function renewSession(
  deps: Deps,
  exchange: HttpExchange,
  { session, hasPassword }: Member,
): Promise<Session> {
  const code: Proof = { kind: 'code' };
  const others = session.proofs
    .filter(({ kind }) => kind !== 'code')
    .map(({ time: _time, ...proof }) => proof);
  const proofs: Proof[] = hasPassword ? [{ kind: 'password' }, code] : [...others, code];
  return beginAnew(deps, exchange, { session, proofs });
}

/** Shows a new secret, or the one that the person has seen, if the form with its code was refused. */
function showSetUp(deps: Deps, exchange: HttpExchange, member: Member): FastifyReply {
  const { visit, account } = member;
  const { carried = '', errors = {} } = readRefusal(deps, exchange, { visit, path: setUpPath }) ?? {};
  const secret = unsealEnrolment(deps, { userId: account.user.id, sealed: carried }) ?? newTotpSecret();
  return showVisit(deps, exchange, { visit, ...totpSetUpPage(deps, member, { secret, errors }) });
}
