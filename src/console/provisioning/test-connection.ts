import { type Html, html } from '#src/http/pages/html.js';
import { credentialTexts } from '../credentials/texts/texts.js';
import { buttons, field, form } from '../http/form.js';
import { badge, card, exact } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
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
  const [own, shared] = [provisioningTexts[language], credentialTexts[language]];
  const content = form(visit, {
    action: pathOf(visit, '/provisioning/test'),
    content: html`${field({ name: 'tokenSecret', label: shared.token, maxLength: 4_000, isExact: true, hint: own.testTokenHint })}
${field({ name: 'clientId', label: shared.clientId, value: fieldText(visit, 'clientId'), maxLength: 200, isExact: true })}
${field({ name: 'clientSecret', label: shared.secret, maxLength: 500, isExact: true })}
${buttons(own.test)}`,
  });
  return provisioningFrame(visit, {
    organization: await organizationOf(visit),
    tab: 'test',
    content: html`${more.steps && card(own.testResult, stepsList(visit, more.steps))}${card(own.test, content, { hint: own.testHint })}`,
    ...(more.isEmpty && { alert: own.testEmpty, status: 400 }),
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
  const own = provisioningTexts[visit.language];
  return html`<ol>${steps.map(
    ({ step, isDone, status, errorId }) =>
      html`<li>${own[`try_${step}`]} ${isDone ? badge(own.works, 'good') : badge(own.fails, 'bad')} <span class="soft">${status}</span> ${errorId !== undefined && exact(errorId)}${!isDone && html`<p class="hint">${own[`hint_${step}`]}</p>`}</li>`,
  )}</ol>`;
}
