import { readGuideProgram } from '#src/http/documents/guide-program.js';
import { type Html, html } from '#src/http/pages/html.js';
import { newId } from '#src/platform/ids.js';
import { clientApi, clientPath } from '../credentials/client.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import type { ApiProblem } from '../http/api.js';
import { buttons, field, form } from '../http/form.js';
import { shownOnce } from '../http/parts.js';
import { isRefusal } from '../http/refused.js';
import { requireFreshSignIn } from '../http/require-fresh-sign-in.js';
import type { ConsolePage } from '../http/respond.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { apiOf, organizationOf, pathOf } from '../resources/organization-of.js';
import { chosenFramework } from './connect-page.js';
import { stepsWith } from './fill-in.js';
import { programCards } from './program-steps.js';
import { connectTexts } from './texts/texts.js';

/** A service user with its first secret. */
export interface AddedProgram {
  readonly id: string;
  readonly name: string;
  readonly clientSecret: string;
}

/** Adds a service user with a secret. Its user name must be free, so it ends with some digits. @throws ApiProblem */
export async function addProgram(visit: ConsoleVisit, name: string): Promise<AddedProgram> {
  // The sign-in that the secret needs comes first, so that no service user without one is left behind.
  requireFreshSignIn(visit);
  const words = name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const userName = `${words.replace(/^-|-$/g, '').slice(0, 50) || 'program'}-${newId().slice(-6)}`;
  const serviceUsers = apiOf(visit, '/service-users');
  const { id } = await visit.api.send<{ id: string }>('POST', serviceUsers, { name, userName });
  const secrets = `${pathTo(serviceUsers, id)}/secrets`;
  const { clientSecret } = await visit.api.send<{ clientSecret: string }>('POST', secrets, {});
  return { id, name, clientSecret };
}

/** Asks for the name of a program that works without a person. */
export async function newProgramPage(visit: ConsoleVisit, refused?: ApiProblem): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = connectTexts[language];
  const path = pathOf(visit, '/applications');
  const content = form(visit, {
    action: `${path}/new/program`,
    content: html`${field({ name: 'name', label: t.name, value: fieldText(visit, 'name'), isRequired: true, maxLength: 200, hint: texts.programNameHint })}
${buttons(texts.addProgram, { cancel: { href: at(path), label: t.cancel } })}`,
  });
  return {
    title: texts.addProgram,
    subtitle: texts.program,
    organization: await organizationOf(visit),
    crumbs: [
      { href: at(path), label: t.nav.applications },
      { href: at(`${path}/new`), label: texts.connect },
    ],
    content: html`<div class="card">${content}</div>`,
    ...(refused && { refused: { problem: refused } }),
  };
}

/** Adds the program, and shows its code with the secret this once. */
export async function addNewProgram(visit: ConsoleVisit): Promise<ConsolePage> {
  let added: AddedProgram;
  try {
    added = await addProgram(visit, fieldText(visit, 'name'));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return newProgramPage(visit, error);
  }
  const { at, language, t } = visit;
  const texts = connectTexts[language];
  const shared = credentialTexts[language];
  const { id, name, clientSecret } = added;
  const path = pathTo(pathOf(visit, '/service-users'), id);
  return {
    title: name,
    subtitle: texts.program,
    organization: await organizationOf(visit),
    crumbs: [{ href: at(pathOf(visit, '/service-users')), label: t.nav.serviceUsers }],
    actions: html`<a class="button" href="${at(path)}">${texts.settings}</a>`,
    notice: texts.programAdded,
    content: html`${shownOnce({ label: shared.secret, value: clientSecret, hint: shared.onceHint })}
${await programCode(visit, { id, clientSecret })}`,
  };
}

/** The program of a service user that is there. */
export async function connectProgramPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const [organization, { id, name }] = await Promise.all([
    organizationOf(visit),
    visit.api.get<{ id: string; name: string }>(clientApi(visit, 'service-users')),
  ]);
  return {
    title: connectTexts[language].connect,
    subtitle: name,
    organization,
    crumbs: [
      { href: at(pathOf(visit, '/service-users')), label: t.nav.serviceUsers },
      { href: at(clientPath(visit, 'service-users')), label: name },
    ],
    content: await programCode(visit, { id }),
  };
}

async function programCode(
  visit: ConsoleVisit,
  { id, clientSecret }: { id: string; clientSecret?: string },
): Promise<Html> {
  const framework = chosenFramework(visit, 'program');
  const program = await readGuideProgram(framework.guide);
  const steps = stepsWith(program, { issuer: visit.at(''), clientId: id, clientSecret });
  return programCards(visit, { framework, steps, lacksSecret: clientSecret === undefined });
}
