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
  const texts = organizationsTexts[language];
  const typed = (name: string) => fieldText(visit, name);
  const content = form(visit, {
    action: '/console/orgs/new',
    shown: { id: typed('id') || newId() },
    content: html`${field({ name: 'name', label: texts.organizationName, value: typed('name'), isRequired: true, maxLength: 200 })}
<h2>${texts.owner}</h2><p class="soft">${texts.ownerHint}</p>
${field({ name: 'userName', label: texts.userName, value: typed('userName'), isRequired: true, maxLength: 200, isExact: true })}
${field({ name: 'email', label: texts.email, type: 'email', value: typed('email'), isRequired: true, maxLength: 200 })}
${field({ name: 'givenName', label: texts.givenName, value: typed('givenName'), isRequired: true, maxLength: 200 })}
${field({ name: 'familyName', label: texts.familyName, value: typed('familyName'), isRequired: true, maxLength: 200 })}
${buttons(texts.addAndInvite, { cancel: { href: at('/console/orgs'), label: t.cancel } })}`,
  });
  return {
    title: texts.add,
    crumbs: [{ href: at('/console/orgs'), label: t.nav.organizations }],
    content: html`<div class="card">${content}</div>`,
    ...(stopped && { alert: stoppedText(visit, stopped), status: stopped.problem.status }),
  };
}

function stoppedText(visit: ConsoleVisit, { problem, progress }: Stopped) {
  const texts = organizationsTexts[visit.language];
  const done = [
    progress.organization && texts.organizationExists,
    progress.person && texts.personExists,
    progress.role && texts.roleExists,
  ].filter((line) => line !== undefined && line !== false);
  return html`${problemText(problem)}${done.length > 0 && html`<p>${texts.existsAlready}</p><ul>${done.map((line) => html`<li>${line}</li>`)}</ul><p>${texts.sendAgain}</p>`}`;
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
  const texts = organizationsTexts[language];
  const name = fieldText(visit, 'name');
  const base = `/console/orgs/${segmentOf(orgId)}`;
  const next = [
    [`${base}/settings`, t.nav.settings],
    [`${base}/applications/new`, texts.addApplication],
    [`${base}/provisioning`, t.nav.provisioning],
  ] as const;
  return {
    title: name,
    organization: { id: orgId, name },
    notice: texts.invited,
    content: html`${shownOnce({ label: texts.link, value: link, hint: texts.linkHint })}
${card(texts.next, html`<p class="buttons">${next.map(([path, label]) => html`<a class="button quiet" href="${at(path)}">${label}</a>`)}</p>`)}`,
  };
}
