import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { renewRecoveryCodes } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { showVisit } from '../../http/pages.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm, formButtons } from '../http/account-form.js';
import { type Member, readMemberPost, readSignedInMember } from '../http/member.js';
import { checkOwnProofs, ownCodeField, ownPasswordField, type ProofErrors } from '../http/own-proof.js';

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
  | 'logger'
  | 'loginAttempts'
  | 'mongo'
  | 'passwords'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'shownCodes'
  | 'totpSealer'
>;

/**
 * The pages that show recovery codes, once, and make new ones. New ones need the password and a code: with them alone, somebody could
 * sign in later.
 */
export function recoveryCodesRoutes(deps: Deps): FastifyPluginAsync {
  const login = pageAddress(deps, '/login');
  const renewPath = '/account/recovery-codes/new';
  const addressOf = (path: string, { session }: Member) => pageAddress(deps, path, { session: session.id });

  function showRenewal(exchange: HttpExchange, member: Member, errors: ProofErrors = {}): FastifyReply {
    const { visit } = member;
    const { recovery: t } = visit.texts;
    const content = accountForm(deps, member, {
      path: renewPath,
      purpose: 'recovery-codes',
      content: html`${ownPasswordField(member, errors.password)}
${ownCodeField(member, errors.code)}
${formButtons(member, { label: t.renew, back: addressOf('/account', member) })}`,
    });
    return showVisit(deps, exchange, { visit, title: t.renewTitle, subtitle: t.renewText, content });
  }

  return async (app) => {
    app.get('/account/recovery-codes', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      const { visit, session, account } = member;
      if (account.totp === undefined) return goTo(reply, addressOf('/account', member));
      const { recovery: t, account: toAccount, done } = visit.texts;
      const codes = await deps.shownCodes.take(session.id);
      const back = html`<p class="links"><a href="${addressOf('/account', member)}">${toAccount}</a></p>`;
      if (codes === undefined) {
        const content = html`<p><a class="button full" href="${addressOf(renewPath, member)}">${t.renew}</a></p>${back}`;
        return showVisit(deps, { reply }, { visit, title: t.title, subtitle: t.goneText, content });
      }
      const content = html`<ol class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ol>
<p><a class="button full" href="${addressOf('/account', member)}">${t.saved}</a></p>
${back}`;
      const notice = formText(request.query, 'done') === 'totpAdded' ? done.totpAdded : undefined;
      const page = { title: t.shownTitle, subtitle: t.shownText, notice, content };
      return showVisit(deps, { reply }, { visit, ...page });
    });

    app.get(renewPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goTo(reply, addressOf('/account', member));
      return showRenewal({ request, reply }, member);
    });

    app.post(renewPath, async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(deps, exchange, 'recovery-codes');
      if (member === undefined) return goTo(reply, login);
      const { user, totp } = member.account;
      if (totp === undefined) return goTo(reply, addressOf('/account', member));
      reply.code(400);
      const errors = await checkOwnProofs(deps, exchange, member);
      if (Object.keys(errors).length > 0) return showRenewal(exchange, member, errors);
      const editor = { userId: user.id, service: 'account' };
      const codes = await renewRecoveryCodes(deps, { orgId: user.orgId, id: user.id, editor });
      await deps.shownCodes.put(member.session.id, codes);
      return goTo(reply, addressOf('/account/recovery-codes', member));
    });
  };
}
