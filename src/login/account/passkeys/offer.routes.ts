import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { relyingPartyOf } from '#src/authentication/passkeys/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo } from '#src/http/pages/page-address.js';
import { passkeyField } from '#src/http/pages/passkey-script.js';
import { addressAfter } from '../../http/complete.js';
import { offerPath as path } from '../../http/offer-passkey.js';
import { showVisit } from '../../http/pages.js';
import { readRefusal, refuseForm } from '../../http/refused-form.js';
import { accountPlace, isToAccount, loginToAccount, toAccountQuery } from '../../http/to-account.js';
import { flowOf } from '../../http/visit.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm } from '../http/account-form.js';
import { readMemberPost, readSignedInMember } from '../http/member.js';
import { type Enroller, enrolmentOptions, enrolOwnPasskey } from './enrol-own-passkey.js';
import { isFreshMember } from './fresh-member.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'groupMembers'
  | 'mongo'
  | 'passkeyChallenges'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'relyingParty'
  | 'revocations'
  | 'sessions'
  | 'webauthnCredentials'
>;

/**
 * The page after a sign-in with a password that asks once for a passkey. The session exists already, so leaving the page loses nothing. Whoever
 * goes on without a passkey is not asked again.
 */
export function passkeyOfferRoutes(deps: Deps): FastifyPluginAsync {
  const party = relyingPartyOf(deps.config);
  const login = loginToAccount(deps);
  return async (app) => {
    if (party === undefined) return;
    app.get(path, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      return member === undefined ? goTo(reply, login) : show(deps, { request, reply }, { member, party });
    });
    app.post(path, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'passkey-offer');
      return member === undefined ? goTo(reply, login) : add(deps, { request, reply }, { member, party });
    });
  };
}

/** Where the sign-in goes on, with or without a passkey. The authorization endpoint decides about a request that waits. */
function next(deps: Deps, source: unknown, { member }: Enroller): Promise<string> {
  const { account, session } = member;
  return addressAfter(deps, {
    flow: flowOf(source),
    toAccount: isToAccount(source),
    user: account.user,
    sessionId: session.id,
  });
}

async function show(deps: Deps, exchange: HttpExchange, enroller: Enroller): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { visit, account } = enroller.member;
  const onward = await next(deps, request.query, enroller);
  if (account.passkeys !== undefined || !isFreshMember(deps, enroller.member)) return goTo(reply, onward);
  const { texts } = visit;
  const { passkeys: t } = texts;
  const flow = flowOf(request.query);
  const content = html`<div hidden data-passkey-on>${accountForm(deps, enroller.member, {
    path,
    purpose: 'passkey-offer',
    hidden: {
      ...(flow !== '' && { request: flow }),
      ...(isToAccount(request.query) && { to: accountPlace }),
    },
    content: html`${passkeyField({ act: 'create', options: await enrolmentOptions(deps, enroller) })}
<p class="error" role="alert" hidden data-passkey-failed>${t.notAdded}</p>
<button type="submit" class="full" data-passkey-ask>${t.create}</button>`,
  })}</div>
<p class="links"><a href="${onward}">${texts.enrolNotNow}</a></p>`;
  const alert = readRefusal(deps, exchange, { visit, path })?.alert;
  return showVisit(deps, exchange, {
    visit,
    ...{ title: t.offerTitle, subtitle: t.offerText, content, alert },
    // The link and the form lead to the application.
    leadsAway: true,
  });
}

/** Adds the passkey that the authenticator has made for the page, and goes on. */
async function add(deps: Deps, exchange: HttpExchange, enroller: Enroller): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { member } = enroller;
  const onward = await next(deps, request.body, enroller);
  if (!isFreshMember(deps, member)) return goTo(reply, onward);
  const reason = await enrolOwnPasskey(deps, enroller, formText(request.body, 'response'));
  if (reason === undefined) return goTo(reply, onward);
  reply.code(400);
  const query = {
    session: member.session.id,
    request: flowOf(request.body),
    ...toAccountQuery(request.body),
  };
  const alert = member.visit.texts.passkeys[reason];
  return refuseForm(deps, reply, { visit: member.visit, path, query }, { alert });
}
