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
  const texts = applicationsTexts[language];
  const path = pathOf(visit, '/applications');
  const chosen = queryText(visit, 'type') || fieldText(visit, 'type');
  const type = signInTypes.find((name) => name === chosen);
  return {
    title: texts.add,
    ...(type !== undefined && { subtitle: texts[`type_${type}`] }),
    organization: await organizationOf(visit),
    crumbs: [
      { href: at(path), label: t.nav.applications },
      ...(type === undefined ? [] : [{ href: at(`${path}/new`), label: texts.type }]),
    ],
    content: type === undefined ? choice(visit) : settings(visit, type, await usualAddresses(visit, type)),
    ...(refused && { refused: { problem: refused, names: boxNames } }),
  };
}

function choice(visit: ConsoleVisit) {
  const applicationTexts = applicationsTexts[visit.language];
  const href = (type: ApplicationType) =>
    type === 'api'
      ? visit.at(pathOf(visit, '/applications/new/api'))
      : visit.at(pathOf(visit, '/applications/new'), { type });
  const texts = connectTexts[visit.language];
  return html`<div class="cards">${applicationTypes.map(
    (
      type,
    ) => html`<section class="card"><h2>${applicationTexts[`type_${type}`]}</h2><p>${applicationTexts[`about_${type}`]}</p>
<p class="buttons"><a class="button" href="${href(type)}">${applicationTexts.choose}: ${applicationTexts[`type_${type}`]}</a>${type !== 'api' && frameworkLinks(visit, type)}</p></section>`,
  )}<section class="card"><h2>${texts.program}</h2><p>${texts.aboutProgram}</p>
<p class="buttons"><a class="button" href="${visit.at(pathOf(visit, '/applications/new/program'))}">${applicationTexts.choose}: ${texts.program}</a></p></section></div>`;
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
  const texts = applicationsTexts[language];
  const methods = [
    { value: '', label: texts.withSecret },
    { value: 'private_key_jwt', label: texts.withKey },
    { value: 'none', label: texts.withPkce },
  ];
  const content = form(visit, {
    action: pathOf(visit, '/applications/new'),
    hidden: { type, ...(usual && { with: chosenName(visit) }) },
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200, hint: texts.nameHint })}
${field({ name: 'redirectUris', label: texts.redirectUris, value: fieldText(visit, 'redirectUris') || usual?.redirectUri, rows: 3, isRequired: true, isExact: true, hint: texts[`redirect_${type}`], placeholder: examples[type] })}
${field({ name: 'postLogoutRedirectUris', label: texts.postLogoutRedirectUris, value: fieldText(visit, 'postLogoutRedirectUris') || usual?.postLogoutRedirectUri, rows: 2, isExact: true, hint: texts.postLogoutRedirectUrisHint })}
${type === 'web' && select({ name: 'authMethod', label: texts.authMethod, choices: methods, value: fieldText(visit, 'authMethod') })}
${checkbox({ name: 'open', label: texts.orgOnly, hint: texts.orgOnlyHint, isChecked: fieldText(visit, 'open') === 'on' })}
${buttons(texts.add, { cancel: { href: at(pathOf(visit, '/applications')), label: t.cancel } })}`,
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
