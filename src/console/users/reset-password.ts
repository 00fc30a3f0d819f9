import { html } from '#src/http/pages/html.js';
import { buttons, form } from '../http/form.js';
import { managedOrganization } from '../http/organization-place.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { linkPage } from './link-page.js';
import { usersTexts } from './texts.js';
import { adminUserPath, userOfPath, userPage } from './user.js';

/** Says what a reset does. */
export async function resetPasswordPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const own = usersTexts[language];
  await managedOrganization(visit);
  const place = await userOfPath(visit);
  const content = buttons(own.makeLink, { cancel: { href: at(`${place.path}/sign-in`), label: t.cancel } });
  return userPage(visit, place, {
    tab: 'signIn',
    content: html`<section class="card"><h2>${own.resetPassword}</h2><p>${own.resetText}</p>
${form(visit, { action: `${place.path}/reset-password`, content })}</section>`,
  });
}

/** Makes the link with which the user sets another password, and shows it. */
export async function resetPassword(visit: ConsoleVisit): Promise<ConsolePage> {
  const place = await userOfPath(visit);
  const link = await visit.api.send<{ url: string; expires: string }>(
    'POST',
    `${adminUserPath(place.organization.id, place.user.id)}/one-time-links`,
    {},
  );
  return linkPage(visit, { place, link });
}
