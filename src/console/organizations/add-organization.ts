import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { problemText } from '../http/problem-page.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { organizationsTexts } from './texts.js';

/** The form for a new organization. After a refusal it has what was typed. */
export function addOrganizationPage(visit: ConsoleVisit, refused?: ApiProblem): ConsolePage {
  const { at, language, t } = visit;
  const own = organizationsTexts[language];
  const content = form(visit, {
    action: '/console/orgs/new',
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200 })}
${buttons(own.add, { cancel: { href: at('/console/orgs'), label: t.cancel } })}`,
  });
  return {
    title: own.add,
    crumbs: [{ href: at('/console/orgs'), label: t.nav.organizations }],
    content: html`<div class="card">${content}</div>`,
    ...(refused && { alert: problemText(refused), status: refused.status }),
  };
}

/** Adds the organization, and opens it. */
export async function addOrganization(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  try {
    const body = { name: fieldText(visit, 'name') };
    const { id } = await visit.api.send<{ id: string }>('POST', '/admin/v1/orgs', body);
    return { goTo: `/console/orgs/${encodeURIComponent(id)}/users` };
  } catch (error) {
    if (error instanceof ApiProblem && (error.status === 400 || error.status === 409))
      return addOrganizationPage(visit, error);
    throw error;
  }
}
