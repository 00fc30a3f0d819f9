import { scopeToConsent } from '#src/authorization/requested-claims.js';
import { initialOf } from '#src/http/pages/brand.js';
import { form } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import type { PageContent } from '#src/http/pages/page-frame.js';
import { placeOf } from '#src/http/pages/place-of.js';
import { scopeList } from '../http/scope-list.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { AskedConsent } from './consent.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** What the page says beside the request. */
interface ConsentFacts {
  /** The name of the organization that the application belongs to. */
  readonly owner: string;
  /** The organizations of the projects that the scope names, in words. '' if there are none. */
  readonly projectOwners: string;
  /** Whether the consent is stored, so that the person is not asked again. */
  readonly isKept: boolean;
}

/** The purpose of the form of {@link consentPage}: for one request and one session. */
export function consentPurpose(flow: string, sessionId: string): string {
  return `consent ${sessionId} ${flow}`;
}

/** The page that asks a person whether an application may have what it asks for. */
export function consentPage(
  deps: Deps,
  visit: Visit,
  { waiting, application, session, ...facts }: AskedConsent & ConsentFacts,
): PageContent {
  const { texts: t, flow } = visit;
  const { owner, projectOwners, isKept } = facts;
  const isForeign = application.orgId !== session.orgId;
  const scope = scopeToConsent(waiting.scope, waiting.claims);
  const content = html`<p class="person chip"><span class="avatar" aria-hidden="true">${initialOf(session.displayName)}</span><span>${session.displayName}<span class="soft">${session.userName}</span></span></p>
<p>${t.consentText(application.name)}</p>
${scopeList(scope, t, projectOwners)}
${isForeign && html`<p class="soft">${t.consentForeign(owner)}</p>`}
${isKept && html`<p class="soft">${t.consentKept}</p>`}
<p class="soft">${t.consentPlace(placeOf(waiting.redirectUri))}</p>
${decisionForm(deps, visit, session.id)}
<p class="links"><a href="${pageAddress(deps, '/login/select', { request: flow })}">${t.anotherAccount}</a></p>`;
  return { title: t.consentTitle(application.name), content };
}

function decisionForm(deps: Deps, { texts: t, flow, agent }: Visit, sessionId: string): Html {
  return form({
    action: pageAddress(deps, '/login/consent'),
    agent,
    purpose: consentPurpose(flow, sessionId),
    hidden: { request: flow, session: sessionId },
    content: html`<div class="buttons"><button type="submit" name="decision" value="allow">${t.allow}</button>
<button type="submit" name="decision" value="deny" class="quiet">${t.cancel}</button></div>`,
  });
}
