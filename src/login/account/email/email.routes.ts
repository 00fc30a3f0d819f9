import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import {
  type BegunEmailChange,
  beginEmailChange,
  finishEmailChange,
} from '#src/authentication/email-change/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { field } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import { answerLocked } from '../../http/locked.js';
import { showVisit } from '../../http/pages.js';
import type { Mailer } from '../../mail/mail.js';
import { changedMail, confirmMail, mailLanguage } from '../../mail/mails.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm, formButtons } from '../http/account-form.js';
import { type Member, readMemberPost, readSignedInMember } from '../http/member.js';
import { checkOwnPassword, ownPasswordField } from '../http/own-proof.js';

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
  | 'oneTimeLinks'
  | 'passwords'
  | 'pendingEmails'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
>;

interface Shown {
  readonly address?: string;
  readonly errors?: { readonly email?: string | undefined; readonly password?: string | undefined };
  readonly alert?: string;
}

/**
 * The pages on which a person changes the e-mail address, or proves to read its mail. A code goes to the new address. The person enters it
 * where the person is signed in, so that a typing error gives a stranger nothing. The former address is told.
 */
export function emailRoutes(deps: Deps, mailer: Mailer): FastifyPluginAsync {
  const { config, loginAttempts, logger } = deps;
  const { host } = new URL(config.baseUrl);
  const login = pageAddress(deps, '/login');
  const pageOf = (path: string, { session }: Member, done?: string) =>
    pageAddress(deps, path, { session: session.id, done });
  const confirmPath = '/account/email/confirm';

  function showChange(exchange: HttpExchange, member: Member, shown: Shown = {}): FastifyReply {
    const { visit, account } = member;
    const { texts: t } = visit;
    const primary = account.user.emails.find((one) => one.primary);
    const { address = primary?.verified === true ? '' : primary?.value, errors = {}, alert } = shown;
    const content = accountForm(deps, member, {
      path: '/account/email',
      purpose: 'email',
      content: html`${field({
        name: 'email',
        label: t.emailChange.newAddress,
        type: 'email',
        value: address,
        autocomplete: 'email',
        error: errors.email,
        isFocused: errors.password === undefined,
      })}
${ownPasswordField(member, errors.password)}
${formButtons(member, { label: t.emailChange.send, back: pageOf('/account', member) })}`,
    });
    const page = { title: t.email, subtitle: t.emailChange.text, content, alert };
    return showVisit(deps, exchange, { visit, ...page });
  }

  function showConfirm(
    exchange: HttpExchange,
    member: Member,
    { email, error }: { email: string; error?: string },
  ): FastifyReply {
    const { visit } = member;
    const { emailChange: t } = visit.texts;
    const content = accountForm(deps, member, {
      path: confirmPath,
      purpose: 'email-code',
      content: html`${field({
        name: 'code',
        label: t.code,
        autocomplete: 'one-time-code',
        isTypedCode: true,
        isFocused: true,
        error,
      })}
${formButtons(member, { label: t.confirm, back: pageOf('/account', member) })}`,
    });
    const subtitle = t.codeText(email);
    return showVisit(deps, exchange, { visit, title: t.codeTitle, subtitle, content });
  }

  return async (app) => {
    app.get('/account/email', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      return member === undefined ? goTo(reply, login) : showChange({ request, reply }, member);
    });

    app.post('/account/email', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(deps, exchange, 'email');
      if (member === undefined) return goTo(reply, login);
      const { texts: t, language } = member.visit;
      const { user } = member.account;
      const address = formText(request.body, 'email').trim();
      reply.code(400);
      const error = isOwn(member, address) ? t.emailChange.same : undefined;
      if (error !== undefined) return showChange(exchange, member, { address, errors: { email: error } });
      const password = await checkOwnPassword(deps, exchange, member);
      if (password !== undefined) return showChange(exchange, member, { address, errors: { password } });
      // Apart from the count of mails that people ask for without a sign-in, which anybody can use up.
      const place = `member-mail-address:${addressOf(request)}`;
      const limit = await loginAttempts.begin(place, config.loginMaxFailuresPerAddress);
      if (!limit.allowed) throw new AppError(loginErrors.tooManyAttempts, limit);
      const begun = await begin(user.id, address);
      if (begun === undefined)
        return showChange(exchange, member, { address, errors: { email: t.wrongEmail } });
      if (begun.kind === 'locked')
        return showChange(exchange, member, { address, alert: answerLocked(reply, language, begun) });
      const mail = confirmMail({ language: mailLanguage(user, language), host }, begun.code);
      try {
        await mailer.send({ to: begun.email, ...mail });
      } catch (error) {
        logger.warn({ err: error }, 'a code for an address could not be sent by mail');
        reply.code(503);
        return showChange(exchange, member, { address, alert: t.emailChange.notSent });
      }
      return goTo(reply, pageOf(confirmPath, member));
    });

    app.get(confirmPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      const pending = await deps.pendingEmails.find(member.account.user.id);
      if (pending === undefined) return goTo(reply, pageOf('/account/email', member));
      return showConfirm({ request, reply }, member, pending);
    });

    app.post(confirmPath, async (request, reply) => {
      const exchange = { request, reply };
      const member = await readMemberPost(deps, exchange, 'email-code');
      if (member === undefined) return goTo(reply, login);
      const { visit, account, organization } = member;
      const { id } = account.user;
      const pending = await deps.pendingEmails.find(id);
      const code = formText(request.body, 'code');
      const editor = { userId: id, service: 'account' };
      const outcome = await finishEmailChange(deps, { organization, id, code, editor });
      if (outcome === 'changed') {
        await deps.userCounter.changed(organization.id);
        tellFormer(member, pending?.email);
        return goTo(reply, pageOf('/account', member, 'email'));
      }
      reply.code(400);
      const { wrongCode, ended } = visit.texts.emailChange;
      if (outcome === 'wrong' && pending !== undefined)
        return showConfirm(exchange, member, { email: pending.email, error: wrongCode });
      return showChange(exchange, member, { alert: ended });
    });
  };

  /** Undefined if the text is no address. */
  async function begin(userId: string, address: string): Promise<BegunEmailChange | undefined> {
    try {
      return await beginEmailChange(deps, { id: userId }, address);
    } catch (error) {
      if (error instanceof AppError && error.definition === directoryErrors.valueInvalid) return undefined;
      throw error;
    }
  }

  /** Tells the former address. The response does not wait for the mail. */
  function tellFormer({ visit, account: { user }, organization }: Member, email: string | undefined): void {
    const former = user.emails.find((one) => one.primary);
    if (former === undefined || former.verified === false || former.value === email) return;
    const look = { language: mailLanguage(user, visit.language), host, organization };
    mailer
      .send({ to: former.value, ...changedMail(look) })
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'a former address could not be told by mail that it was replaced'),
      );
  }
}

/** Whether the address is the verified one that the person has. */
function isOwn({ account: { user } }: Member, address: string): boolean {
  return user.emails.some(
    ({ primary, value, verified }) => primary && verified === true && value === address,
  );
}
