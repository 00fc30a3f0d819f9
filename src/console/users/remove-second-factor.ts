import { html } from '#src/http/pages/html.js';
import { confirmForm, isConfirmed, wrongName } from '../confirmation/confirm-form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ApiRefusal } from '../refusals/refusal.js';
import { managedOrganization } from '../resources/named-organization.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

/** Says what follows when the second factor is removed. @param problem why it is asked again */
export async function removeSecondFactorPage(
  visit: ConsoleVisit,
  problem?: ApiRefusal,
): Promise<ConsolePage> {
  const texts = usersTexts[visit.language];
  await managedOrganization(visit);
  const subject = await userOfPath(visit);
  return userPage(visit, subject, {
    tab: 'signIn',
    content: confirmForm(visit, {
      action: `${subject.path}/second-factor/remove`,
      name: subject.user.userName,
      label: texts.removeTotp,
      back: `${subject.path}/sign-in`,
      text: html`<h2>${texts.removeTotp}</h2><p>${texts.removeTotpText}</p>`,
    }),
    ...(problem && { refused: { problem } }),
  });
}

/** Removes the second factor, if its user name was typed. */
export async function removeSecondFactor(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const { organization, user, path } = await userOfPath(visit);
  if (!isConfirmed(visit, user.userName)) return removeSecondFactorPage(visit, wrongName);
  await visit.api.send('DELETE', `${adminUserPath(organization.id, user.id)}/totp`);
  return { goTo: `${path}/sign-in?done=totpRemoved` };
}
