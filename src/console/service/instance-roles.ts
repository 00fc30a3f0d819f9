import { isConfirmed } from '../confirmation/confirm-form.js';
import { ApiProblem } from '../http/api.js';
import { nameInSentence } from '../http/confirm-act.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText, param } from '../http/visit.js';
import { findEverywhere } from '../memberships/find-holder.js';
import { nameToConfirm, takeRolePage } from '../memberships/take-role-page.js';
import { type InstanceRole, type InstanceRoles, rolePath } from './instance-roles-card.js';
import { servicePage, troubleOf } from './service-page.js';
import { serviceTexts } from './texts/texts.js';

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
    if (error.status === 404) return servicePage(visit, { alert: texts.nobody, status: 404 });
    if ([400, 409].includes(error.status)) return servicePage(visit, troubleOf(visit, error));
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

/** Asks before a role in the instance is taken away. */
export async function removeRolePage(visit: ConsoleVisit): Promise<ConsolePage> {
  return askToTake(visit, await findRole(visit));
}

/** Takes the role away. The person types the login name, the address or the identifier of who has it. The API keeps the last owner. */
export async function removeRole(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const held = await findRole(visit);
  if (!(await isNamed(visit, held))) return askToTake(visit, held, 'wrongName');
  try {
    await visit.api.send('DELETE', `/admin/v1/memberships/${segmentOf(held.id)}`);
    return { goTo: '/console/service?done=removed' };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) return askToTake(visit, held, error);
    throw error;
  }
}

function askToTake(
  visit: ConsoleVisit,
  held: InstanceRole,
  why?: 'wrongName' | ApiProblem,
): Promise<ConsolePage> {
  const question = {
    held,
    action: `${rolePath(held.id)}/remove`,
    back: '/console/service',
    crumbs: [{ href: visit.at('/console/service'), label: visit.t.nav.service }],
  };
  return takeRolePage(visit, question, why);
}

/** Whether the text names who has the role, as it does in the form that gives one. */
async function isNamed(visit: ConsoleVisit, held: InstanceRole): Promise<boolean> {
  const { typed } = await nameToConfirm(visit, held);
  if (isConfirmed(visit, typed) || isConfirmed(visit, held.userId)) return true;
  const people = await findEverywhere(visit.api, fieldText(visit, 'confirmed'));
  return people.some(({ userId }) => userId === held.userId);
}

/** The role of the page. The list of the roles of its user has the organization of the user too. */
async function findRole({ api, request }: ConsoleVisit): Promise<InstanceRole> {
  const held = await api.get<InstanceRole>(`/admin/v1/memberships/${segmentOf(param({ request }, 'id'))}`);
  const { items } = await api.get<InstanceRoles>('/admin/v1/memberships', { userId: held.userId });
  return items.find(({ id }) => id === held.id) ?? held;
}
