import { html } from '#src/http/pages/html.js';
import { applicationCode } from '../connect/application-code.js';
import { type Framework, frameworksOf } from '../connect/frameworks.js';
import { connectTexts } from '../connect/texts/texts.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { card, shownOnce } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { addressesCard } from './addresses-card.js';
import { apiTexts } from './api-texts/texts.js';
import { applicationsTexts } from './texts/texts.js';

/** An application with its secret, which only the response to its registration has. */
type AddedApplication = ShownApplication & { readonly clientSecret?: string };

/** A new application: its secret, which is shown this once, and the program of the framework that was chosen. */
export async function addedPage(
  visit: ConsoleVisit,
  added: AddedApplication,
  framework: Framework | undefined,
): Promise<ConsolePage> {
  const { at, t, language } = visit;
  const { clientSecret, ...application } = added;
  const [texts, shared] = [applicationsTexts[language], credentialTexts[language]];
  const path = pathTo(pathOf(visit, '/applications'), application.id);
  return {
    title: application.name,
    subtitle: html`${texts[`type_${application.type}`]}${framework && ` · ${framework.label}`}`,
    organization: await organizationOf(visit),
    crumbs: [{ href: at(pathOf(visit, '/applications')), label: t.nav.applications }],
    notice: texts.added,
    actions: html`<a class="button" href="${at(path)}">${texts.goOn}</a><a class="button quiet" href="${at(`${path}/test`)}">${texts.test}</a><a class="button quiet" href="${at(`${path}/call`)}">${apiTexts[language].callApi}</a>`,
    content: html`${clientSecret !== undefined && shownOnce({ label: shared.secret, value: clientSecret, hint: shared.onceHint })}
${framework === undefined ? frameworkCard(visit, application) : await applicationCode(visit, framework, added)}
${addressesCard(visit, application)}`,
  };
}

/** Links to the programs of all frameworks. They open beside the page, whose secret does not come back. */
function frameworkCard({ at, request, language }: ConsoleVisit, { id, type }: ShownApplication) {
  const path = `${pathTo(pathOf({ request }, '/applications'), id)}/connect`;
  const links = frameworksOf(type).map(
    ({ name, label }) =>
      html`<a class="button quiet" href="${at(path, { with: name })}" target="_blank" rel="noopener">${label}</a>`,
  );
  return card(connectTexts[language].connect, html`<p class="buttons">${links}</p>`);
}
