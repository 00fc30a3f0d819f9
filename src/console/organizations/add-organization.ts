import { html } from '#src/http/pages/html.js';
import { newId } from '#src/platform/ids.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { card, shownOnce } from '../http/parts.js';
import { problemText } from '../http/problem-page.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { type InvitationProgress, type Invited, inviteOwner } from './invite-owner.js';
import { organizationsTexts } from './texts/texts.js';

/** What stopped, and what exists already. */
interface Stopped {
  readonly problem: ApiProblem;
  readonly progress: InvitationProgress;
}

/**
 * The form for a new organization with its first owner. Its hidden identifier becomes that of the organization, so that a form that
 * is sent again goes on where it stopped.
 */
export function addOrganizationPage(visit: ConsoleVisit, stopped?: Stopped): ConsolePage {
  const { at, language, t } = visit;
  const own = organizationsTexts[language];
  const typed = (name: string) => fieldText(visit, name);
  const content = form(visit, {
    action: '/console/orgs/new',
    hidden: { id: typed('id') || newId() },
    content: html`${field({ name: 'name', label: own.organizationName, value: typed('name'), isRequired: true, maxLength: 200 })}
<h2>${own.owner}</h2><p class="soft">${own.ownerHint}</p>
${field({ name: 'userName', label: own.userName, value: typed('userName'), isRequired: true, maxLength: 200, isExact: true })}
${field({ name: 'email', label: own.email, type: 'email', value: typed('email'), isRequired: true, maxLength: 200 })}
${field({ name: 'givenName', label: own.givenName, value: typed('givenName'), isRequired: true, maxLength: 200 })}
${field({ name: 'familyName', label: own.familyName, value: typed('familyName'), isRequired: true, maxLength: 200 })}
${buttons(own.addAndInvite, { cancel: { href: at('/console/orgs'), label: t.cancel } })}`,
  });
  return {
    title: own.add,
    crumbs: [{ href: at('/console/orgs'), label: t.nav.organizations }],
    content: html`<div class="card">${content}</div>`,
    ...(stopped && { alert: stoppedText(visit, stopped), status: stopped.problem.status }),
  };
}

function stoppedText(visit: ConsoleVisit, { problem, progress }: Stopped) {
  const own = organizationsTexts[visit.language];
  const done = [
    progress.organization && own.organizationExists,
    progress.person && own.personExists,
    progress.role && own.roleExists,
  ].filter((line) => line !== undefined && line !== false);
  return html`${problemText(problem)}${done.length > 0 && html`<p>${own.existsAlready}</p><ul>${done.map((line) => html`<li>${line}</li>`)}</ul><p>${own.sendAgain}</p>`}`;
}

/** Adds the organization and its owner, and shows the link with which the owner sets a password. */
export async function addOrganization(visit: ConsoleVisit): Promise<ConsolePage> {
  const progress: InvitationProgress = {};
  try {
    return invitedPage(visit, await inviteOwner(visit, progress));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addOrganizationPage(visit, { problem: error, progress });
  }
}

function invitedPage(visit: ConsoleVisit, { orgId, link }: Invited): ConsolePage {
  const { at, language, t } = visit;
  const own = organizationsTexts[language];
  const name = fieldText(visit, 'name');
  const base = `/console/orgs/${segmentOf(orgId)}`;
  const next = [
    [`${base}/settings`, t.nav.settings],
    [`${base}/applications/new`, own.addApplication],
    [`${base}/provisioning`, t.nav.provisioning],
  ] as const;
  return {
    title: name,
    organization: { id: orgId, name },
    notice: own.invited,
    content: html`${shownOnce({ label: own.link, value: link, hint: own.linkHint })}
${card(own.next, html`<p class="buttons">${next.map(([path, label]) => html`<a class="button quiet" href="${at(path)}">${label}</a>`)}</p>`)}`,
  };
}
