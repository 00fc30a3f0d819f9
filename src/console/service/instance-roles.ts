import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { ApiProblem } from '../http/api.js';
import { nameInSentence } from '../http/confirm-act.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import { findEverywhere } from '../memberships/find-holder.js';
import { roleName } from '../memberships/roles.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { type InstanceRole, rolePath } from './instance-roles-card.js';
import { servicePage } from './service-page.js';
import { serviceTexts } from './texts/texts.js';

/** The form names the person, or has the identifier. */
const names = { 'directory.userNotFound': 'userId', 'directory.membershipExists': 'userId', role: 'userId' };

/** Makes a user an owner of the service: by the login name or address, or by the identifier. */
export async function giveRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const texts = serviceTexts[visit.language];
  const typed = fieldText(visit, 'userId');
  const people = await findEverywhere(visit.api, typed);
  if (people.length > 1) return servicePage(visit, { alert: texts.several, status: 409, several: people });
  try {
    const body = { userId: people[0]?.userId ?? typed, role: 'IAM_OWNER' };
    await visit.api.send('POST', '/admin/v1/memberships', body);
    return { goTo: '/console/service?done=saved' };
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if ([400, 404, 409].includes(error.status))
      return servicePage(visit, { refused: { problem: error, names } });
    throw error;
  }
}

/** Says whom the form makes an owner of the service. */
export async function sayOwner({ api, t, ...visit }: ConsoleVisit): Promise<string> {
  const typed = fieldText(visit, 'userId');
  const people = await findEverywhere(api, typed);
  const name = people.length === 1 ? people[0]?.displayName : undefined;
  return t.confirms.giveRole(nameInSentence(name ?? typed), t.roles.IAM_OWNER);
}

/** Asks before a role in the instance is taken away. @param problem why it is asked again */
export async function removeRolePage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = serviceTexts[language];
  const { id, userId, role, name = userId } = await findRole(visit);
  return {
    title: texts.takeRole,
    act: t.confirms.takeRole(nameInSentence(name), nameInSentence(roleName(visit, role))),
    crumbs: [{ href: at('/console/service'), label: t.nav.service }],
    content: confirmForm(visit, {
      action: `${rolePath(id)}/remove`,
      name: userId,
      label: texts.takeRole,
      back: '/console/service',
      text: html`<p>${texts.takeRoleText(roleName(visit, role))}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  };
}

/** Takes the role away. The API keeps the last owner. */
export async function removeRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { id, userId } = await findRole(visit);
  if (!isConfirmed(visit, userId)) return removeRolePage(visit, wrongName);
  try {
    await visit.api.send('DELETE', `/admin/v1/memberships/${segmentOf(id)}`);
    return { goTo: '/console/service?done=removed' };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) return removeRolePage(visit, error);
    throw error;
  }
}

function findRole(visit: ConsoleVisit): Promise<InstanceRole> {
  return visit.api.get(`/admin/v1/memberships/${segmentOf(param(visit, 'id'))}`);
}
