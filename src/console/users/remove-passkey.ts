import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { managedOrganization } from '../resources/named-organization.js';
import { type Passkey, passkeyTitle } from './passkeys-card.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

/** Says what follows when a passkey is removed. @param problem why it is asked again */
export async function removePasskeyPage(visit: ConsoleVisit, problem?: ApiRefusal): Promise<ConsolePage> {
  const texts = usersTexts[visit.language];
  await managedOrganization(visit);
  const subject = await userOfPath(visit);
  const { organization, user, path } = subject;
  const passkeyId = param(visit, 'passkeyId');
  const { items } = await visit.api.get<{ items: Passkey[] }>(
    `${adminUserPath(organization.id, user.id)}/passkeys`,
  );
  const passkey = items.find(({ id }) => id === passkeyId);
  return userPage(visit, subject, {
    tab: 'signIn',
    content: confirmForm(visit, {
      action: `${pathTo(`${path}/passkeys`, passkeyId)}/remove`,
      name: user.userName,
      label: texts.removePasskey,
      back: `${path}/sign-in`,
      text: html`<h2>${texts.removePasskey}</h2>
${passkey && html`<p><strong>${passkeyTitle(passkey)}</strong></p>`}<p>${texts.removePasskeyText}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  });
}

/** Removes the passkey, if the user name was typed. */
export async function removeUserPasskey(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { organization, user, path } = await userOfPath(visit);
  if (!isConfirmed(visit, user.userName)) return removePasskeyPage(visit, wrongName);
  const passkeys = `${adminUserPath(organization.id, user.id)}/passkeys`;
  await visit.api.send('DELETE', pathTo(passkeys, param(visit, 'passkeyId')));
  return { goTo: `${path}/sign-in?done=passkeyRemoved` };
}
