import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import { setPassword } from '#src/authentication/index.js';
import type { Organization } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { form } from '#src/http/pages/form.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { requireOrganization } from '#src/organizations/index.js';
import { requireStep } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { type NewPasswordErrors, newPasswordErrors } from '../http/new-password.js';
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { newPasswordFields, readNewPassword } from './new-password-form.js';
import { rereadAccount } from './reread-account.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'batchChangedUser'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'dailyMails'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'mongo'
  | 'notices'
  | 'oneTimeLinks'
  | 'passwords'
  | 'pendingEmails'
  | 'rateCounts'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'rememberedBrowsers'
  | 'revocations'
  | 'sessions'
  | 'users'
>;

const path = '/login/new-password';

/** The page for a new password during a sign-in, if an administrator or a migration asks for one. */
export function requiredChangeRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, async (request, reply) => {
      const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query));
      const { visit, account } = await requireStep(deps, anonymous, 'newPassword');
      const errors = readRefusal(deps, { request, reply }, { visit, path })?.errors;
      return show(deps, { reply }, { visit, organization: await organizationOf(deps, account), errors });
    });

    app.post(path, { config: { heavy: 'sign-in' } }, (request, reply) =>
      setRequired(deps, { request, reply }),
    );
  };
}

async function setRequired(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, purposeOf(flow));
  const anonymous = await readVisit(deps, exchange, flow);
  const { visit, account, proofs, ...begun } = await requireStep(deps, anonymous, 'newPassword');
  const organization = await organizationOf(deps, account);
  const entered = readNewPassword(request.body);
  const errors = await errorsOf(deps, visit, { account, organization, entered });
  if (Object.keys(errors).length > 0) {
    return refuseForm(
      deps,
      reply.code(400),
      { visit, path, query: { request: visit.flow } },
      { errors: { ...errors } },
    );
  }
  const { id } = account.user;
  const editor = { userId: id, service: 'login' };
  await setPassword(deps, { organization, id, password: entered.password, editor });
  await deps.sessions.endAllOf(id);
  await deps.loginSteps.remove(visit.agent.hash, visit.flow);
  const changed = await rereadAccount(deps, account);
  return continueSignIn(deps, exchange, { visit, account: changed, proofs, ...begun });
}

function purposeOf(flow: string): string {
  return `new-password ${flow}`;
}

function organizationOf({ caches }: Pick<Deps, 'caches'>, { user }: Account): Promise<Organization> {
  return requireOrganization(caches.organizations.get, user.orgId);
}

/** What is wrong with a new password: the policy, the repetition, or that it is the current one. */
async function errorsOf(
  { passwords }: Pick<Deps, 'passwords'>,
  { language, texts }: Visit,
  change: { account: Account; organization: Organization; entered: { password: string; repeated: string } },
): Promise<NewPasswordErrors> {
  const { account, organization, entered } = change;
  const errors = newPasswordErrors(entered, organization.passwordPolicy, language);
  if (Object.keys(errors).length > 0) return errors;
  const work = { purpose: 'other', orgId: organization.id } as const;
  const isSame = await passwords.verify(account.password?.hash, entered.password, work);
  return isSame ? { password: texts.samePassword } : {};
}

function show(
  deps: Deps,
  { reply }: Pick<HttpExchange, 'reply'>,
  shown: { visit: Visit; organization: Organization; errors: NewPasswordErrors | undefined },
): FastifyReply {
  const { visit, organization, errors = {} } = shown;
  const { texts: t, agent, flow } = visit;
  const content = form({
    action: pageAddress(deps, path),
    agent,
    purpose: purposeOf(flow),
    hidden: { request: flow },
    content: newPasswordFields(visit, { organization, errors }),
  });
  const page = { title: t.newPasswordTitle, subtitle: t.newPasswordText, content };
  return showVisit(deps, { reply }, { visit, ...page });
}
