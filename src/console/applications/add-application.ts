import { type ApplicationType, applicationTypes } from '#src/clients/applications/index.js';
import { type GuideProgram, readGuideProgram } from '#src/http/documents/guide-program.js';
import { html } from '#src/http/pages/html.js';
import { frameworkNamed, frameworksOf } from '../connect/frameworks.js';
import { connectTexts } from '../connect/texts/texts.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, checkbox, field, form, select } from '../http/form.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, fieldLines, fieldText, queryText } from '../http/visit.js';
import type { ShownApplication } from '../resources/application.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { addedPage } from './added-page.js';
import { boxNames } from './setting-fields.js';
import { applicationsTexts } from './texts/texts.js';

/** The types of applications that people sign in to. An API has a form of its own. */
const signInTypes = applicationTypes.filter((type) => type !== 'api');

type SignInType = (typeof signInTypes)[number];

/** First the type, then what the type needs. */
export async function addApplicationPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const own = applicationsTexts[language];
  const path = pathOf(visit, '/applications');
  const chosen = queryText(visit, 'type') || fieldText(visit, 'type');
  const type = signInTypes.find((name) => name === chosen);
  return {
    title: own.add,
    ...(type !== undefined && { subtitle: own[`type_${type}`] }),
    organization: await organizationOf(visit),
    crumbs: [
      { href: at(path), label: t.nav.applications },
      ...(type === undefined ? [] : [{ href: at(`${path}/new`), label: own.type }]),
    ],
    content: type === undefined ? choice(visit) : settings(visit, type, await usualAddresses(visit, type)),
    ...(refused && { refused: { problem: refused, names: boxNames } }),
  };
}

function choice(visit: ConsoleVisit) {
  const own = applicationsTexts[visit.language];
  const href = (type: ApplicationType) =>
    type === 'api'
      ? visit.at(pathOf(visit, '/applications/new/api'))
      : visit.at(pathOf(visit, '/applications/new'), { type });
  const texts = connectTexts[visit.language];
  return html`<div class="cards">${applicationTypes.map(
    (type) => html`<section class="card"><h2>${own[`type_${type}`]}</h2><p>${own[`about_${type}`]}</p>
<p class="buttons"><a class="button" href="${href(type)}">${own.choose}: ${own[`type_${type}`]}</a>${type !== 'api' && frameworkLinks(visit, type)}</p></section>`,
  )}<section class="card"><h2>${texts.program}</h2><p>${texts.aboutProgram}</p>
<p class="buttons"><a class="button" href="${visit.at(pathOf(visit, '/applications/new/program'))}">${own.choose}: ${texts.program}</a></p></section></div>`;
}

/** The form for a framework has its usual addresses, and its program comes right after. */
function frameworkLinks(visit: ConsoleVisit, type: SignInType) {
  const path = pathOf(visit, '/applications/new');
  return frameworksOf(type).map(
    ({ name, label }) =>
      html`<a class="button quiet" href="${visit.at(path, { type, with: name })}">${label}</a>`,
  );
}

/** The framework that was chosen with the type. */
function chosenName(visit: ConsoleVisit): string {
  return queryText(visit, 'with') || fieldText(visit, 'with');
}

async function usualAddresses(visit: ConsoleVisit, type: SignInType): Promise<GuideProgram | undefined> {
  const framework = frameworkNamed(type, chosenName(visit));
  return framework && readGuideProgram(framework.guide);
}

const examples: Readonly<Record<SignInType, string>> = {
  web: 'https://app.example/callback',
  spa: 'https://app.example/',
  native: 'com.example.app:/callback',
};

function settings(visit: ConsoleVisit, type: SignInType, usual: GuideProgram | undefined) {
  const { at, t, language } = visit;
  const own = applicationsTexts[language];
  const methods = [
    { value: '', label: own.withSecret },
    { value: 'private_key_jwt', label: own.withKey },
    { value: 'none', label: own.withPkce },
  ];
  const content = form(visit, {
    action: pathOf(visit, '/applications/new'),
    hidden: { type, ...(usual && { with: chosenName(visit) }) },
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200, hint: own.nameHint })}
${field({ name: 'redirectUris', label: own.redirectUris, value: fieldText(visit, 'redirectUris') || usual?.redirectUri, rows: 3, isRequired: true, isExact: true, hint: own[`redirect_${type}`], placeholder: examples[type] })}
${field({ name: 'postLogoutRedirectUris', label: own.postLogoutRedirectUris, value: fieldText(visit, 'postLogoutRedirectUris') || usual?.postLogoutRedirectUri, rows: 2, isExact: true, hint: own.postLogoutRedirectUrisHint })}
${type === 'web' && select({ name: 'authMethod', label: own.authMethod, choices: methods, value: fieldText(visit, 'authMethod') })}
${checkbox({ name: 'open', label: own.orgOnly, hint: own.orgOnlyHint, isChecked: fieldText(visit, 'open') === 'on' })}
${buttons(own.add, { cancel: { href: at(pathOf(visit, '/applications')), label: t.cancel } })}`,
  });
  return html`<div class="card">${content}</div>`;
}

/** Adds the application, and shows its secret this once. */
export async function addApplication(visit: ConsoleVisit): Promise<ConsolePage> {
  const type = fieldText(visit, 'type');
  const [redirectUris, postLogoutRedirectUris] = ['redirectUris', 'postLogoutRedirectUris'].map((name) =>
    fieldLines(visit, name),
  );
  const authMethod = fieldText(visit, 'authMethod');
  const body = {
    name: fieldText(visit, 'name'),
    type,
    ...(authMethod !== '' && { authMethod }),
    redirectUris,
    postLogoutRedirectUris,
    orgOnly: fieldText(visit, 'open') !== 'on',
  };
  try {
    const added = await visit.api.send<ShownApplication & { clientSecret?: string }>(
      'POST',
      apiOf(visit, '/applications'),
      body,
    );
    return addedPage(visit, added, frameworkNamed(added.type, chosenName(visit)));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return addApplicationPage(visit, error);
  }
}
