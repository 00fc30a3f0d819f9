import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { matchingStep, newTotpSecret, sealTotpSecret, toBase32, totpAddress } from '#src/accounts/index.js';
import { changeTotp, newRecoveryCodes, recoveryCodeHashes } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { beginAnew } from '../../http/begin-anew.js';
import { showVisit } from '../../http/pages.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm, formButtons } from '../http/account-form.js';
import { type Member, readMemberPost, readSignedInMember } from '../http/member.js';
import {
  checkOwnPassword,
  checkOwnProofs,
  ownCodeField,
  ownPasswordField,
  type ProofErrors,
} from '../http/own-proof.js';
import { qrCode } from './qr-code.js';
import { sealEnrolment, unsealEnrolment } from './totp-enrolment.js';

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
  | 'formSealer'
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
 * The pages that set up and remove the second factor. Both ask for the password and then a code, so that neither an
 * unattended browser nor a stolen password is enough. The factor of a person who lost the device and the recovery codes is
 * removed by an administrator. Either change ends the other sessions of the person.
 */
export function totpRoutes(deps: Deps): FastifyPluginAsync {
  const login = pageAddress(deps, '/login');
  const accountOf = ({ session }: Member, done?: string) =>
    pageAddress(deps, '/account', { session: session.id, done });

  function showSetUp(
    exchange: HttpExchange,
    member: Member,
    { secret, errors = {} }: { secret: Buffer; errors?: ProofErrors },
  ): FastifyReply {
    const { visit, account, organization } = member;
    const { texts: t } = visit;
    const address = totpAddress(secret, { issuer: organization.name, account: account.user.userName });
    const key = toBase32(secret).match(/.{4}/g)?.join(' ');
    const content = html`${qrCode(address, t.totpPicture)}
<p class="center"><a href="${address}">${t.totpOpen}</a></p>
<p class="hint center">${t.totpType}</p>
<p class="center key"><code>${key}</code></p>
<p>${t.totpConfirm}</p>
${accountForm(deps, member, {
  path: '/account/totp',
  purpose: 'totp',
  hidden: { sealed: sealEnrolment(deps, { userId: account.user.id, secret }) },
  content: html`${ownPasswordField(member, errors.password)}
${field({
  name: 'code',
  label: t.code,
  autocomplete: 'one-time-code',
  isCode: true,
  error: errors.code,
  isFocused: errors.code !== undefined,
})}
${formButtons(member, { label: t.setUp, back: accountOf(member) })}`,
})}`;
    return showVisit(deps, exchange, { visit, title: t.totpTitle, subtitle: t.totpScan, content });
  }

  function showRemoval(exchange: HttpExchange, member: Member, errors: ProofErrors = {}): FastifyReply {
    const { visit } = member;
    const { texts: t } = visit;
    const content = html`${accountForm(deps, member, {
      path: '/account/totp/remove',
      purpose: 'totp-remove',
      content: html`${ownPasswordField(member, errors.password)}
${ownCodeField(member, errors.code)}
${formButtons(member, { label: t.remove, back: accountOf(member) })}`,
    })}
<p class="hint center">${t.lostDevice}</p>`;
    const subtitle = t.totpRemoveText;
    return showVisit(deps, exchange, { visit, title: t.totpRemoveTitle, subtitle, content });
  }

  return async (app) => {
    app.get('/account/totp', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp !== undefined) return goTo(reply, accountOf(member));
      return showSetUp({ request, reply }, member, { secret: newTotpSecret() });
    });

    app.post('/account/totp', async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(deps, exchange, 'totp');
      if (member === undefined) return goTo(reply, login);
      const { user, totp } = member.account;
      const sealed = formText(request.body, 'sealed');
      const secret = unsealEnrolment(deps, { userId: user.id, sealed });
      if (totp !== undefined) return goTo(reply, accountOf(member));
      if (secret === undefined)
        return goTo(reply, pageAddress(deps, '/account/totp', { session: member.session.id }));
      reply.code(400);
      const password = await checkOwnPassword(deps, exchange, member);
      if (password !== undefined) return showSetUp(exchange, member, { secret, errors: { password } });
      const now = deps.clock.now();
      const step = matchingStep(secret, formText(request.body, 'code'), now);
      if (step === undefined) {
        return showSetUp(exchange, member, { secret, errors: { code: member.visit.texts.wrongCode } });
      }
      const codes = newRecoveryCodes();
      await changeTotp(deps, {
        orgId: user.orgId,
        id: user.id,
        // The code that confirmed the secret is used up. It cannot sign in.
        totp: {
          sealed: sealTotpSecret(deps.totpSealer, user.id, secret),
          lastStep: step,
          enrolled: now,
          recovery: recoveryCodeHashes(user.id, codes),
        },
        editor: { userId: user.id, service: 'account' },
      });
      const session = await beginAnew(deps, exchange, {
        session: member.session,
        amr: ['pwd', 'otp', 'mfa'],
      });
      await deps.shownCodes.put(session.id, codes);
      const query = { session: session.id, done: 'totpAdded' };
      return goTo(reply, pageAddress(deps, '/account/recovery-codes', query));
    });

    app.get('/account/totp/remove', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goTo(reply, accountOf(member));
      return showRemoval({ request, reply }, member);
    });

    app.post('/account/totp/remove', async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(deps, exchange, 'totp-remove');
      if (member === undefined) return goTo(reply, login);
      const { user, totp } = member.account;
      if (totp === undefined) return goTo(reply, accountOf(member));
      reply.code(400);
      const errors = await checkOwnProofs(deps, exchange, member);
      if (Object.keys(errors).length > 0) return showRemoval(exchange, member, errors);
      const editor = { userId: user.id, service: 'account' };
      await changeTotp(deps, { orgId: user.orgId, id: user.id, totp: undefined, editor });
      const session = await beginAnew(deps, exchange, {
        session: member.session,
        amr: ['pwd', 'otp', 'mfa'],
      });
      return goTo(reply, accountOf({ ...member, session }, 'totpRemoved'));
    });
  };
}
