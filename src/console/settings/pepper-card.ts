import { maxPepperLength } from '#src/directory/index.js';
import { html } from '#src/http/pages/html.js';
import { ApiProblem } from '../http/api.js';
import { actionButton, buttons, field, form } from '../http/form.js';
import { card, facts, moment } from '../http/parts.js';
import type { GoTo } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { apiOf, pathOf } from '../resources/organization-of.js';
import { settingsTexts } from './texts/texts.js';

interface Pepper {
  readonly created: string;
}

const pagePath = '/settings/migration';

/** The card that sets the pepper of imported password hashes. The page never shows the pepper. */
export function pepperCard(visit: ConsoleVisit, pepper: Pepper | undefined) {
  const texts = settingsTexts[visit.language];
  const { t } = visit;
  const settings = form(visit, {
    action: pathOf(visit, `${pagePath}/pepper`),
    content: html`${field({ name: 'pepper', label: texts.pepper, isExact: true, isMasked: true, isRequired: true, maxLength: maxPepperLength })}
${buttons(t.save)}`,
  });
  const removal =
    pepper &&
    actionButton(visit, { action: pathOf(visit, `${pagePath}/pepper/remove`), label: texts.pepperRemove });
  const content = html`${pepper && facts([[texts.pepperSet, moment(pepper.created, visit.language)]])}${settings}${removal}`;
  return card(texts.pepper, content, { hint: texts.pepperHint, id: 'pepper' });
}

/** Removes the pepper. */
export async function removePepper(visit: ConsoleVisit): Promise<GoTo> {
  await visit.api.send('DELETE', apiOf(visit, '/password-pepper'));
  return { goTo: `${pathOf(visit, pagePath)}?done=saved` };
}

/** Undefined if the organization has none. */
export async function pepperOf(visit: ConsoleVisit): Promise<Pepper | undefined> {
  try {
    return await visit.api.get<Pepper>(apiOf(visit, '/password-pepper'));
  } catch (error) {
    if (error instanceof ApiProblem && error.id === 'directory.passwordPepperNotFound') return undefined;
    throw error;
  }
}
