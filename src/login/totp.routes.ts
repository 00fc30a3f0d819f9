import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Container } from '#src/container.js';
import { changeTotp } from '#src/directory/sign-in/change-totp.js';
import { type CheckOutcome, checkPassword } from '#src/directory/sign-in/check-password.js';
import { checkTotp } from '#src/directory/sign-in/check-totp.js';
import {
  matchingStep,
  newTotpSecret,
  sealTotpSecret,
  toBase32,
  totpAddress,
} from '#src/directory/sign-in/totp.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { field } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { accountForm } from './http/account-page.js';
import { beginAnew } from './http/begin-anew.js';
import { answerLocked } from './http/locked.js';
import { type Member, readMember, readMemberPost } from './http/member.js';
import { originOf } from './http/origin.js';
import { showVisit } from './http/pages.js';
import { qrCode } from './http/qr-code.js';
import type { Visit } from './http/visit.js';
import { sealEnrolment, unsealEnrolment } from './totp-enrolment.js';

interface Errors {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/**
 * The pages that set up and remove the second factor. Both ask for the password and a code, so that neither an
 * unattended browser nor a stolen password is enough. The factor of a person who lost the device is removed by an
 * administrator. Either change ends the other sessions of the person.
 */
export function totpRoutes(container: Container): FastifyPluginAsync {
  const login = pageAddress(container, '/login');
  const accountOf = ({ session }: Member, done?: string) =>
    pageAddress(container, '/account', { session: session.id, done });

  async function checkOwnPassword(
    { request, reply }: HttpExchange,
    { account, visit }: Member,
  ): Promise<Errors> {
    const outcome: CheckOutcome = await checkPassword(container, {
      account,
      loginName: account.user.userName,
      password: formText(request.body, 'password'),
      ...originOf(request),
    });
    const error = errorOf(reply, outcome, { visit, wrong: visit.texts.wrongCurrentPassword });
    return error === undefined ? {} : { password: error };
  }

  async function checkOwnCode({ request, reply }: HttpExchange, { account, visit }: Member): Promise<Errors> {
    const code = formText(request.body, 'code');
    const outcome = await checkTotp(container, { account, code, ...originOf(request) });
    const error = errorOf(reply, outcome, { visit, wrong: visit.texts.wrongCode });
    return error === undefined ? {} : { code: error };
  }

  /** Returns the message of a check that failed, and sets the status of a lock. */
  function errorOf(
    reply: FastifyReply,
    outcome: CheckOutcome,
    { visit, wrong }: { visit: Visit; wrong: string },
  ): string | undefined {
    if (outcome.kind === 'right') return undefined;
    if (outcome.kind === 'wrong') return wrong;
    return answerLocked(reply, visit.language, outcome);
  }

  function buttons(member: Member, label: string) {
    const { texts: t } = member.visit;
    return html`<div class="row"><button type="submit">${label}</button><a href="${accountOf(member)}">${t.cancel}</a></div>`;
  }

  function passwordField({ visit: { texts: t } }: Member, error: string | undefined) {
    const label = t.currentPassword;
    return field({
      name: 'password',
      label,
      type: 'password',
      autocomplete: 'current-password',
      error,
      isFocused: error !== undefined,
    });
  }

  function codeField({ visit: { texts: t } }: Member, error: string | undefined) {
    return field({
      name: 'code',
      label: t.code,
      autocomplete: 'one-time-code',
      isCode: true,
      error,
      isFocused: error !== undefined,
    });
  }

  function showSetUp(
    exchange: HttpExchange,
    member: Member,
    shown: { secret: Buffer; errors?: Errors },
  ): FastifyReply {
    const { visit, account, organization } = member;
    const { texts: t } = visit;
    const { secret, errors = {} } = shown;
    const address = totpAddress(secret, { issuer: organization.name, account: account.user.userName });
    const key = toBase32(secret).match(/.{4}/g)?.join(' ');
    const content = html`<p>${t.totpScan}</p>
${qrCode(address, t.totpPicture)}
<p>${t.totpType}<br><code>${key}</code></p>
<p>${t.totpConfirm}</p>
${accountForm(container, member, {
  path: '/account/totp',
  purpose: 'totp',
  hidden: { sealed: sealEnrolment(container, { userId: account.user.id, secret }) },
  content: html`${codeField(member, errors.code)}
${passwordField(member, errors.password)}
${buttons(member, t.setUp)}`,
})}`;
    return showVisit(container, exchange, { visit, title: t.totpTitle, content });
  }

  function showRemoval(exchange: HttpExchange, member: Member, errors: Errors = {}): FastifyReply {
    const { visit } = member;
    const { texts: t } = visit;
    const content = accountForm(container, member, {
      path: '/account/totp/remove',
      purpose: 'totp-remove',
      content: html`${passwordField(member, errors.password)}
${codeField(member, errors.code)}
<p class="soft">${t.lostDevice}</p>
${buttons(member, t.remove)}`,
    });
    const subtitle = t.totpRemoveText;
    return showVisit(container, exchange, { visit, title: t.totpRemoveTitle, subtitle, content });
  }

  return async (app) => {
    app.get('/account/totp', async (request, reply) => {
      const member = await readMember(container, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp !== undefined) return goTo(reply, accountOf(member));
      return showSetUp({ request, reply }, member, { secret: newTotpSecret() });
    });

    app.post('/account/totp', async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(container, exchange, 'totp');
      if (member === undefined) return goTo(reply, login);
      const { user, totp } = member.account;
      const sealed = formText(request.body, 'sealed');
      const secret = unsealEnrolment(container, { userId: user.id, sealed });
      if (totp !== undefined) return goTo(reply, accountOf(member));
      if (secret === undefined)
        return goTo(reply, pageAddress(container, '/account/totp', { session: member.session.id }));
      const now = container.clock.now();
      const step = matchingStep(secret, formText(request.body, 'code'), now);
      reply.code(400);
      if (step === undefined) {
        return showSetUp(exchange, member, { secret, errors: { code: member.visit.texts.wrongCode } });
      }
      const errors = await checkOwnPassword(exchange, member);
      if (errors.password !== undefined) return showSetUp(exchange, member, { secret, errors });
      await changeTotp(container, {
        orgId: user.orgId,
        id: user.id,
        // The code that confirmed the secret is used up. It cannot sign in.
        totp: {
          sealed: sealTotpSecret(container.totpSealer, user.id, secret),
          lastStep: step,
          enrolled: now,
        },
        editor: { userId: user.id, service: 'account' },
      });
      const session = await beginAnew(container, exchange, {
        session: member.session,
        amr: ['pwd', 'otp', 'mfa'],
      });
      return goTo(reply, accountOf({ ...member, session }, 'totpAdded'));
    });

    app.get('/account/totp/remove', async (request, reply) => {
      const member = await readMember(container, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (member.account.totp === undefined) return goTo(reply, accountOf(member));
      return showRemoval({ request, reply }, member);
    });

    app.post('/account/totp/remove', async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(container, exchange, 'totp-remove');
      if (member === undefined) return goTo(reply, login);
      const { user, totp } = member.account;
      if (totp === undefined) return goTo(reply, accountOf(member));
      reply.code(400);
      // The password comes first: a wrong one uses up no code.
      const wrongPassword = await checkOwnPassword(exchange, member);
      if (wrongPassword.password !== undefined) return showRemoval(exchange, member, wrongPassword);
      const wrongCode = await checkOwnCode(exchange, member);
      if (wrongCode.code !== undefined) return showRemoval(exchange, member, wrongCode);
      const editor = { userId: user.id, service: 'account' };
      await changeTotp(container, { orgId: user.orgId, id: user.id, totp: undefined, editor });
      const session = await beginAnew(container, exchange, {
        session: member.session,
        amr: ['pwd', 'otp', 'mfa'],
      });
      return goTo(reply, accountOf({ ...member, session }, 'totpRemoved'));
    });
  };
}
