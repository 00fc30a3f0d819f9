import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { newTotpSecret, toBase32, totpAddress } from '#src/accounts/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { field, form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { requireOrganization } from '#src/organizations/index.js';
import { enrolTotp } from '../account/second-factor/enrol-totp.js';
import { qrCode } from '../account/second-factor/qr-code.js';
import { sealEnrolment, unsealEnrolment } from '../account/second-factor/totp-enrolment.js';
import { requireStep, type SignInAtStep } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { requireFlowForm } from '../http/other-tab.js';
import { otherWays } from '../http/other-ways.js';
import { showVisit } from '../http/pages.js';
import { readRefusal, refuseForm } from '../http/refused-form.js';
import { flowOf, readVisit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { rereadAccount } from '../new-password/reread-account.js';
import { newAccountOf, refuseNewcomer, welcomeNewcomer } from '../registration/add-newcomer.js';
import { isPutOff, laterButton, whyEnrolled } from './enrolment.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'ableOwners'
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'dailyMails'
  | 'events'
  | 'formSealer'
  | 'groupMembers'
  | 'logger'
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'mongo'
  | 'notices'
  | 'pendingEmails'
  | 'quotas'
  | 'rateCounts'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'rememberedBrowsers'
  | 'revocations'
  | 'sessions'
  | 'totpSealer'
  | 'userCounter'
  | 'users'
>;

const path = '/login/enrol';

/**
 * The page on which a person sets up one-time codes in the middle of a sign-in, because the organization demands a second factor. Until the day of
 * the demand, a password is enough to come here, and the person may do it later. From that day on, only a one-time link of an
 * administrator, a registration or a recovery code leads here.
 */
export function enrolRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(path, (request, reply) => showEnrolment(deps, { request, reply }));

    app.post(path, (request, reply) => enrol(deps, { request, reply }));
  };
}

/** What the page shows. */
interface Enrolment {
  readonly atStep: SignInAtStep;
  readonly secret: Buffer;
  readonly error: string | undefined;
  /** The name of the organization, which the app shows. */
  readonly issuer: string;
}

function purposeOf(flow: string): string {
  return `enrol ${flow}`;
}

/** Shows a new secret, or the one that the person has seen, if the form with its code was refused. */
async function showEnrolment(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const anonymous = await readVisit(deps, { request, reply }, flowOf(request.query));
  const atStep = await requireStep(deps, anonymous, 'enrol');
  const { visit, account } = atStep;
  const { id: userId, orgId } = account.user;
  const { carried = '', errors = {} } = readRefusal(deps, { request, reply }, { visit, path }) ?? {};
  const secret = unsealEnrolment(deps, { userId, sealed: carried }) ?? newTotpSecret();
  const { name: issuer } = await requireOrganization(deps.caches.organizations.get, orgId);
  const page = enrolPage(deps, { atStep, secret, error: errors['code'], issuer });
  return showVisit(deps, { reply }, { visit, ...page });
}

function enrolPage(deps: Deps, { atStep, secret, error, issuer }: Enrolment): PageContent {
  const { visit, account, step } = atStep;
  const { texts: t, flow, agent } = visit;
  const { id: userId, userName } = account.user;
  const address = totpAddress(secret, { issuer, account: userName });
  const content = html`${qrCode(address, t.totpPicture)}
<p class="center"><a href="${address}">${t.totpOpen}</a></p>
<p class="hint center">${t.totpType}</p>
<p class="center key" data-copy><code>${toBase32(secret).match(/.{4}/g)?.join(' ')}</code></p>
<p>${t.enrolConfirm}</p>
${form({
  action: pageAddress(deps, path),
  agent,
  purpose: purposeOf(flow),
  hidden: { request: flow, sealed: sealEnrolment(deps, { userId, secret }) },
  content: html`${field({ name: 'code', label: t.code, autocomplete: 'one-time-code', isCode: true, error, isFocused: error !== undefined })}
${submit(t.setUp)}
${laterButton(visit, step)}`,
})}
<div class="links">${otherWays(deps, atStep, { here: 'enrol' })}</div>`;
  return { title: t.totpTitle, subtitle: `${whyEnrolled(atStep)} ${t.totpScan}`, content };
}

/** Sets up the factor whose first code is right, and goes on. It ends every other sign-in of the person. */
async function enrol(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, purposeOf(flow));
  const visited = await readVisit(deps, exchange, flow);
  const { step, newcomer, ...begun } = await requireStep(deps, visited, 'enrol');
  const { visit, account, proofs } = begun;
  if (isPutOff(request.body, step)) return continueSignIn(deps, exchange, { ...begun, putsOff: true });
  const page = { visit, path, query: { request: visit.flow } };
  const carried = formText(request.body, 'sealed');
  const secret = unsealEnrolment(deps, { userId: account.user.id, sealed: carried });
  if (secret === undefined) return goTo(reply, pageAddress(deps, path, page.query));
  const code = formText(request.body, 'code');
  const { user } = account;
  const newAccount = newAccountOf(deps, newcomer);
  let codes: string[] | undefined;
  try {
    codes = await enrolTotp(deps, { user, secret, code, showsCodes: false, newAccount });
  } catch (error) {
    return await refuseNewcomer(deps, reply, { visit, newcomer, error });
  }
  if (codes === undefined)
    return refuseForm(deps, reply.code(400), page, { errors: { code: visit.texts.wrongCode }, carried });
  await deps.loginSteps.remove(visit.agent.hash, visit.flow);
  const renewed = await rereadAccount(deps, account);
  await welcomeNewcomer(deps, { visit, account, newcomer });
  return continueSignIn(deps, exchange, {
    ...begun,
    account: renewed,
    proofs: [...proofs, { kind: 'code' }],
  });
}
