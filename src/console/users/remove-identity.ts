import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { managedOrganization } from '../resources/named-organization.js';
import type { UserIdentity } from './identities-card.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

/** Says what follows when the identities of a connection are taken from a user. @param problem why it is asked again */
export async function removeIdentityPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const texts = usersTexts[visit.language];
  await managedOrganization(visit);
  const subject = await userOfPath(visit);
  const { organization, user, path } = subject;
  const connectionId = param(visit, 'connectionId');
  const { items } = await visit.api.get<{ items: UserIdentity[] }>(
    `${adminUserPath(organization.id, user.id)}/identities`,
  );
  const found = items.filter((identity) => identity.connectionId === connectionId);
  return userPage(visit, subject, {
    tab: 'signIn',
    content: confirmForm(visit, {
      action: `${pathTo(`${path}/identities`, connectionId)}/remove`,
      name: user.userName,
      label: texts.removeIdentity,
      back: `${path}/sign-in`,
      text: html`<h2>${texts.removeIdentity}</h2>
${found.map(({ connection, subject: at }) => html`<p><strong>${connection ?? ''}</strong> <code>${at}</code></p>`)}<p>${texts.removeIdentityText}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  });
}

/** Takes the identities from the user, if the user name was typed. */
export async function removeUserIdentity(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { organization, user, path } = await userOfPath(visit);
  if (!isConfirmed(visit, user.userName)) return removeIdentityPage(visit, wrongName);
  const identities = `${adminUserPath(organization.id, user.id)}/identities`;
  await visit.api.send('DELETE', pathTo(identities, param(visit, 'connectionId')));
  return { goTo: `${path}/sign-in?done=identityRemoved` };
}
