import type { FastifyPluginAsync } from 'fastify';
import { findAccount, type LoginName, loginNameKey, type MailLink } from '#src/authentication/index.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../http/errors.js';
import { organizationField } from '../http/organization-field.js';
import { showVisit } from '../http/pages.js';
import { flowOf, readVisit, requireOwnForm, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** Mails a one-time link to people who forgot their password or have none yet. Only with a mail server. */
export function forgotRoutes(
  deps: Pick<
    LoginNeeds,
    | 'accounts'
    | 'authorizationRequests'
    | 'caches'
    | 'config'
    | 'logger'
    | 'loginAttempts'
    | 'organizations'
    | 'sessions'
  >,
  mailLink: MailLink,
): FastifyPluginAsync {
  const { loginAttempts, config, logger } = deps;

  return async (app) => {
    app.get('/login/forgot', async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      const { texts: t, agent, flow } = visit;
      const back = html`<p class="links"><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p>`;
      if (formText(request.query, 'sent') !== '') {
        return showVisit(
          deps,
          { reply },
          { visit, title: t.forgotTitle, notice: t.forgotSent, content: back },
        );
      }
      const content = html`${form({
        action: pageAddress(deps, '/login/forgot'),
        agent,
        purpose: `forgot ${flow}`,
        hidden: { request: flow },
        content: html`${field({ name: 'loginName', label: t.loginName, autocomplete: 'username', isFocused: true })}
${organizationField(visit)}
${submit(t.send)}`,
      })}
${back}`;
      return showVisit(deps, { reply }, { visit, title: t.forgotTitle, subtitle: t.forgotText, content });
    });

    app.post('/login/forgot', async (request, reply) => {
      const flow = flowOf(request.body);
      requireOwnForm(deps, request, `forgot ${flow}`);
      const visit = await readVisit(deps, { request, reply }, flow);
      const loginName = formText(request.body, 'loginName');
      const answer = () => goTo(reply, pageAddress(deps, '/login/forgot', { request: flow, sent: '1' }));
      // What can be no login name means nobody. It is not looked up, so it does not count. Every other name counts, because the
      // page must not reveal which names exist.
      if (loginNameKey(loginName) === undefined) return answer();
      const place = `mail-address:${addressOf(request)}`;
      const { allowed, retryAfterSeconds } = await loginAttempts.begin(
        place,
        config.loginMaxFailuresPerAddress,
      );
      if (!allowed) throw new AppError(loginErrors.tooManyAttempts, { retryAfterSeconds });
      // The response does not wait, so that neither it nor its time tells whether the login name exists.
      sendLink(visit, {
        text: loginName,
        organization: formText(request.body, 'organization'),
        ...(visit.onlyOrgId !== undefined && { orgId: visit.onlyOrgId }),
        ...(visit.application && { preferredOrgId: visit.application.orgId }),
      }).catch((error: unknown) => logger.warn({ err: error }, 'a one-time link could not be sent by mail'));
      return answer();
    });
  };

  async function sendLink({ language }: Visit, loginName: LoginName): Promise<void> {
    const user = (await findAccount(deps, loginName))?.user;
    if (user === undefined) return;
    const organization = await requireOrganization(deps.caches.organizations.get, user.orgId);
    await mailLink({ user, organization, editor: { userId: user.id, service: 'login' }, language });
  }
}
