import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { finishEmailChange } from '#src/authentication/email-change/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { requireOrganization } from '#src/organizations/index.js';
import { type BegunSignIn, requireStep } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { countAttempt } from '../http/count-attempt.js';
import { answerLocked } from '../http/locked.js';
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { isNoAddress, mailProof, verifyEmailPath as path } from '../http/prove-address.js';
import { type FormRefusal, readRefusal, refuseForm } from '../http/refused-form.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { otherCodePath, verifyEmailPage, verifyPurpose } from './verify-email-page.js';

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
  | 'loginAttempts'
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
  | 'userCounter'
  | 'users'
>;

/** The page on which a person proves the address during a sign-in, if the organization asks for it. */
export function verifyEmailRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, async (request, reply) => {
      const unproved = await readUnproved(deps, { request, reply }, flowOf(request.query));
      return show(deps, { request, reply }, unproved);
    });

    app.post(path, (request, reply) => prove(deps, { request, reply }));
    app.post(otherCodePath, (request, reply) => sendAnother(deps, { request, reply }));
  };
}

/** The sign-in of a person who has proved everything but the address. @throws as {@link requireStep} */
async function readUnproved(deps: Deps, exchange: HttpExchange, flow: string): Promise<BegunSignIn> {
  return requireStep(deps, await readVisit(deps, exchange, flow), 'verifyEmail');
}

async function show(deps: Deps, exchange: HttpExchange, unproved: BegunSignIn): Promise<FastifyReply> {
  const { visit, account } = unproved;
  const refusal = readRefusal(deps, exchange, { visit, path });
  const pending = await deps.pendingEmails.find(account.user.id);
  const isSent = formText(exchange.request.query, 'sent') !== '';
  const page = verifyEmailPage(deps, unproved, {
    address: pending?.email,
    typed: refusal?.typed['email'],
    errors: refusal?.errors ?? {},
    alert: refusal?.alert,
    ...(isSent && { notice: visit.texts.verifyEmail.sent }),
  });
  return showVisit(deps, exchange, { visit, ...page });
}

/** Continues the sign-in if the code is right. */
async function prove(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, verifyPurpose(flow, 'code'));
  const { visit, account, proofs, toAccount, links } = await readUnproved(deps, exchange, flow);
  const { id, orgId } = account.user;
  const organization = await requireOrganization(deps.caches.organizations.get, orgId);
  const editor = { userId: id, service: 'login' };
  const code = formText(request.body, 'code');
  const outcome = await finishEmailChange(deps, { organization, id, code, editor });
  if (outcome === 'changed') {
    await deps.userCounter.changed(orgId);
    await deps.loginSteps.remove(visit.agent.hash, visit.flow);
    const proved = (await deps.accounts.find(orgId, id)) ?? account;
    return continueSignIn(deps, exchange, {
      visit,
      account: proved,
      proofs,
      toAccount,
      isKnownBrowser: true,
      links,
    });
  }
  const t = visit.texts.emailChange;
  return refuse(
    deps,
    reply.code(400),
    visit,
    outcome === 'wrong' ? { errors: { code: t.wrongCode } } : { alert: t.ended },
  );
}

/** Sends another code, to another address if the person typed one. */
async function sendAnother(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, verifyPurpose(flow, 'other'));
  const { visit, account } = await readUnproved(deps, exchange, flow);
  const { language } = visit;
  const email = formText(request.body, 'email').trim();
  const counted = await countAttempt(deps, exchange, { form: 'member-mail-address', language });
  if ('locked' in counted) return refuse(deps, reply, visit, { typed: { email }, alert: counted.locked });
  try {
    const proof = { user: account.user, address: email, isToSignIn: true, language };
    const wait = await mailProof(deps, proof);
    if (wait !== undefined) {
      const alert = answerLocked(reply, language, wait);
      return refuse(deps, reply, visit, { typed: { email }, alert });
    }
  } catch (error) {
    if (!isNoAddress(error)) throw error;
    reply.code(400);
    return refuse(deps, reply, visit, { typed: { email }, errors: { email: visit.texts.wrongEmail } });
  }
  return goTo(reply, pageAddress(deps, path, { request: visit.flow, sent: '1' }));
}

function refuse(deps: Deps, reply: FastifyReply, visit: Visit, refusal: FormRefusal): FastifyReply {
  return refuseForm(deps, reply, { visit, path, query: { request: visit.flow } }, refusal);
}
