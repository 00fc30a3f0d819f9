import { filled, html } from '#src/http/pages/html.js';
import { moment, shownOnce } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type DoneName, usersTexts } from './texts/texts.js';
import { type UserOfPath, usersPath } from './user.js';

/** The link with which a user sets a password. It is shown this once. */
export function linkPage(
  { at, language, t }: ConsoleVisit,
  {
    subject: { organization, user, path },
    link,
    done,
  }: { subject: UserOfPath; link: { url: string; expires: string }; done?: DoneName },
): ConsolePage {
  const texts = usersTexts[language];
  const hint = filled(texts.linkHint, { until: moment(link.expires, language) });
  return {
    organization,
    title: user.displayName,
    subtitle: html`<code>${user.userName}</code>`,
    crumbs: [{ href: at(usersPath(organization.id)), label: t.nav.users }],
    ...(done !== undefined && { notice: texts.done[done] }),
    content: html`${shownOnce({ label: texts.link, value: link.url, hint })}
<p class="buttons"><a class="button" href="${at(path)}">${texts.openUser}</a></p>`,
  };
}
