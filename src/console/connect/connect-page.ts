import { html } from '#src/http/pages/html.js';
import { clientApi, clientPath } from '../credentials/client.js';
import { noticeOf } from '../http/notice-of.js';
import { tabs } from '../http/parts.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText, queryText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { missingAddresses } from './addresses.js';
import { applicationCode, otherGuides, programFor } from './application-code.js';
import { type ConnectKind, type Framework, frameworkNamed, frameworksOf } from './frameworks.js';
import { connectTexts } from './texts/texts.js';

/** A whole program for an application, by a framework of its type. */
export async function connectApplicationPage(
  visit: ConsoleVisit,
  changed: Pick<ConsolePage, 'refused'> = {},
): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const [organization, application] = await Promise.all([
    organizationOf(visit),
    visit.api.get<ShownApplication>(clientApi(visit, 'applications')),
  ]);
  const framework = chosenFramework(visit, application.type);
  const path = clientPath(visit, 'applications');
  const texts = connectTexts[language];
  return {
    title: texts.connect,
    subtitle: application.name,
    organization,
    crumbs: [
      { href: at(pathOf(visit, '/applications')), label: t.nav.applications },
      { href: at(path), label: application.name },
    ],
    ...(application.type !== 'api' && {
      actions: html`<a class="button" href="${at(`${path}/test`)}">${texts.test}</a>`,
    }),
    content: html`${frameworkTabs(visit, framework, `${path}/connect`)}
${await applicationCode(visit, framework, application)}${otherGuides(visit, framework)}`,
    ...noticeOf(visit, queryText(visit, 'done')),
    ...changed,
  };
}

/** The framework that the address or the form names. By default the first of the kind. */
export function chosenFramework(visit: ConsoleVisit, kind: ConnectKind): Framework {
  const name = queryText(visit, 'with') || fieldText(visit, 'with');
  const framework = frameworkNamed(kind, name) ?? frameworksOf(kind)[0];
  if (framework === undefined) throw new Error(`No framework of the kind ${kind}`);
  return framework;
}

/** The choice of the framework. One alone is no choice. */
function frameworkTabs(visit: ConsoleVisit, chosen: Framework, path: string) {
  const choices = frameworksOf(chosen.kind);
  if (choices.length === 1) return undefined;
  return tabs(
    connectTexts[visit.language].framework,
    choices.map((framework) => ({
      href: visit.at(path, { with: framework.name }),
      label: framework.label,
      isCurrent: framework === chosen,
    })),
  );
}

/** Adds the addresses of the program to the application. The form only names the framework. */
export async function allowAddresses(visit: ConsoleVisit): Promise<ConsolePage | GoTo> {
  const path = clientApi(visit, 'applications');
  const application = await visit.api.get<ShownApplication>(path);
  const framework = chosenFramework(visit, application.type);
  const { addresses } = await programFor(framework, application);
  const { redirectUri, postLogoutRedirectUri } = addresses ? missingAddresses(application, addresses) : {};
  const { redirectUris, postLogoutRedirectUris } = application;
  const body = {
    ...(redirectUri !== undefined && { redirectUris: [...redirectUris, redirectUri] }),
    ...(postLogoutRedirectUri !== undefined && {
      postLogoutRedirectUris: [...postLogoutRedirectUris, postLogoutRedirectUri],
    }),
    version: Number(fieldText(visit, 'version')),
  };
  const problem = await refusalOf(() => visit.api.send('PATCH', path, body));
  if (problem) return connectApplicationPage(visit, { refused: { problem } });
  const query = new URLSearchParams({ with: framework.name, done: 'saved' });
  return { goTo: `${clientPath(visit, 'applications', '/connect')}?${query}` };
}
