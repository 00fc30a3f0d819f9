import { html } from '#src/http/pages/html.js';
import { sayAct } from '../http/confirm-act.js';
import { buttons, form } from '../http/form.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { managedOrganization } from '../resources/named-organization.js';
import { linkPage } from './link-page.js';
import { usersTexts } from './texts/texts.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

/** The field of the button that has the link sent by mail. */
const byMail = { name: 'delivery', value: 'mail' } as const;

/** Says what a reset does. @param options `canMail`: the link can be sent by mail */
export async function resetPasswordPage(
  visit: ConsoleVisit,
  { canMail }: { canMail: boolean },
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = usersTexts[language];
  await managedOrganization(visit);
  const subject = await userOfPath(visit);
  const { emails = [] } = subject.user;
  const address = emails.find(({ primary }) => primary)?.value;
  const content = buttons(texts.makeLink, {
    ...(canMail &&
      subject.user.active &&
      address !== undefined && { other: { ...byMail, label: texts.mailLink(address) } }),
    cancel: { href: at(`${subject.path}/sign-in`), label: t.cancel },
  });
  return userPage(visit, subject, {
    tab: 'signIn',
    act: sayAct(visit, texts.resetPassword, subject.user.displayName, subject.organization.name),
    content: html`<section class="card"><h2>${texts.resetPassword}</h2><p>${texts.resetText}</p>
${form(visit, { action: `${subject.path}/reset-password`, content })}</section>`,
  });
}

/** Makes the link with which the user sets another password, and shows it or has it sent by mail. */
export async function resetPassword(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const subject = await userOfPath(visit);
  const links = `${adminUserPath(subject.organization.id, subject.user.id)}/one-time-links`;
  if (fieldText(visit, byMail.name) === byMail.value) {
    await visit.api.send('POST', links, { delivery: 'mail' });
    return { goTo: `${subject.path}/sign-in?done=linkMailed` };
  }
  const link = await visit.api.send<{ url: string; expires: string }>('POST', links, {});
  return linkPage(visit, { subject, link });
}
