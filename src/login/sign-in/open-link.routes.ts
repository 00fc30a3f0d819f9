import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import {
  findAccountOfLink,
  type SignInLink,
  takeSignInLink,
} from '#src/authentication/sign-in-links/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { form, submit } from '#src/http/pages/form.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { provedBefore } from '../http/begun-sign-in.js';
import { continueSignIn } from '../http/complete.js';
import { originOf } from '../http/origin.js';
import { showVisit } from '../http/pages.js';
import { readVisit, requireOwnForm, seenBy, type Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { linkPath } from './offer-link.js';
import { readPersonToConfirm } from './person-to-confirm.js';

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
  | 'loginSteps'
  | 'mailCodes'
  | 'mailer'
  | 'notices'
  | 'pendingEmails'
  | 'people'
  | 'rateCounts'
  | 'rememberedBrowsers'
  | 'sessions'
  | 'signInLinks'
>;

/** The page to which a mailed link leads. */
export const openPath = `${linkPath}/open`;
const purpose = 'open-mail-link';

/**
 * The page of a mailed link. Opening it changes nothing, because programs open the links of every mail. Its button signs in, at the browser
 * that asked for the link.
 */
export function openLinkRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.get(openPath, (request, reply) => show(deps, { request, reply }));

    app.post(openPath, (request, reply) => use(deps, { request, reply }));
  };
}

/** A link at a browser, and what it leads to there. */
type OpenedLink =
  | { readonly kind: 'here'; readonly link: SignInLink; readonly visit: Visit; readonly account: Account }
  | { readonly kind: 'elsewhere' | 'ended'; readonly visit: Visit };

/** Reads a link and uses nothing. @throws as {@link readVisit}, for the request that waits for the link */
async function readLink(deps: Deps, exchange: HttpExchange, token: string): Promise<OpenedLink> {
  const plain = await readVisit(deps, exchange, '');
  const link = await deps.signInLinks.find(token);
  if (link === undefined) return { kind: 'ended', visit: plain };
  if (!(await deps.sessions.isSameAgent(plain.agent.hash, link.agentHash)))
    return { kind: 'elsewhere', visit: plain };
  const ofLink = link.flow === '' ? plain : await readVisit(deps, exchange, link.flow);
  const { visit, person } = await readPersonToConfirm(deps, exchange.request, ofLink);
  const account = await findAccountOfLink(deps, link);
  const isMeant =
    account !== undefined &&
    (visit.onlyOrgId ?? link.orgId) === link.orgId &&
    (person?.userId ?? link.userId) === link.userId;
  if (!isMeant) return { kind: 'ended', visit: plain };
  const home = await deps.caches.organizations.get(link.orgId);
  return { kind: 'here', link, visit: seenBy(visit, account.user, home), account };
}

async function show(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const token = formText(exchange.request.query, 'token');
  const opened = await readLink(deps, exchange, token);
  const { visit } = opened;
  if (opened.kind === 'here')
    return showVisit(deps, exchange, { visit, ...openPage(deps, visit, { token, account: opened.account }) });
  exchange.reply.code(400);
  return showVisit(deps, exchange, { visit, ...uselessPage(deps, opened) });
}

function openPage(
  deps: Deps,
  { texts: t, agent }: Visit,
  { token, account: { user } }: { token: string; account: Account },
): PageContent {
  const content = form({
    action: pageAddress(deps, openPath),
    agent,
    purpose,
    hidden: { token },
    content: submit(t.signIn),
  });
  return { title: t.signIn, subtitle: t.signInLink.openText(user.userName), content, leadsAway: true };
}

/** The page of a link that does nothing at this browser. It tells a person with another browser where it works. */
function uselessPage(
  deps: Deps,
  { kind, visit: { texts: t } }: Pick<OpenedLink, 'kind' | 'visit'>,
): PageContent {
  const content = html`<p class="links"><a href="${pageAddress(deps, '/login')}">${t.signIn}</a></p>`;
  return kind === 'elsewhere'
    ? { title: t.signInLink.elsewhereTitle, subtitle: t.signInLink.elsewhereText, content }
    : { title: t.linkInvalid, subtitle: t.linkInvalidText, content };
}

/** Signs in by the link, which then works no more. */
async function use(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  requireOwnForm(deps, request, purpose);
  const token = formText(request.body, 'token');
  const opened = await readLink(deps, exchange, token);
  const { visit } = opened;
  const account =
    opened.kind === 'here' ? await takeSignInLink(deps, token, originOf(request, visit)) : undefined;
  if (opened.kind !== 'here' || account === undefined)
    return goTo(reply, pageAddress(deps, openPath, { token }));
  const [earlier, pastSignIns] = await Promise.all([
    provedBefore(deps, visit, account),
    deps.sessions.pastSignIns(visit.agent.hash),
  ]);
  return continueSignIn(deps, exchange, {
    visit,
    account,
    proofs: [...earlier, { kind: 'mailLink' }],
    isKnownBrowser: pastSignIns.has(account.user.id),
    pastSignIns,
    toAccount: opened.link.toAccount,
  });
}
