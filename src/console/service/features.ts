import { type Html, html } from '#src/http/pages/html.js';
import { buttons, checkbox, form } from '../http/form.js';
import { card } from '../http/parts.js';
import type { GoTo } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { serviceTexts } from './texts/texts.js';

export interface Features {
  readonly tokenExchange: boolean;
}

/** The features of the instance that an owner turns on and off. */
export function featuresCard(visit: ConsoleVisit, { tokenExchange }: Features): Html {
  const texts = serviceTexts[visit.language];
  const content = form(visit, {
    action: '/console/service/features',
    content: html`${checkbox({ name: 'tokenExchange', label: texts.tokenExchange, isChecked: tokenExchange, hint: texts.tokenExchangeHint })}
${buttons(visit.t.save)}`,
  });
  return card(texts.features, content);
}

/** Turns the features on or off, as the form says. */
export async function changeFeatures(visit: ConsoleVisit): Promise<GoTo> {
  const tokenExchange = fieldText(visit, 'tokenExchange') === 'on';
  await visit.api.send('PATCH', '/admin/v1/features', { tokenExchange });
  return { goTo: '/console/service?done=saved' };
}
