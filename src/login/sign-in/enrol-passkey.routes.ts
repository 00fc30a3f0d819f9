import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import {
  addPasskey,
  creationOptions,
  listPasskeys,
  type RelyingParty,
  relyingPartyOf,
  userHandleOf,
} from '#src/authentication/passkeys/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { form } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { passkeyField } from '#src/http/pages/passkey-script.js';
import { requireOrganization } from '#src/organizations/index.js';
import { requireStep, type SignInAtStep, signInAgain } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { requireFlowForm } from '../http/other-tab.js';
import { otherWays } from '../http/other-ways.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import { whyNotAdded } from '../http/why-not-added.js';
import type { LoginNeeds } from '../needs/needs.js';
import { newAccountOf, refuseNewcomer, welcomeNewcomer } from '../registration/add-newcomer.js';
import { isFirstFactor, isPutOff, laterButton, whyEnrolled } from './enrolment.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
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
  | 'passkeyChallenges'
  | 'pendingEmails'
  | 'quotas'
  | 'rateCounts'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'relyingParty'
  | 'rememberedBrowsers'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'webauthnCredentials'
>;

const path = '/login/enrol-passkey';

/**
 * The page on which a person makes a passkey in the middle of a sign-in, because the organization demands one, or because no password signs in
 * there. `nextStep` decides who comes here. What was proved in this sign-in is the fresh proof that a new passkey needs.
 */
export function enrolPasskeyRoutes(deps: Deps): FastifyPluginAsync {
  const party = relyingPartyOf(deps.config);
  return async (app) => {
    if (party === undefined) return;
    app.get(path, (request, reply) => showEnrolment(deps, { request, reply }, party));
    app.post(path, (request, reply) => enrol(deps, { request, reply }, party));
  };
}

function purposeOf(flow: string): string {
  return `enrol-passkey ${flow}`;
}

function bindingOf({ agent }: Visit, { user }: Account) {
  return { purpose: 'signInEnrol', agent: agent.hash, orgId: user.orgId, userId: user.id } as const;
}

async function showEnrolment(deps: Deps, exchange: HttpExchange, party: RelyingParty): Promise<FastifyReply> {
  const anonymous = await readVisit(deps, exchange, flowOf(exchange.request.query));
  const atStep = await requireStep(deps, anonymous, 'enrolPasskey');
  const { visit, step } = atStep;
  const { texts: t, flow, agent } = visit;
  const options = await optionsFor(deps, atStep, party);
  const common = {
    action: pageAddress(deps, path),
    agent,
    purpose: purposeOf(flow),
    hidden: { request: flow },
  };
  const later = laterButton(visit, step);
  const content = html`<div hidden data-passkey-on>${form({
    ...common,
    content: html`${passkeyField({ act: 'create', options })}
<p class="error" role="alert" hidden data-passkey-failed>${t.passkeys.notAdded}</p>
<button type="submit" class="full" data-passkey-ask>${t.passkeys.create}</button>`,
  })}</div>
<p data-passkey-off>${t.passkeys.unsupported}</p>
${later && form({ ...common, content: later })}
<div class="links">${otherWays(deps, atStep, { here: 'enrolPasskey' })}</div>`;
  const alert = readRefusal(deps, exchange, { visit, path })?.alert;
  const subtitle = `${whyEnrolled(atStep)} ${t.passkeys.addText}`;
  return showVisit(deps, exchange, { visit, title: t.passkeys.add, subtitle, content, alert });
}

async function optionsFor(
  deps: Deps,
  { visit, account, step }: SignInAtStep,
  party: RelyingParty,
): Promise<object> {
  const present = account.passkeys === undefined ? [] : await listPasskeys(deps, account.user);
  const handle = userHandleOf(present);
  const { name: serviceName } = await requireOrganization(deps.caches.organizations.get, account.user.orgId);
  return creationOptions(party, {
    challenge: deps.passkeyChallenges.make(bindingOf(visit, account), handle),
    serviceName,
    user: { ...account.user, handle },
    present,
    isOnlyFactor: isFirstFactor(step),
  });
}

/** Adds the passkey that the authenticator has made for the page, and goes on with it as a proof. */
async function enrol(deps: Deps, exchange: HttpExchange, party: RelyingParty): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, purposeOf(flow));
  const visited = await readVisit(deps, exchange, flow);
  const { step, newcomer, ...begun } = await requireStep(deps, visited, 'enrolPasskey');
  const { visit, account, proofs } = begun;
  if (isPutOff(request.body, step)) return continueSignIn(deps, exchange, { ...begun, putsOff: true });
  const { passkeys: t } = visit.texts;
  const { id, orgId } = account.user;
  let used: Awaited<ReturnType<typeof addPasskey>> | ReturnType<typeof whyNotAdded>;
  try {
    used = await addPasskey(deps, {
      ...{ orgId, id, party, binding: bindingOf(visit, account), usualLabel: t.usualName },
      response: formText(request.body, 'response'),
      editor: { userId: id, service: 'login' },
      isOnlyFactor: isFirstFactor(step),
      newAccount: newAccountOf(deps, newcomer),
    }).catch(whyNotAdded);
  } catch (error) {
    return await refuseNewcomer(deps, reply, { visit, newcomer, error });
  }
  if (used === undefined || typeof used === 'string') {
    reply.code(400);
    const page = { visit, path, query: { request: visit.flow } };
    return refuseForm(deps, reply, page, { alert: t[used ?? 'notAdded'] });
  }
  await deps.loginSteps.remove(visit.agent.hash, visit.flow);
  const renewed = await deps.accounts.find(orgId, id);
  if (!renewed?.user.active) throw signInAgain(deps, visit);
  await welcomeNewcomer(deps, { visit, account, newcomer });
  return continueSignIn(deps, exchange, {
    ...begun,
    account: renewed,
    proofs: [...proofs, { kind: 'passkey', ...used }],
  });
}
