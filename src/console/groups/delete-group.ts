import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { adminGroupPath, groupOfPath, groupsPath, scimGroupPath } from '../resources/group.js';
import { managedOrganization } from '../resources/named-organization.js';
import type { UserSummaries } from '../users/user-list.js';
import { groupsTexts } from './texts/texts.js';

/** A group with more members is not counted: that would read each of them. */
const mostCounted = 100;

/** Names what is destroyed with the group. @param problem why it is asked again */
export async function deleteGroupPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = groupsTexts[language];
  await managedOrganization(visit);
  const { organization, group, path } = await groupOfPath(visit);
  const { items, next } = await api.get<UserSummaries>(
    `${adminGroupPath(organization.id, group.id)}/members`,
    { limit: mostCounted },
  );
  const count = next === undefined ? String(items.length) : texts.moreThan(mostCounted);
  return {
    organization,
    title: `${texts.remove}: ${group.displayName}`,
    crumbs: [
      { href: at(groupsPath(organization.id)), label: t.nav.groups },
      { href: at(path), label: group.displayName },
    ],
    content: confirmForm(visit, {
      action: `${path}/delete`,
      name: group.displayName,
      label: texts.remove,
      back: path,
      text: html`<p>${texts.removeText}</p><p>${texts.memberCount(count)}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  };
}

/** Deletes the group, if its name was typed. */
export async function deleteGroup(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { organization, group } = await groupOfPath(visit);
  if (!isConfirmed(visit, group.displayName)) return deleteGroupPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', scimGroupPath(organization.id, group.id)));
  if (problem) return deleteGroupPage(visit, problem);
  return { goTo: `${groupsPath(organization.id)}?done=deleted` };
}
