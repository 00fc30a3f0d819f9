import { type Html, html } from '#src/http/pages/html.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { buttons, field, form } from '../http/form.js';
import { badge, card, exact } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { refusalOfPage } from '../refusals/refusal.js';
import { organizationOf, pathOf } from '../resources/organization-of.js';
import { provisioningFrame } from './provisioning-frame.js';
import { provisioningTexts } from './texts/texts.js';
import { type TriedStep, tryCredential } from './try-credential.js';

/** The form for a credential that exists already. It is used once and kept nowhere. */
export async function testConnectionPage(
  visit: ConsoleVisit,
  more: { steps?: readonly TriedStep[]; isEmpty?: boolean } = {},
): Promise<ConsolePage> {
  const { language } = visit;
  const [texts, shared] = [provisioningTexts[language], credentialTexts[language]];
  const content = form(visit, {
    action: pathOf(visit, '/provisioning/test'),
    content: html`${field({ name: 'tokenSecret', label: shared.token, maxLength: 4_000, isExact: true, hint: texts.testTokenHint })}
${field({ name: 'clientId', label: shared.clientId, value: fieldText(visit, 'clientId'), maxLength: 200, isExact: true })}
${field({ name: 'clientSecret', label: shared.secret, maxLength: 500, isExact: true })}
${buttons(texts.test)}`,
  });
  return provisioningFrame(visit, {
    organization: await organizationOf(visit),
    tab: 'test',
    content: html`${more.steps && card(texts.testResult, stepsList(visit, more.steps))}${card(texts.test, content, { hint: texts.testHint })}`,
    ...(more.isEmpty && { refused: { problem: refusalOfPage('tokenSecret', texts.testEmpty) } }),
  });
}

/** Tries the credential of the form. */
export async function testConnection(visit: ConsoleVisit): Promise<ConsolePage> {
  const [token, clientId, clientSecret] = ['tokenSecret', 'clientId', 'clientSecret'].map((name) =>
    fieldText(visit, name),
  ) as [string, string, string];
  if (token !== '') {
    return testConnectionPage(visit, { steps: await tryCredential(visit, { kind: 'token', token }) });
  }
  if (clientId === '' || clientSecret === '') return testConnectionPage(visit, { isEmpty: true });
  const steps = await tryCredential(visit, { kind: 'secret', clientId, clientSecret });
  return testConnectionPage(visit, { steps });
}

/** The steps of a test, one after the other. */
export function stepsList(visit: ConsoleVisit, steps: readonly TriedStep[]): Html {
  const texts = provisioningTexts[visit.language];
  return html`<ol>${steps.map(
    ({ step, isDone, status, errorId }) =>
      html`<li>${texts[`try_${step}`]} ${isDone ? badge(texts.works, 'good') : badge(texts.fails, 'bad')} <span class="soft">${status}</span> ${errorId !== undefined && exact(errorId)}${!isDone && html`<p class="hint">${texts[`hint_${step}`]}</p>`}</li>`,
  )}</ol>`;
}
