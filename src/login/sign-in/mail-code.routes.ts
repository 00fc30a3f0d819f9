import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { checkMailCode, mailCodeKey } from '#src/authentication/second-factor/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { requireStep } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { answerLocked } from '../http/locked.js';
import { originOf } from '../http/origin.js';
import { requireFlowForm } from '../http/other-tab.js';
import { showVisit } from '../http/pages.js';
import { type FormRefusal, readRefusal, refuseForm } from '../http/refused-form.js';
import { rememberIfAsked } from '../http/remembered-browser.js';
import { mailCodePath as path, sendMailCode } from '../http/send-mail-code.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { mailCodePage, mailCodePurpose, sendCodePath } from './mail-code-page.js';
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
>;

/** The page for a mailed code as second factor, where the organization allows it. */
export function mailCodeRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, (request, reply) => show(deps, { request, reply }));

    app.post(path, (request, reply) => prove(deps, { request, reply }));
    app.post(sendCodePath, (request, reply) => send(deps, { request, reply }));
  };
}

async function show(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request } = exchange;
  const anonymous = await readVisit(deps, exchange, flowOf(request.query));
  const atStep = await requireStep(deps, anonymous, 'mailCode');
  const { visit, account } = atStep;
  const waiting = await deps.mailCodes.find(mailCodeKey({ account, agentHash: visit.agent.hash }));
  const { alert, errors = {} } = readRefusal(deps, exchange, { visit, path }) ?? {};
  const isAnother = formText(request.query, 'sent') !== '' && alert === undefined;
  const page = mailCodePage(deps, atStep, {
    isSent: waiting !== undefined,
    act: readAct(deps, request, visit, account.user.id) ?? '',
    error: errors['code'],
    ...(alert !== undefined && { alert }),
    ...(isAnother && { notice: visit.texts.verifyEmail.sent }),
  });
  return showVisit(deps, exchange, { visit, ...page });
}

/** Continues the sign-in if the code is right. */
async function prove(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, mailCodePurpose(flow, 'code'));
  const visited = await readVisit(deps, exchange, flow);
  const [{ visit, account, proofs, step: _step, ...begun }, pastSignIns] = await Promise.all([
    requireStep(deps, visited, 'mailCode'),
    deps.sessions.pastSignIns(visited.agent.hash),
  ]);
  const outcome = await checkMailCode(deps, {
    account,
    agentHash: visit.agent.hash,
    code: formText(request.body, 'code'),
    earlier: pastSignIns.get(account.user.id),
    ...originOf(request, visit),
  });
  const { emailChange: t } = visit.texts;
  switch (outcome.kind) {
    case 'right': {
      const proof = { kind: 'mailCode' } as const;
      await deps.loginSteps.remove(visit.agent.hash, visit.flow);
      await rememberIfAsked(deps, exchange, { account, proof });
      return continueSignIn(deps, exchange, {
        ...{ visit, account, proofs: [...proofs, proof], ...begun },
        pastSignIns,
      });
    }
    case 'ended':
      return refuse(deps, reply.code(400), visit, { alert: t.ended });
    case 'wrong':
      return refuse(deps, reply.code(400), visit, { errors: { code: t.wrongCode } });
    case 'locked':
      return refuse(deps, reply, visit, { errors: { code: answerLocked(reply, visit.language, outcome) } });
  }
}

/** Mails a code, which replaces the one before. */
async function send(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, mailCodePurpose(flow, 'send'));
  const visited = await readVisit(deps, exchange, flow);
  const { visit, account } = await requireStep(deps, visited, 'mailCode');
  const { language, agent } = visit;
  const signIn = { account, agentHash: agent.hash, language };
  const isAnother = (await deps.mailCodes.find(mailCodeKey(signIn))) !== undefined;
  const wait = await sendMailCode(deps, signIn);
  if (wait !== undefined) return refuse(deps, reply, visit, { alert: answerLocked(reply, language, wait) });
  const query = { request: visit.flow, sent: isAnother ? '1' : undefined };
  return goTo(reply, pageAddress(deps, path, query));
}

function refuse(deps: Deps, reply: FastifyReply, visit: Visit, refusal: FormRefusal): FastifyReply {
  return refuseForm(deps, reply, { visit, path, query: { request: visit.flow } }, refusal);
}
