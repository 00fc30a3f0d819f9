import { html } from '#src/http/pages/html.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { shownOnce } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { pathOf, type ShownOrganization } from '../resources/organization-of.js';
import { apiTexts } from './api-texts/texts.js';
import type { ShownApplication } from './application.js';
import { snippets } from './snippets.js';
import { applicationsTexts } from './texts/texts.js';

/** A new application: its secret, which is shown this once, and how to use it. */
export function addedPage(
  visit: ConsoleVisit,
  organization: ShownOrganization,
  { clientSecret, ...application }: ShownApplication & { readonly clientSecret?: string },
): ConsolePage {
  const { at, t, language } = visit;
  const [own, shared] = [applicationsTexts[language], credentialTexts[language]];
  const path = pathOf(visit, `/applications/${segmentOf(application.id)}`);
  return {
    title: application.name,
    subtitle: own[`type_${application.type}`],
    organization,
    crumbs: [{ href: at(pathOf(visit, '/applications')), label: t.nav.applications }],
    notice: own.added,
    actions: html`<a class="button" href="${at(path)}">${own.goOn}</a><a class="button quiet" href="${at(`${path}/call`)}">${apiTexts[language].callApi}</a>`,
    content: html`${clientSecret !== undefined && shownOnce({ label: shared.secret, value: clientSecret, hint: shared.onceHint })}
${snippets(visit, application)}`,
  };
}
