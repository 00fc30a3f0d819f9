import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { renewRecoveryCodes } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { showVisit } from '../../http/pages.js';
import { readRefusal } from '../../http/refused-form.js';
import { loginToAccount } from '../../http/to-account.js';
import type { LoginNeeds } from '../../needs/needs.js';
import {
  accountAddress,
  type Member,
  readMemberPost,
  readSignedInMember,
  refuseMember,
} from '../http/member.js';
import { checkHeldProofs } from '../http/own-proof.js';
import { goToAccount } from '../http/show-account.js';
import { confirmAddress, mayProve } from '../passkeys/fresh-member.js';
import { codeRenewalPage, goneCodesPage, recoveryCodesPage } from './recovery-codes-pages.js';

/** What these routes use. */
type Deps = Pick<
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
  | 'passwords'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'revocations'
  | 'sessions'
  | 'shownCodes'
  | 'totpSealer'
>;

const renewalPath = '/account/recovery-codes/new';

/**
 * The pages that show recovery codes, once, and make new ones. New ones need the password and a code: with them alone, somebody could
 * sign in later. Of a person whose password does not sign in they need a sign-in of a moment ago and a code.
 */
export function recoveryCodesRoutes(deps: Deps): FastifyPluginAsync {
  const login = loginToAccount(deps);
  return async (app) => {
    app.get('/account/recovery-codes', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goToAccount(deps, reply, member);
      return showCodes(deps, { request, reply }, member);
    });

    app.get(renewalPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goToAccount(deps, reply, member);
      if (!mayProve(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: renewalPath }));
      const { visit } = member;
      const errors = readRefusal(deps, { request, reply }, { visit, path: renewalPath })?.errors;
      return showVisit(deps, { reply }, { visit, ...codeRenewalPage(deps, member, errors) });
    });

    app.post(renewalPath, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'recovery-codes');
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goToAccount(deps, reply, member);
      if (!mayProve(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: renewalPath }));
      return renewCodes(deps, { request, reply }, member);
    });
  };
}

/** Shows the codes that the form before made. They are gone then. */
async function showCodes(
  deps: Deps,
  { request, reply }: HttpExchange,
  member: Member,
): Promise<FastifyReply> {
  const { visit, session } = member;
  const codes = await deps.shownCodes.take(session.id);
  if (codes === undefined) return showVisit(deps, { reply }, { visit, ...goneCodesPage(deps, member) });
  const { totpAdded } = visit.texts.done;
  const notice = formText(request.query, 'done') === 'totpAdded' ? totpAdded : undefined;
  return showVisit(deps, { reply }, { visit, notice, ...recoveryCodesPage(deps, member, codes) });
}

/** Makes new codes for a person who proves the password and a code. */
async function renewCodes(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { reply } = exchange;
  const { session, account } = member;
  reply.code(400);
  const errors = await checkHeldProofs(deps, exchange, member);
  if (Object.keys(errors).length > 0) {
    return refuseMember(deps, reply, { member, path: renewalPath }, { errors: { ...errors } });
  }
  const { id, orgId } = account.user;
  const codes = await renewRecoveryCodes(deps, { orgId, id, editor: { userId: id, service: 'account' } });
  await deps.shownCodes.put(session.id, codes);
  return goTo(reply, accountAddress(deps, '/account/recovery-codes', { session }));
}
