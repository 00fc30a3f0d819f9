import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { unlinkIdentity } from '#src/connections/identities/index.js';
import { connectionErrors } from '#src/connections/index.js';
import { ProviderFailure } from '#src/connections/provider/index.js';
import { beginAtProvider } from '#src/connections/sign-in/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { html } from '#src/http/pages/html.js';
import { goTo } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { AppError } from '#src/platform/errors.js';
import { signOutOfIdentity } from '#src/sessions/sign-out.js';
import { leaveForProvider } from '../../connections/http/leave-for-provider.js';
import { refusalText } from '../../connections/refusal-text.js';
import { showVisit } from '../../http/pages.js';
import { readRefusal } from '../../http/refused-form.js';
import { loginToAccount } from '../../http/to-account.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountForm } from '../http/account-form.js';
import { type OwnIdentities, ownIdentities, identitiesPath as path } from '../http/identity-section.js';
import {
  accountAddress,
  type Member,
  readMemberPost,
  readSignedInMember,
  refuseMember,
} from '../http/member.js';
import { goToAccount } from '../http/show-account.js';
import { confirmAddress, isFreshMember } from '../passkeys/fresh-member.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'ableOwners'
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'connectionSealer'
  | 'events'
  | 'groupMembers'
  | 'identityLinks'
  | 'logoutHints'
  | 'providerSessions'
  | 'mongo'
  | 'providers'
  | 'recordRefusal'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'samlThreads'
  | 'sessions'
  | 'waitingSignIns'
>;

/**
 * The page on which people link accounts of other services to their own, and remove them. All of it needs a fresh proof, because whoever links an
 * account signs in with it for years. The way back from the provider is `connections/finish-own-link.ts`.
 */
export function identitiesRoutes(deps: Deps): FastifyPluginAsync {
  const login = loginToAccount(deps);
  return async (app) => {
    app.get(path, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      return member === undefined ? goTo(reply, login) : show(deps, { request, reply }, member);
    });
    // A page about an error is shown at the address of its POST, and the person may open it again as a GET.
    for (const form of [`${path}/link`, `${path}/unlink`])
      app.get(form, (_request, reply) => goTo(reply, login));
    app.post(`${path}/link`, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'link-identity');
      return member === undefined ? goTo(reply, login) : begin(deps, { request, reply }, member);
    });
    app.post(`${path}/unlink`, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'unlink-identity');
      return member === undefined ? goTo(reply, login) : unlink(deps, { request, reply }, member);
    });
  };
}

async function show(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { visit } = member;
  if (!isFreshMember(deps, member)) return goTo(exchange.reply, confirmAddress(deps, member, { next: path }));
  const alert = readRefusal(deps, exchange, { visit, path })?.alert;
  const page = identitiesPage(deps, member, await ownIdentities(deps, member));
  return showVisit(deps, exchange, { visit, ...page, alert });
}

function identitiesPage(deps: Deps, member: Member, { linked, linkable }: OwnIdentities): PageContent {
  const { texts } = member.visit;
  const { identities: t } = texts;
  const rows = linked.map(({ connectionId, name }) => {
    const remove = accountForm(deps, member, {
      path: `${path}/unlink`,
      purpose: 'unlink-identity',
      hidden: { connection: connectionId },
      content: html`<button type="submit" class="quiet small">${texts.remove}</button>`,
    });
    return html`<li class="row"><p><strong>${name}</strong></p>${remove}</li>`;
  });
  const buttons = linkable.map(({ id, name }) =>
    accountForm(deps, member, {
      path: `${path}/link`,
      purpose: 'link-identity',
      hidden: { connection: id },
      content: html`<button type="submit" class="full quiet">${t.linkTo(name)}</button>`,
    }),
  );
  const content = html`${rows.length === 0 ? html`<p>${t.none}</p>` : html`<ul class="rows">${rows}</ul>`}
${buttons}
<p class="links"><a href="${accountAddress(deps, '/account', member)}">${texts.account}</a></p>`;
  return { title: t.title, subtitle: t.text, content, ...(linkable.length > 0 && { leadsAway: true }) };
}

/** Leads to the provider. The answer counts for this session alone. */
async function begin(deps: Deps, { request, reply }: HttpExchange, member: Member): Promise<FastifyReply> {
  const { visit, session, account } = member;
  if (!isFreshMember(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: path }));
  const { linkable } = await ownIdentities(deps, member);
  const connection = linkable.find(({ id }) => id === formText(request.body, 'connection'));
  if (connection === undefined) return goTo(reply, accountAddress(deps, path, member));
  try {
    const departure = await beginAtProvider(deps, {
      ...{ connection, agentHash: visit.agent.hash, flow: '', toAccount: true },
      wishes: { uiLocales: [visit.language] },
      linkTo: { userId: account.user.id, sessionId: session.id },
    });
    return leaveForProvider(deps, reply, { visit, departure });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    await deps.recordRefusal(connection, { reason: error.problem, detail: error.message });
    reply.code(503);
    const alert = refusalText(visit.texts, error.problem, connection);
    return refuseMember(deps, reply, { member, path }, { alert });
  }
}

/** Takes the identities of a connection from the person. What began by it ends, perhaps with this session. */
async function unlink(deps: Deps, { request, reply }: HttpExchange, member: Member): Promise<FastifyReply> {
  const { visit, session, account } = member;
  if (!isFreshMember(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: path }));
  const { id: userId, orgId } = account.user;
  const connectionId = formText(request.body, 'connection');
  const endSignInsOf = (of: { userId: string; connectionId: string }) => signOutOfIdentity(deps, of);
  const editor = { userId, service: 'account' };
  try {
    await unlinkIdentity({ ...deps, endSignInsOf }, { orgId, userId, connectionId, editor });
  } catch (error) {
    const id = error instanceof AppError ? error.definition.id : undefined;
    // Another tab, or an administrator, was faster.
    if (id === connectionErrors.identityNotFound.id) return goTo(reply, accountAddress(deps, path, member));
    if (id !== connectionErrors.lastWayIn.id && id !== directoryErrors.lastAbleOwner.id) throw error;
    reply.code(409);
    return refuseMember(deps, reply, { member, path }, { alert: visit.texts.identities.lastWayIn });
  }
  return goToAccount(deps, reply, { session, done: 'identityUnlinked' });
}
