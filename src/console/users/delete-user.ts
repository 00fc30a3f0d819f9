import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, ownsOrganization } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { managedOrganization } from '../resources/named-organization.js';
import { heldRoles } from './held-roles.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, scimUserPath, userOfPath, usersPath } from './user.js';

/** Names what is destroyed with the user. @param problem why it is asked again */
export async function deleteUserPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const { api, at, language, t } = visit;
  const texts = usersTexts[language];
  await managedOrganization(visit);
  const { organization, user, path } = await userOfPath(visit);
  const { items: sessions } = await api.get<{ items: unknown[] }>(
    `${adminUserPath(organization.id, user.id)}/sessions`,
  );
  const roles = ownsOrganization(visit, organization.id)
    ? (await heldRoles(visit, organization.id, user.id)).organization.length
    : undefined;
  return {
    organization,
    title: `${texts.remove}: ${user.displayName}`,
    crumbs: [
      { href: at(usersPath(organization.id)), label: t.nav.users },
      { href: at(path), label: user.displayName },
    ],
    content: confirmForm(visit, {
      action: `${path}/delete`,
      name: user.userName,
      label: texts.remove,
      back: path,
      text: html`<p>${texts.removeText}</p>
<p>${texts.removeCounts({ groups: user.groups?.length ?? 0, sessions: sessions.length, roles })}</p>
<p class="soft">${texts.removeInstead}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  };
}

/** Deletes the user, if its user name was typed. */
export async function deleteUser(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { organization, user } = await userOfPath(visit);
  if (!isConfirmed(visit, user.userName)) return deleteUserPage(visit, wrongName);
  const problem = await refusalOf(() => visit.api.send('DELETE', scimUserPath(organization.id, user.id)));
  if (problem) return deleteUserPage(visit, problem);
  return { goTo: `${usersPath(organization.id)}?done=deleted` };
}
