import { html } from '#src/http/pages/html.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form, select } from '../http/form.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { organizationRoles } from '../memberships/roles.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { addWithRole } from './add-with-role.js';
import { serviceUsersTexts } from './texts/texts.js';

/** The form for a service user with its role. */
export async function addServiceUserPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = serviceUsersTexts[language];
  const path = pathOf(visit, '/service-users');
  const content = form(visit, {
    action: `${path}/new`,
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200, hint: texts.nameHint })}
${field({ name: 'userName', label: texts.userName, value: fieldText(visit, 'userName'), isRequired: true, maxLength: 200, isExact: true, hint: texts.userNameHint })}
${select({ name: 'role', label: texts.role, value: fieldText(visit, 'role'), choices: [...organizationRoles(visit), { value: '', label: texts.noRole }] })}
${buttons(texts.add, { cancel: { href: at(path), label: t.cancel } })}`,
  });
  return {
    title: texts.add,
    organization: await organizationOf(visit),
    crumbs: [{ href: at(path), label: t.nav.serviceUsers }],
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

/** Adds the service user, and opens it. */
export async function addServiceUser(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  try {
    const given = { name: fieldText(visit, 'name'), userName: fieldText(visit, 'userName') };
    const id = await addWithRole(visit, given, fieldText(visit, 'role'));
    return { goTo: `${pathOf(visit, '/service-users')}/${segmentOf(id)}` };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addServiceUserPage(visit, error);
  }
}
