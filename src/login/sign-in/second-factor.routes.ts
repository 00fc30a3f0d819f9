import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { checkSecondFactor } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { requireStep, type SignInAtStep } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { originOf } from '../http/origin.js';
import { requireFlowForm } from '../http/other-tab.js';
import { otherWays, whyAsked } from '../http/other-ways.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { rememberBox, rememberIfAsked } from '../http/remembered-browser.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { readAct } from './person-to-confirm.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'confirmationSealer'
  | 'dailyMails'
  | 'events'
  | 'groupMembers'
  | 'logger'
  | 'loginAttempts'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'notices'
  | 'pendingEmails'
  | 'rateCounts'
  | 'rememberedBrowsers'
  | 'refusedFormSealer'
  | 'sessions'
  | 'totpSealer'
>;

const path = '/login/code';

/** The page for the second factor, after the password: for a one-time code, or for a recovery code. */
export function secondFactorRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, async (request, reply) => {
      const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query));
      const isRecovery = isOfRecovery(request.query);
      const atStep = await requireStep(deps, anonymous, 'code', ...recoveryStep(isRecovery));
      const { visit, account } = atStep;
      const act = readAct(deps, request, visit, account.user.id);
      const error = readRefusal(deps, { request, reply }, { visit, path })?.errors['code'];
      return showVisit(deps, { reply }, { visit, ...codePage(deps, atStep, { isRecovery, error, act }) });
    });

    app.post(path, (request, reply) => proveSecondFactor(deps, { request, reply }));
  };
}

function purposeOf(flow: string): string {
  return `code ${flow}`;
}

/** Whether a form or an address is for a recovery code. */
function isOfRecovery(source: unknown): boolean {
  return formText(source, 'recovery') !== '';
}

/** The form for a recovery code serves two steps: it replaces a one-time code, or leads to a new factor. */
function recoveryStep(isRecovery: boolean): readonly 'recovery'[] {
  return isRecovery ? ['recovery'] : [];
}

function codePage(
  deps: Pick<Deps, 'config'>,
  atStep: SignInAtStep,
  {
    isRecovery,
    error,
    act = '',
  }: { isRecovery: boolean; error: string | undefined; act: string | undefined },
): PageContent {
  const { texts: t, flow, agent } = atStep.visit;
  const asked = isRecovery
    ? { label: t.recoveryCode, autocomplete: 'off', isTypedCode: true }
    : { label: t.code, autocomplete: 'one-time-code', isCode: true };
  const otherForm = {
    href: pageAddress(deps, path, { request: flow, recovery: isRecovery ? undefined : '1' }),
    text: isRecovery ? t.ways.code : t.useRecoveryCode,
  };
  const { step } = atStep;
  const takesCodes = 'others' in step && [step.page, ...step.others].includes('code');
  const content = html`${form({
    action: pageAddress(deps, path),
    agent,
    purpose: purposeOf(flow),
    hidden: { request: flow, ...(isRecovery && { recovery: '1' }) },
    content: html`${field({ name: 'code', ...asked, isFocused: true, error })}
${!isRecovery && rememberBox(atStep)}
${submit(t.continue)}`,
  })}
<div class="links">${otherWays(deps, atStep, { here: takesCodes ? 'code' : 'recovery', forms: takesCodes ? [otherForm] : [] })}
<p><a href="${pageAddress(deps, '/login', { request: flow })}">${t.back}</a></p>
<p class="hint">${t.lostDevice}</p></div>`;
  const recoveryText = takesCodes ? t.recoveryCodeText : t.recoveryToEnrol;
  const told = [act, whyAsked(atStep), isRecovery ? recoveryText : t.codeText];
  const subtitle = told.filter((sentence) => sentence !== '').join(' ');
  return { title: t.codeTitle, subtitle, content };
}

async function proveSecondFactor(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, purposeOf(flow));
  const visited = await readVisit(deps, exchange, flow);
  const isRecovery = isOfRecovery(request.body);
  const [{ visit, account, proofs, ...begun }, pastSignIns] = await Promise.all([
    requireStep(deps, visited, 'code', ...recoveryStep(isRecovery)),
    deps.sessions.pastSignIns(visited.agent.hash),
  ]);
  const outcome = await checkSecondFactor(deps, {
    account,
    code: formText(request.body, 'code'),
    earlier: pastSignIns.get(account.user.id),
    ...originOf(request, visit),
  });
  if (outcome.kind === 'right') {
    await deps.loginSteps.remove(visit.agent.hash, visit.flow);
    await rememberIfAsked(deps, exchange, { account, proof: outcome.proof });
    return continueSignIn(deps, exchange, {
      ...{ visit, account, proofs: [...proofs, outcome.proof], ...begun },
      pastSignIns,
    });
  }
  const error =
    outcome.kind === 'wrong'
      ? answerWrong(reply, visit, isRecovery)
      : answerLocked(reply, visit.language, outcome);
  const query = { request: visit.flow, recovery: isRecovery ? '1' : undefined };
  return refuseForm(deps, reply, { visit, path, query }, { errors: { code: error } });
}

/** Sets the status of a wrong code. Returns the sentence for its page. */
function answerWrong(reply: FastifyReply, { texts: t }: Visit, isRecovery: boolean): string {
  reply.code(400);
  return isRecovery ? t.wrongRecoveryCode : t.wrongCode;
}
