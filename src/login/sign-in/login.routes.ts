import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { checkPassword, findAccount } from '#src/authentication/index.js';
import { findHookedOrganization, takeOverPerson } from '#src/authentication/migration-hook/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { organizationField } from '../http/organization-field.js';
import { originOf } from '../http/origin.js';
import { addressAfterOtherTab } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { passwordField } from '../http/password-field.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailer'
  | 'migrationHooks'
  | 'mongo'
  | 'oneTimeLinks'
  | 'organizations'
  | 'passwords'
  | 'quotas'
  | 'rateCounts'
  | 'refreshTokens'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'writeNewUser'
>;

interface Shown {
  readonly loginName: string;
  /** The organization that the person typed. Undefined if the page has not asked for it. */
  readonly organization?: string;
  readonly alert?: string;
  readonly notice?: string;
}

/** The page for login name and password, where every sign-in begins. */
export function passwordRoutes(deps: Deps): FastifyPluginAsync {
  const { config } = deps;
  const purposeOf = (flow: string) => `login ${flow}`;
  const names = {
    accounts: deps.accounts,
    caches: deps.caches,
    organizations: {
      find: deps.caches.organizations.get,
      findByDomain: deps.organizations.findByDomain,
      findByName: deps.organizations.findByName,
    },
  };

  function show(
    exchange: HttpExchange,
    visit: Visit,
    { loginName, organization, ...messages }: Shown,
  ): FastifyReply {
    const { texts: t, flow, agent, application } = visit;
    const query = { request: flow };
    const content = html`${form({
      action: pageAddress(deps, '/login'),
      agent,
      purpose: purposeOf(flow),
      hidden: { request: flow },
      content: html`${field({
        name: 'loginName',
        label: t.loginName,
        value: loginName,
        autocomplete: 'username',
        isFocused: loginName === '',
      })}
${passwordField(t, {
  name: 'password',
  label: t.password,
  autocomplete: 'current-password',
  isFocused: loginName !== '',
})}
${organization !== undefined && organizationField(visit, organization)}
${submit(t.signIn)}`,
    })}
<div class="links">
${
  deps.mailer === undefined
    ? html`<p class="soft">${t.askAdministrator}</p>`
    : html`<p><a href="${pageAddress(deps, '/login/forgot', query)}">${t.noPasswordYet}</a></p>`
}
${
  visit.organization?.login.selfRegistration === true &&
  html`<p><a href="${pageAddress(deps, '/login/register', query)}">${t.createAccount}</a></p>`
}
</div>`;
    const subtitle = application && t.continueTo(application.name);
    return showVisit(deps, exchange, { visit, title: t.signIn, subtitle, content, ...messages });
  }

  return async (app) => {
    app.get('/login', async (request, reply) => {
      const visit = await readVisit(deps, { request, reply }, flowOf(request.query));
      const { waiting, texts: t } = visit;
      const notice = formText(request.query, 'done') === 'password' ? { notice: t.passwordSet } : {};
      return show({ request, reply }, visit, { loginName: waiting?.loginHint ?? '', ...notice });
    });

    app.post('/login', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const began = performance.now();
      const flow = flowOf(request.body);
      const exchange = { request, reply };
      const elsewhere = await addressAfterOtherTab(deps, request, purposeOf(flow));
      if (elsewhere !== undefined) return goTo(reply, elsewhere);
      const visit = await readVisit(deps, exchange, flow);
      const loginName = formText(request.body, 'loginName');
      const organization = visit.onlyOrgId === undefined ? formText(request.body, 'organization').trim() : '';
      const name = {
        text: loginName,
        organization,
        ...(visit.onlyOrgId !== undefined && { orgId: visit.onlyOrgId }),
        ...(visit.application && { preferredOrgId: visit.application.orgId }),
      };
      const again = () => findAccount(names, name);
      const [account, pastSignIns] = await Promise.all([
        again(),
        deps.sessions.pastSignIns(visit.agent.hash),
      ]);
      const password = formText(request.body, 'password');
      const proof = {
        account,
        loginName,
        organization,
        orgId: visit.onlyOrgId,
        password,
        earlier: account && pastSignIns.get(account.user.id),
        ...originOf(request, visit),
        takeOver: async () => {
          const found = await findHookedOrganization(names, name);
          return found && takeOverPerson(deps, { ...found, account, loginName, password, again });
        },
      };
      const outcome = await checkPassword(deps, proof);
      const signedIn = outcome.kind === 'right' ? (outcome.takenOver ?? account) : undefined;
      if (signedIn !== undefined)
        return continueSignIn(deps, exchange, { visit, account: signedIn, amr: ['pwd'] });
      // Every failure takes the same time, so that the time tells nothing. It includes the time of the hook that the name
      // leads to, whether the hook was asked or not.
      const hooked = await findHookedOrganization(names, name);
      const least = config.loginFailureMilliseconds + (hooked?.organization.migrationHook.timeoutMs ?? 0);
      await setTimeout(Math.max(0, least - (performance.now() - began)));
      return showFailure(exchange, visit, { loginName, organization, outcome });
    });
  };

  function showFailure(
    exchange: HttpExchange,
    visit: Visit,
    failed: { loginName: string; organization: string; outcome: Awaited<ReturnType<typeof checkPassword>> },
  ): FastifyReply {
    const { outcome, ...typed } = failed;
    const { texts: t } = visit;
    if (outcome.kind === 'locked') {
      const alert = answerLocked(exchange.reply, visit.language, outcome);
      return show(exchange, visit, { ...typed, alert });
    }
    exchange.reply.code(400);
    // The page asks for the organization whether several have the name or not, because it must not reveal that.
    const alert = visit.onlyOrgId === undefined ? `${t.wrongPassword} ${t.sharedLoginName}` : t.wrongPassword;
    return show(exchange, visit, { ...typed, alert });
  }
}
